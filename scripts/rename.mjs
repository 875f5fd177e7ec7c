#!/usr/bin/env node
// npm run rename -- NAME: the program under another name, everywhere: src/name.ts, commands and addresses in documents, names of files. One commit.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { say } from './lib/setup.mjs';

/** First bytes of a checkpoint: state of the program under its former name stays readable. */
const kept = 'ASSAYCKP';

const [wanted, ...others] = process.argv.slice(2);
// It is an identifier, part of the names of metrics and variables, and of topics and files.
if (others.length > 0 || !/^[a-z][a-z0-9]{1,30}$/.test(wanted ?? '')) {
  say('usage: npm run rename -- NAME, of small letters and digits');
  process.exit(2);
}
const { programName } = readName();
const forms = [String, (name) => name[0].toUpperCase() + name.slice(1), (name) => name.toUpperCase()];
const pairs = forms.map((form) => [form(programName), form(wanted)]);
const held = [];
for (const path of tracked()) {
  const bytes = readFileSync(path);
  if (bytes.includes(0)) {
    if (bytes.includes(programName)) held.push(path);
    continue;
  }
  const text = bytes.toString();
  const next = renamed(text);
  if (next !== text) writeFileSync(path, next);
  move(path, renamed(path));
}
say(`${programName} is ${wanted} now. Next: npm run build, npm run generate, npm run format, npm test, one commit.`);
if (held.length > 0) say(`These recordings hold the former name and are to be made anew:\n  ${held.join('\n  ')}`);

function readName() {
  const text = readFileSync('src/name.ts', 'utf8');
  return { programName: /programName = '([a-z0-9]+)'/.exec(text)[1] };
}

function tracked() {
  return execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\0')
    .filter((path) => path !== '');
}

function renamed(text) {
  const parts = text.split(kept);
  return parts.map((part) => pairs.reduce((all, [from, to]) => all.replaceAll(from, to), part)).join(kept);
}

function move(from, to) {
  if (from === to) return;
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}
