import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { alertsOf, ruleFiles } from '../../packages/monitoring/rules.ts';
import { runProgram } from '../support/program.ts';
import { parseQuery } from '../support/promql.ts';
import { links } from '../support/promtool.ts';
import { knownSeries, selectorProblems } from './known-series.ts';

const folder = 'docs/runbooks';
const names = [...new Set(alertsOf(ruleFiles(links)).map(({ alert }) => alert))];

/** Text of the fenced blocks of a language. */
function blocks(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!.trim());
}

test('there is a page for each alert, and no other', () => {
  const pages = readdirSync(folder).filter((name) => name !== 'README.md');
  assert.deepEqual(pages.sort(), names.map((name) => `${name}.md`).sort());
});

test('every page says what it means, whom it hurts, how to look, and what to do; its queries ask for what exists', async () => {
  const known = await knownSeries();
  for (const name of names) {
    const page = readFileSync(`${folder}/${name}.md`, 'utf8');
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, [name, 'Meaning', 'Impact', 'Diagnosis', 'Mitigation']);
    const queries = blocks(page, 'promql');
    assert.ok(queries.length > 0, `${name} has no query`);
    for (const query of queries) {
      const { valid, selectors } = parseQuery(query);
      assert.ok(valid, `${name}: ${query}`);
      assert.deepEqual(
        selectors.flatMap((selector) => selectorProblems(selector, known)),
        [],
        `${name}: ${query}`,
      );
    }
  }
});

test('every link leads to a page', () => {
  const broken = readdirSync(folder).flatMap((file) =>
    [...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/\]\(([^)]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !readdirSync(folder).includes(target))
      .map((target) => `${file}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('every assay command of a page exists', async () => {
  const commands = names.flatMap((name) => {
    const page = readFileSync(`${folder}/${name}.md`, 'utf8');
    const inline = [...page.matchAll(/`(assay [^`\n]+)`/g)].map(([, text]) => text!);
    const lines = blocks(page, 'sh').flatMap((block) => block.split('\n'));
    return [...inline, ...lines].filter((line) => line.startsWith('assay ')).map((line) => line.split(' ').slice(1));
  });
  assert.ok(commands.length > 5);
  const words = new Set(
    commands.map(([command, sub]) => (/^(config|state|truth)$/.test(command!) ? `${command} ${sub}` : command!)),
  );
  for (const command of words) {
    const { status, stderr } = await runProgram([...command.split(' '), '--help']);
    assert.equal(status, 0, `assay ${command}: ${stderr}`);
  }
});
