import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFile } from '../../../src/adapters/files/new-file.ts';
import { folderStore } from '../../../src/adapters/object-store/folder-store.ts';
import { aggregatesName, datedAggregatesName, snapshotStore } from '../../../src/adapters/object-store/snapshots.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 4, 8);

function put(folder: string, name: string, ageMs: number): void {
  const path = join(folder, name);
  writeFileSync(path, name);
  utimesSync(path, new Date(now - ageMs), new Date(now - ageMs));
}

test('snapshots and score rows go with age, whatever their event time; other files stay, and what latest.json names', async (context) => {
  const path = temporaryFolder(context);
  mkdirSync(join(path, 'scores'));
  const old = [
    'aggregates-20260501T000000Z.arrow',
    'scores-20260501T000000Z.arrow',
    'scores/scores-t-0-0000000000000000-0.arrow',
  ];
  const left = ['.tmp-host-1-0a-0b', 'scores/.tmp-host-1-0a-0b'];
  const others = ['report.arrow', 'aggregates.csv', 'scores/notes.txt'];
  for (const name of [...old, ...left, ...others]) put(path, name, 8 * day);
  put(path, 'aggregates-20200101T000000Z.arrow', 6 * day);
  const folder = snapshotStore(folderStore(path, 'a'), 'latest.json');
  const at = Date.UTC(2026, 4, 1, 4, 9, 59, 123);
  const named = aggregatesName(at);
  await folder.writeAggregates(named, Buffer.from('ab'));
  assert.equal(named, 'aggregates-20260501T040959Z.arrow');
  assert.equal(readFileSync(join(path, named), 'utf8'), 'ab');
  put(path, named, 9 * day);
  const latest = { as_of: '2026-05-01T04:09:59.123Z', aggregates: named, scores: null };
  await folder.writeLatest(latest);
  assert.deepEqual(JSON.parse(readFileSync(join(path, 'latest.json'), 'utf8')), latest);
  assert.equal(await folder.expire(now - 7 * day), old.length);
  const kept = [named, 'aggregates-20200101T000000Z.arrow', 'aggregates.csv', 'latest.json', 'report.arrow', 'scores'];
  assert.deepEqual(readdirSync(path).sort(), kept.sort());
  assert.deepEqual(readdirSync(join(path, 'scores')), ['notes.txt']);
});

test('a folder that is not there holds nothing that is old', async (context) => {
  const store = folderStore(join(temporaryFolder(context), 'absent'), 'a');
  assert.equal(await snapshotStore(store, 'latest.json').expire(now), 0);
});

test('score rows whose name says that they are young are not looked at; merged ones and others are', async (context) => {
  const path = temporaryFolder(context);
  mkdirSync(join(path, 'scores'));
  const timesMs = new Map([
    ['young', now],
    ['old', now - 8 * day],
  ]);
  const names = ['a-young', 'b-old', 'c-old_3', 'd-young_3', 'e-unknown'].map(
    (name) => `scores/scores-t-0-${name}.arrow`,
  );
  for (const name of names) put(path, name, 8 * day);
  put(path, 'scores/scores-t-0-f-old.arrow', 6 * day);
  const folder = snapshotStore(folderStore(path, 'a'), 'latest.json', (id) => timesMs.get(id) ?? Number.NaN);
  assert.equal(await folder.expire(now - 7 * day), 3);
  const kept = ['a-young', 'd-young_3', 'f-old'].map((name) => `scores-t-0-${name}.arrow`);
  assert.deepEqual(readdirSync(join(path, 'scores')).sort(), kept);
});

test('a folder goes with all that is in it, whatever its size', async (context) => {
  const path = temporaryFolder(context);
  const many = Array.from({ length: 600 }, (_, at) => `day/hour=${at % 3}/file-${at}`);
  for (let hour = 0; hour < 3; hour++) mkdirSync(join(path, `day/hour=${hour}`), { recursive: true });
  for (const name of [...many, 'day/own', 'other']) writeFileSync(join(path, name), '');
  const store = folderStore(path, 'a');
  await Promise.all([store.removeFolder('day'), store.removeFolder('day')]);
  assert.deepEqual(readdirSync(path), ['other']);
});

test('folders of days go whole, when their last moment is too old; what was named last stays', async (context) => {
  const path = temporaryFolder(context);
  const store = folderStore(path, 'a');
  const folder = snapshotStore(store, '_latest.json');
  const before = now - 7 * day;
  const named = datedAggregatesName(before, 'i', before - 3 * day);
  const names = [named, ...[1, 0, -1].map((days) => datedAggregatesName(before, 'i', before - days * day))];
  for (const name of names) await folder.writeAggregates(name, Buffer.from('a'));
  for (const date of ['2026-04-30', '2026-05-01'])
    await store.write(`scores/date=${date}/hour=23/scores-t-0-1-1-x.parquet`, Buffer.from('s'));
  await store.write('scores/notes/kept', Buffer.from('n'));
  await folder.writeLatest({ as_of: null, aggregates: named, scores: null });
  assert.equal(await folder.expire(before + 1), 2);
  const kept = [named.slice(11, 26), 'date=2026-05-01', 'date=2026-05-02'];
  assert.deepEqual(readdirSync(join(path, 'aggregates')).sort(), kept);
  assert.deepEqual(readdirSync(join(path, 'scores')).sort(), ['date=2026-05-01', 'notes']);
  assert.deepEqual(JSON.parse(readFileSync(join(path, '_latest.json'), 'utf8')).aggregates, named);
});

test('a file has its name when it is whole, and none where it is given up', async (context) => {
  const path = temporaryFolder(context);
  const file = await newFile(path, 'a');
  await file.write([Buffer.from('one '), new Uint8Array(0), ...Array.from({ length: 2_000 }, () => Buffer.from('x'))]);
  assert.ok(readdirSync(path).every((name) => /^\.a\..*\.tmp$/.test(name)));
  await file.finish(join(path, 'a'));
  await file.finish(join(path, 'a'));
  await file.abandon();
  assert.deepEqual(readdirSync(path), ['a']);
  assert.equal(readFileSync(join(path, 'a'), 'utf8'), `one ${'x'.repeat(2_000)}`);
  const other = await newFile(path, 'b');
  await other.write([Buffer.from('b')]);
  await other.abandon();
  assert.deepEqual(readdirSync(path), ['a']);
});
