import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { headOf } from '../../../src/formats/checkpoint/checkpoint.ts';
import { codeOf, createDictionary } from '../../../src/state/containers/dictionary.ts';
import { isTaken, slotsIn, timeIn } from '../../../src/state/containers/id-segment.ts';
import { bucketMs, createIds, forgetBelow, type Ids, meet, takenSegments } from '../../../src/state/containers/ids.ts';
import { appendText, createPendingLog, removeText } from '../../../src/state/containers/pending-log.ts';
import type { Store } from '../../../src/state/containers/store.ts';
import {
  chunkOf,
  createTable,
  findRow,
  insertRow,
  keyColumns,
  liveRows,
  markRow,
  removeRow,
  rowOf,
  type Table,
  valuesAt,
} from '../../../src/state/containers/table.ts';
import { contentsOf, encodeDelta, encodeSnapshot, ofFormat, restored as restoreStore } from '../../support/encoded.ts';
import { runs } from '../../support/soak.ts';

const place = { nextOffset: 7, group: 'g', topic: 't', partition: 3 };

function emptyStore(): Store {
  return {
    header: '',
    numbers: new Map(),
    dictionaries: new Map([
      ['models', createDictionary()],
      ['agents', createDictionary()],
    ]),
    tables: new Map([
      ['wide', createTable(3)],
      ['keys', createTable(0)],
    ]),
    ids: new Map([['seen', createIds()]]),
    pendingLogs: new Map([['pending', createPendingLog()]]),
  };
}

/** All that a store holds, in an order that does not depend on memory. */
function contents(store: Store): unknown {
  const rows = (table: Table) =>
    liveRows(table)
      .map((row) => [
        ...chunkOf(table, row).subarray(valuesAt(table, row) - keyColumns, valuesAt(table, row) + table.values),
      ])
      .sort((a, b) => (a.slice(0, keyColumns).join() < b.slice(0, keyColumns).join() ? -1 : 1));
  return {
    header: store.header,
    numbers: [...store.numbers].sort(([a], [b]) => (a < b ? -1 : 1)),
    dictionaries: inOrder(store.dictionaries).map(([name, { list, codes }]) => [
      name,
      [...list],
      list.map((text) => codes.get(text)),
    ]),
    tables: inOrder(store.tables).map(([name, table]) => [name, table.size, rows(table)]),
    ids: [...store.ids].map(([name, ids]) => [name, ids.floor, idsIn(ids), ids.size, [...ids.counts].sort()]),
    pendingLogs: [...store.pendingLogs].map(([name, { texts, next }]) => [name, next, [...texts]]),
  };
}

function inOrder<Item>(items: ReadonlyMap<string, Item>): [string, Item][] {
  return [...items].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Ids and times, in the order in which they lie. */
function idsIn(ids: Ids): unknown {
  return takenSegments(ids).flatMap((slots) =>
    Array.from({ length: slotsIn(slots) }, (_, slot) => slot)
      .filter((slot) => isTaken(slots, slot, ids.floor))
      .map((slot) => [[...slots.words.subarray(6 * slot, 6 * slot + 4)], timeIn(slots, slot)]),
  );
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\ud800', '\udc00a', '\ufeffbom', '', '__proto__'),
);
const anyValue = fc.oneof(
  fc.nat(300),
  fc.integer(),
  fc.double(),
  fc.constantFrom(-0, Number.NaN, 2 ** 53, 2 ** 60, 0.5),
);
const anyKey = fc.oneof(fc.nat(3), fc.constantFrom(-1, 2 ** 40, -(2 ** 33)));
/** Of few values, so that many share their first words. */
const anyWord = fc.oneof(fc.nat(2), fc.constantFrom(2 ** 24 + 1, 2 ** 32 - 1));
type Change = (store: Store) => void;

const changes: fc.Arbitrary<Change> = fc.oneof(
  fc
    .tuple(anyKey, anyKey, fc.array(anyValue, { minLength: 3, maxLength: 3 }))
    .map(([a, b, cells]) => (store: Store) => {
      for (const table of store.tables.values()) {
        const row = rowOf(table, a, b, 0, a);
        chunkOf(table, row).set(cells.slice(0, table.values), valuesAt(table, row));
        markRow(table, row);
      }
    }),
  fc.tuple(anyKey, anyKey).map(([a, b]) => (store: Store) => {
    for (const table of store.tables.values()) {
      const row = findRow(table, a, b, 0, a);
      if (row >= 0) removeRow(table, row);
    }
  }),
  fc.tuple(fc.constantFrom('models', 'agents'), anyText).map(([name, text]) => (store: Store) => {
    codeOf(store.dictionaries.get(name)!, text);
  }),
  fc.tuple(fc.array(anyWord, { minLength: 4, maxLength: 4 }), fc.nat(9)).map(([words, ts]) => (store: Store) => {
    const ids = store.ids.get('seen')!;
    meet(ids, Uint32Array.from(words), 0, ts * bucketMs, Math.max(ids.floor, ts * bucketMs));
  }),
  fc.nat(9).map((floor) => (store: Store) => {
    forgetBelow(store.ids.get('seen')!, floor * bucketMs);
  }),
  anyText.map((text) => (store: Store) => {
    appendText(store.pendingLogs.get('pending')!, text);
  }),
  fc.nat(20).map((number) => (store: Store) => {
    const log = store.pendingLogs.get('pending')!;
    if (log.texts.has(number)) removeText(log, number);
  }),
  fc.tuple(fc.constantFrom('offset', 'late', '__proto__'), anyValue).map(([name, value]) => (store: Store) => {
    store.numbers.set(name, value);
  }),
  anyText.map((text) => (store: Store) => {
    store.header = text;
  }),
);

/** Stretches of changes with a checkpoint after each; the first is a snapshot, of the others the marked ones. */
const history = fc.array(fc.tuple(fc.boolean(), fc.array(changes, { maxLength: 30 })), { minLength: 1, maxLength: 8 });

test('a snapshot and the deltas after it restore the same contents, whatever the history', () => {
  fc.assert(
    fc.property(history, (stretches) => {
      const store = emptyStore();
      let chain: Uint8Array[] = [];
      stretches.forEach(([isSnapshot, list], number) => {
        for (const change of list) change(store);
        const key = { ...place, id: `c${number}` };
        if (isSnapshot || number === 0) {
          chain = [encodeSnapshot(store, key)];
        } else chain.push(encodeDelta(store, key, `c${number - 1}`));
        const { store: restored, head } = restoreStore(chain);
        assert.deepEqual(head, { ...key, base: chain.length === 1 ? undefined : `c${number - 1}`, format: 4 });
        assert.deepEqual(contents(restored), contents(store));
      });
      assert.deepEqual(contentsOf(restoreStore(chain).store), contentsOf(store));
    }),
    { numRuns: runs(80) },
  );
});

test('nothing changed makes a delta of nothing, also right after a restore', () => {
  const store = emptyStore();
  insertRow(store.tables.get('wide')!, 1, 2, 3, 4);
  codeOf(store.dictionaries.get('models')!, 'm');
  appendText(store.pendingLogs.get('pending')!, 'p'.repeat(1000));
  appendText(store.pendingLogs.get('pending')!, 'q');
  encodeSnapshot(store, { ...place, id: 'a' });
  removeText(store.pendingLogs.get('pending')!, 1);
  removeRow(store.tables.get('wide')!, insertRow(store.tables.get('wide')!, 5, 6, 7, 8));
  const snapshot = encodeSnapshot(store, { ...place, id: 'a' });
  const none = encodeDelta(store, { ...place, id: 'b' }, 'a');
  const { store: restored } = restoreStore([snapshot]);
  assert.deepEqual(encodeDelta(restored, { ...place, id: 'b' }, 'a'), none);
  assert.deepEqual(encodeDelta(store, { ...place, id: 'b' }, 'a'), none);
  assert.ok(none.length < 600, `${none.length} bytes`);
});

test('columns keep whole numbers of every width exactly, across steps', () => {
  const edges = [0, 1, 0xff, 0x100, 0xffff, 0x10000, 0xffffffff, 2 ** 32, 2 ** 53, 2 ** 60, -1, -(2 ** 31), 0.1, -0];
  const store = (): Store => ({
    ...emptyStore(),
    dictionaries: new Map(),
    pendingLogs: new Map(),
    tables: new Map([['t', createTable(edges.length)]]),
  });
  const made = store();
  const table = made.tables.get('t')!;
  for (let i = 0; i < 1500; i++) {
    const row = insertRow(table, 1e12 + i * 7, 700 - i, i % 3, 0);
    edges.forEach((edge, column) => {
      chunkOf(table, row)[valuesAt(table, row) + column] = i % 2 === 0 ? 0 : edge;
    });
  }
  const { store: restored } = restoreStore([encodeSnapshot(made, { ...place, id: 'a' })]);
  assert.deepEqual(contents(restored), contents(made));
});

test('a file cut short anywhere and every flipped bit are seen', () => {
  const store = emptyStore();
  insertRow(store.tables.get('wide')!, 1, 2, 3, 4);
  appendText(store.pendingLogs.get('pending')!, '{"a":1}');
  const bytes = encodeSnapshot(store, { ...place, id: 'a' });
  assert.equal(headOf(bytes)?.id, 'a');
  for (let length = 0; length < bytes.length; length++) assert.equal(headOf(bytes.slice(0, length)), undefined);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = bytes.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    assert.equal(headOf(flipped), undefined, `bit ${bit}`);
  }
  const longer = new Uint8Array(bytes.length + 1);
  longer.set(bytes);
  assert.equal(headOf(longer), undefined);
  assert.throws(() => restoreStore([bytes.slice(1)]), /damaged/);
});

test('a file that does not follow from those before it is refused by name', () => {
  const store = emptyStore();
  insertRow(store.tables.get('wide')!, 1, 2, 3, 4);
  const snapshot = encodeSnapshot(store, { ...place, id: 'a' });
  codeOf(store.dictionaries.get('models')!, 'n');
  const next = encodeDelta(store, { ...place, id: 'b' }, 'a');
  const after = encodeDelta(store, { ...place, id: 'c' }, 'b');
  assert.throws(
    () => restoreStore([next]),
    /g t\/3 at 7 \(b\) does not fit the state: its base is a, and it follows nothing/,
  );
  assert.throws(() => restoreStore([snapshot, after]), /\(c\) does not fit the state: its base is b, and it follows a/);
  assert.throws(() => restoreStore([snapshot, snapshot]), /its base is nothing, and it follows a/);
  const another = emptyStore();
  encodeSnapshot(another, { ...place, id: 'a' });
  const stranger = encodeDelta({ ...another, tables: new Map([['wide', createTable(2)]]) }, { ...place, id: 'b' }, 'a');
  assert.throws(() => restoreStore([snapshot, stranger]), /table wide has 2 values a row, 3 before/);
});

/** A snapshot of `goldenStore`, in format 4, whose body is as the release that made format 3 wrote it. */
const golden =
  'QVNTQVlDS1AEAAAAAAAAAABIh0A/AAAAeyJpZCI6ImEiLCJuZXh0T2Zmc2V0Ijo3LCJncm91cCI6ImciLCJ0b3BpYyI6InQiLCJwYXJ0aXRpb24iOjN9/w9vIgZoZWFkZXIiB3sidiI6MX0iB251bWJlcnM7IgZvZmZzZXRJDjoCIgxkaWN0aW9uYXJpZXM7IgZtb2RlbHNvIgRmcm9tSQAiBXRleHRzQQIAYwhnAHAAdAAA2CIGZ3L232VyJAACewIiBmFnZW50c28iBGZyb21JACIFdGV4dHNBACQAAHsCOgQiBnRhYmxlczsiBHdpZGVvIgZ2YWx1ZXNJBiIHcmVtb3ZlZEEAJAAAIgRyb3dzSQYiB2NvbHVtbnNBB28iBWxlYXN0TgAAAAAAAABAIglkaXN0YW5jZXNcBgwqAQAAAAAAAG4RAQB7Ak4AAAAAAADwP04AAAAAAAAUwE4AAAAAAAAAAG8iBWxlYXN0TgAAAAAAAABAIglkaXN0YW5jZXNcBgwqAQAAAAAAAG4RAQB7AlwIGAAAAAAAAOA/AAAAAAAA4D8AAAAAAADgP28iBWxlYXN0TgAgAAAAAHBCIglkaXN0YW5jZXNcBgwqAQAAAAAAAG4RAQB7AiQAB3sEIgRrZXlzbyIGdmFsdWVzSQAiB3JlbW92ZWRBACQAACIEcm93c0kAIgdjb2x1bW5zQQRJAEkASQBJACQABHsEOgQiA2lkczsiBHNlZW5vIgVmbG9vck4AAAAAAAAUQCIFd29yZHNcBiAAAAAAAAAAAAIAAAADAAAA//////////8CAAAAAwAAACIFdGltZXNvIgVsZWFzdE4AAAAAAAAUQCIJZGlzdGFuY2VzXAYIaxEBAAAAAAB7AnsDOgIiC3BlbmRpbmdMb2dzOyIHcGVuZGluZ28iBG5leHRJAiIHcmVtb3ZlZEEAJAAAIgVhZGRlZDtJACIHeyJhIjoxfToCewM6AnsGeEsfZA==';

function goldenStore(): Store {
  const store = emptyStore();
  store.header = '{"v":1}';
  store.numbers.set('offset', 7);
  codeOf(store.dictionaries.get('models')!, 'gpt\ud800');
  codeOf(store.dictionaries.get('models')!, 'größer');
  for (const key of [300, 2, 70_000]) {
    const row = insertRow(store.tables.get('wide')!, key, 1, -5, 0);
    chunkOf(store.tables.get('wide')!, row).set([key, 0.5, 2 ** 40 + key], valuesAt(store.tables.get('wide')!, row));
  }
  const ids = store.ids.get('seen')!;
  ids.floor = 5;
  for (const [word, ts] of [
    [2 ** 32 - 1, 5],
    [1, 4],
    [0, 70_000],
  ] as const)
    meet(ids, Uint32Array.of(word, word, 2, 3), 0, ts, ids.floor);
  appendText(store.pendingLogs.get('pending')!, '{"a":1}');
  return store;
}

test('format 4 is read as it was when it was made', () => {
  const { store: restored } = restoreStore([Buffer.from(golden, 'base64')]);
  assert.deepEqual(contents(restored), contents(goldenStore()));
});

test('an intact file of another format is told from a damaged one', () => {
  const bytes = ofFormat(encodeSnapshot(emptyStore(), { ...place, id: 'a' }), 9);
  assert.equal(headOf(bytes)?.format, 9);
  assert.throws(() => restoreStore([bytes]), /has format 9, this release reads 4; use the release/);
});
