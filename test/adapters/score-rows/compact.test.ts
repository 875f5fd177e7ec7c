import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { createLog } from '../../../src/adapters/log.ts';
import type { ObjectStore } from '../../../src/adapters/object-store/object-store.ts';
import { compactRows } from '../../../src/adapters/score-rows/compact-rows.ts';
import type { RowFormat } from '../../../src/adapters/score-rows/row-file-worker.ts';
import { type RowWriting, rowsFolder, writeFile, writtenRows } from '../../../src/adapters/score-rows/written-rows.ts';
import { seeded } from '../../../src/statistics/random.ts';
import { parquetRowGroups } from '../../../src/formats/files/parquet-rows.ts';
import { type EndedFile, rowFileName, segmentName } from '../../../src/formats/snapshot/row-files.ts';
import { scoreFile } from '../../../src/formats/snapshot/scores.ts';
import { memoryStore } from '../../support/memory-store.ts';

const start = Date.UTC(2026, 4, 1);
const minute = 60_000;
const hour = 60 * minute;
const key = { group: 'a/b', topic: 't', partition: 0 };
const { signal } = new AbortController();

/** A service that has one partition, and writes a file of three rows at a time. */
function serviceOf(files: ObjectStore, format: RowFormat, keepMs = 7 * 24 * hour) {
  const clock = { nowMs: start };
  const state = memoryStore(new Map());
  const log = createLog({ level: 'error', pretty: false, version: '0' });
  const kept = { about: {}, keepMs, nowMs: () => clock.nowMs, log };
  const stores: RowWriting = {
    group: key.group,
    state,
    files,
    ...kept,
    isUrgent: () => false,
    made: { last: undefined },
  };
  const written = writtenRows(stores, key, []);
  const ids: string[] = [];
  return {
    clock,
    ids,
    async write(): Promise<void> {
      const from = ids.length;
      const scores = scoreFile();
      for (let row = from; row < from + 3; row++) {
        ids.push(`e-${row}`);
        const place = { source: { topic: 't', partition: 0, offset: row }, tags: { trace_id: `t-${row}` } };
        const names = { event_id: `e-${row}`, example_id: 'x', model: 'm', agent: 'a' };
        const event = { ...names, ts: clock.nowMs, run: null, ...place };
        scores.add({ event, like: undefined, parts: () => ({}) });
      }
      const id = `c${String(from).padStart(6, '0')}`;
      const segment = segmentName(from + 3, id);
      await state.write(`${rowsFolder({ key })}/${segment}`, Buffer.concat(scores.finish()));
      const end = { id, endedMs: clock.nowMs, format };
      const place = { nextOffset: from + 3, scored: from + 3, firstOffset: from };
      const name = rowFileName(key, { nextOffset: from, scored: from }, end);
      const ended: EndedFile = { name, rows: 3, ...place, endedMs: clock.nowMs, id, segments: [segment] };
      written.files = await writeFile(stores, written, ended);
    },
  };
}

/** As a reader does: the newest manifest, then its files; where one is gone, again. */
async function read(store: ObjectStore): Promise<{ readonly ids: string[]; readonly names: string[] }> {
  for (let tries = 0; tries < 20; tries++) {
    const folder = '_manifest/a%2Fb/t/0';
    const last = (await store.files(folder)).at(-1)!;
    const bytes = await store.read(`${folder}/${last}`);
    if (bytes === undefined) continue;
    const { files } = JSON.parse(Buffer.from(bytes).toString()) as { files: { name: string; rows: number }[] };
    const found = await Promise.all(files.map(({ name }) => store.read(name)));
    if (found.includes(undefined)) continue;
    const ids = await Promise.all(files.map(({ name, rows }, at) => idsOf(name, found[at]!, rows)));
    return { ids: ids.flat(), names: files.map(({ name }) => name) };
  }
  return assert.fail('a file that counts is gone');
}

async function idsOf(name: string, bytes: Uint8Array, rows: number): Promise<string[]> {
  const ids: string[] = [];
  if (name.endsWith('.arrow')) ids.push(...(tableFromIPC(bytes).getChild('event_id')! as Iterable<string>));
  else
    for await (const group of parquetRowGroups(bytes.slice().buffer))
      for (let row = 0; row < group.rows; row++) ids.push(group.cellOf(row, group.names.indexOf('event_id')) as string);
  assert.equal(ids.length, rows);
  return ids;
}

const rowFiles = (contents: ReadonlyMap<string, unknown>): string[] =>
  [...contents.keys()].filter((name) => /scores-/.test(name) && !name.startsWith('_')).sort();

for (const [format, perHour] of [
  ['arrow', 20],
  ['parquet', 4],
] as const)
  test(`${format}: the files of an hour become one, with the same rows in order; again, there is nothing to do`, async () => {
    const contents = new Map<string, Uint8Array>();
    const store = memoryStore(contents);
    const { clock, ids, write } = serviceOf(store, format);
    for (let file = 0; file < 3 * perHour; file++, clock.nowMs += hour / perHour) await write();
    const done = await compactRows({ store, nowMs: start + 2 * hour + minute, signal });
    assert.deepEqual(
      done,
      { partitions: 1, parts: perHour, files: 1, rows: 3 * perHour, passedOver: [] },
      'one is over',
    );
    await compactRows({ store, nowMs: clock.nowMs + 2 * hour, signal });
    const after = await read(store);
    assert.deepEqual(after.ids, ids);
    assert.equal(after.names.length, 4, 'an hour each, and the last file of all');
    assert.deepEqual(rowFiles(contents), [...after.names].sort(), 'what was merged is gone');
    const again = await compactRows({ store, nowMs: clock.nowMs + 9 * hour, signal });
    assert.equal(again.files, 0);
    clock.nowMs += 9 * hour;
    await write();
    assert.deepEqual((await read(store)).ids, ids, 'the service goes on with what was merged');
    assert.deepEqual((await read(store)).names.slice(0, 3), after.names.slice(0, 3));
  });

test('whenever it dies, each row counts once, and the next one ends what it began', async () => {
  for (let step = 0, died = true; died; step++) {
    const contents = new Map<string, Uint8Array>();
    const store = memoryStore(contents);
    const { clock, ids, write } = serviceOf(store, 'arrow');
    for (let file = 0; file < 12; file++, clock.nowMs += 10 * minute) await write();
    let left = step;
    const dying = changed(store, async () => {
      if (left-- === 0) throw new Error('killed');
    });
    const nowMs = clock.nowMs + 3 * hour;
    died = await compactRows({ store: dying, nowMs, signal }).then(
      () => false,
      () => true,
    );
    assert.deepEqual((await read(store)).ids, ids, `killed before change ${step}`);
    await compactRows({ store, nowMs, signal });
    const { ids: found, names } = await read(store);
    assert.deepEqual(found, ids, `killed before change ${step}, and gone on`);
    assert.deepEqual(rowFiles(contents), [...names].sort());
    assert.equal(names.length, 3);
    if (!died) assert.ok(step > 12, `${step} changes`);
  }
});

test('while a service writes, whatever comes first', async (context) => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  context.diagnostic(`SEED=${seed}`);
  const random = seeded(seed);
  for (let round = 0; round < 10; round++) {
    const contents = new Map<string, Uint8Array>();
    const store = memoryStore(contents);
    const someTurns = async (most: number): Promise<void> => {
      for (let turns = Math.floor(random() * most); turns > 0; turns--) await new Promise(setImmediate);
    };
    const busy = changed(store, () => someTurns(random() < 0.1 ? 100 : 5));
    const { clock, ids, write } = serviceOf(busy, 'arrow');
    for (let file = 0; file < 8; file++, clock.nowMs += 20 * minute) await write();
    clock.nowMs += 2 * hour;
    const compacting = compactRows({ store: busy, nowMs: clock.nowMs, signal });
    for (let file = 0; file < 1 + (round % 3); file++, clock.nowMs += minute) {
      await someTurns(60);
      await write();
    }
    await compacting;
    assert.deepEqual((await read(store)).ids, ids, `round ${round}`);
    await write();
    assert.deepEqual((await read(store)).ids, ids, `round ${round}, a file later`);
    await compactRows({ store, nowMs: clock.nowMs + 9 * hour, signal });
    const { ids: found, names } = await read(store);
    assert.deepEqual(found, ids, `round ${round}, compacted again`);
    assert.deepEqual(rowFiles(contents), [...names].sort(), `round ${round}`);
  }
});

/** A store that is compacted before a manifest is written, at each of some times once. */
function overtaken(store: ObjectStore, times: number[]): ObjectStore {
  return {
    ...store,
    async write(path, bytes) {
      const nowMs = path.startsWith('_manifest') ? times.shift() : undefined;
      if (nowMs !== undefined) await compactRows({ store, nowMs, signal });
      await store.write(path, bytes);
    },
  };
}

test('a service that is about to write its manifest while all is merged and removed', async () => {
  const store = memoryStore(new Map());
  const times: number[] = [];
  const { clock, ids, write } = serviceOf(overtaken(store, times), 'arrow');
  for (let file = 0; file < 8; file++, clock.nowMs += 20 * minute) await write();
  times.push(clock.nowMs + 3 * hour);
  await write();
  assert.deepEqual(times, []);
  const { ids: found, names } = await read(store);
  assert.deepEqual(found, ids);
  assert.equal(names.length, 5, 'two hours, the last two of before, and the file that was written');
});

test('a service that is about to mend its manifest while the next hour is merged and removed', async () => {
  const store = memoryStore(new Map());
  const times: number[] = [];
  const { clock, ids, write } = serviceOf(overtaken(store, times), 'arrow');
  for (let file = 0; file < 8; file++, clock.nowMs += 20 * minute) await write();
  times.push(start + 2 * hour + minute, clock.nowMs + 3 * hour);
  await write();
  assert.deepEqual(times, []);
  const { ids: found, names } = await read(store);
  assert.deepEqual(found, ids);
  assert.equal(names.length, 4, 'three hours, and the file that was written');
});

test('what is merged goes with age, its record with it; a partition of which files lie elsewhere is passed over', async () => {
  const contents = new Map<string, Uint8Array>();
  const store = memoryStore(contents);
  const { clock, ids, write } = serviceOf(store, 'arrow', 24 * hour);
  for (let file = 0; file < 6; file++, clock.nowMs += 20 * minute) await write();
  await compactRows({ store, nowMs: clock.nowMs + 3 * hour, signal });
  clock.nowMs += 25 * hour;
  await write();
  assert.deepEqual((await read(store)).ids, ids.slice(-3));
  await write();
  assert.deepEqual(
    [...contents.keys()].filter((name) => name.startsWith('_merged')),
    [],
  );
  clock.nowMs += 5 * hour;
  await write();
  const [first] = (await read(store)).names;
  contents.delete(first!);
  const { passedOver, files } = await compactRows({ store, nowMs: clock.nowMs, signal });
  assert.deepEqual([passedOver, files], [['a%2Fb/t/0'], 0]);
});

/** A store that does something before each change, and each look. */
function changed(store: ObjectStore, before: () => Promise<void>): ObjectStore {
  return {
    ...store,
    files: (folder) => before().then(() => store.files(folder)),
    write: (path, bytes) => before().then(() => store.write(path, bytes)),
    remove: (path) => before().then(() => store.remove(path)),
  };
}
