import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFile } from '../../../src/adapters/files/new-file.ts';
import { isPast, parseScoreFileName, scoreFileName } from '../../../src/adapters/files/score-names.ts';
import { snapshotFolder } from '../../../src/adapters/files/snapshot-folder.ts';
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
  const left = [
    '.aggregates-20260501T000000Z.arrow.x.tmp',
    '.latest.json.x.tmp',
    'scores/.scores-t-0-0000000000000000-0.arrow.x.tmp',
  ];
  const others = ['report.arrow', 'aggregates.csv', 'scores/notes.txt'];
  for (const name of [...old, ...left, ...others]) put(path, name, 8 * day);
  put(path, 'aggregates-20200101T000000Z.arrow', 6 * day);
  const folder = snapshotFolder(path);
  const named = await folder.writeAggregates(Date.UTC(2026, 4, 1, 4, 9, 59, 123), [Buffer.from('a'), Buffer.from('b')]);
  assert.equal(named, 'aggregates-20260501T040959Z.arrow');
  assert.equal(readFileSync(join(path, named), 'utf8'), 'ab');
  put(path, named, 9 * day);
  const latest = { as_of: '2026-05-01T04:09:59.123Z', aggregates: named, scores: null };
  await folder.writeLatest(latest);
  assert.deepEqual(JSON.parse(readFileSync(join(path, 'latest.json'), 'utf8')), latest);
  assert.equal(await folder.expire(now - 7 * day), old.length + left.length);
  const kept = [named, 'aggregates-20200101T000000Z.arrow', 'aggregates.csv', 'latest.json', 'report.arrow', 'scores'];
  assert.deepEqual(readdirSync(path).sort(), kept.sort());
  assert.deepEqual(readdirSync(join(path, 'scores')), ['notes.txt']);
});

test('a folder that is not there holds nothing that is old', async (context) => {
  assert.equal(await snapshotFolder(join(temporaryFolder(context), 'absent')).expire(now), 0);
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

test('names of score files can be read back, for any legal topic', () => {
  for (const topic of ['predictions', 'a-1', 'a-1-0000000000000000-5', 'a.b_c', '0']) {
    const place = { topic, partition: 12, nextOffset: 9_007_199_254_740_990, scored: 41 };
    assert.deepEqual(parseScoreFileName(scoreFileName(place, place)), place);
  }
  for (const name of [
    'scores-20260501T000000Z.arrow',
    'aggregates-a-0-0000000000000000-0.arrow',
    'scores-a-0-1-0.arrow',
  ])
    assert.equal(parseScoreFileName(name), undefined);
});

test('past a state are later offsets, and at its offset what was scored since', () => {
  const at = { nextOffset: 100, scored: 50 };
  const cases: readonly (readonly [number, number, boolean])[] = [
    [99, 60, false],
    [100, 49, false],
    [100, 50, true],
    [100, 51, true],
    [101, 40, true],
  ];
  for (const [nextOffset, scored, past] of cases) assert.equal(isPast({ nextOffset, scored }, at), past);
});
