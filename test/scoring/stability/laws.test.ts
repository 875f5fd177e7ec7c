import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LabelCode } from '../../../src/scoring/label.ts';
import type { Verdict } from '../../../src/scoring/stability/index.ts';
import {
  chunkOf,
  clearChanges,
  createTable,
  findRow,
  insertRow,
  removeRow,
  valuesAt,
} from '../../../src/state/containers/table.ts';
import {
  assertClose,
  blockOf,
  defaults,
  droppedIn,
  type GroupOptions,
  type Harness,
  harness,
  histogramsOf,
  observe,
  type RunEvent,
  restore,
  rowsOf,
  totalsOf,
} from './harness.ts';
import { goldOf, naive, naiveBlock, naiveObserve } from './naive.ts';
import { runs } from '../../support/soak.ts';

const slices = [0, 1, 2] as const;

const optionsOf: fc.Arbitrary<GroupOptions> = fc.record({
  k: fc.oneof(
    { arbitrary: fc.integer({ min: 1, max: 4 }), weight: 4 },
    { arbitrary: fc.integer({ min: 5, max: 20 }), weight: 1 },
  ),
  form: fc.constantFrom('closed' as const, 'rolling' as const),
  keepMs: fc.constantFrom(3, 20, Number.POSITIVE_INFINITY),
  groupsMax: fc.constantFrom(1, 2, 3, 1_000_000),
  mode: fc.constantFrom('spec' as const, 'upstream' as const),
});

const eventOf: fc.Arbitrary<RunEvent> = fc.record({
  example: fc.constantFrom('a', 'b'),
  model: fc.constantFrom('x', 'x', 'x', 'y'),
  agent: fc.constantFrom('x', 'x', 'x', 'y'),
  slice: fc.constantFrom(...slices),
  gold: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  label: fc.integer({ min: 0, max: 4 }) as fc.Arbitrary<LabelCode>,
  run: fc.oneof(
    { arbitrary: fc.integer({ min: 0, max: 4 }), weight: 8 },
    { arbitrary: fc.integer({ min: 0, max: 24 }), weight: 2 },
    { arbitrary: fc.constantFrom(2 ** 31, 2 ** 32 + 1, 2 ** 53), weight: 1 },
  ),
  verdict: fc.constantFrom<Verdict>(0, 1, 1, 2),
  tsMs: fc.integer({ min: 0, max: 30 }),
});

test('after every event the block is that of the definitions, in each slice and over all', () => {
  fc.assert(
    fc.property(
      optionsOf,
      fc.array(fc.record({ event: eventOf, ascending: fc.boolean(), restored: fc.integer({ min: 0, max: 9 }) }), {
        maxLength: 50,
      }),
      (options, steps) => {
        const family = harness(options);
        const definitions = naive(options);
        let now = 0;
        for (const { event, ascending, restored } of steps) {
          if (ascending) now += event.tsMs / 4;
          const timed = { ...event, tsMs: ascending ? now : event.tsMs };
          if (restored === 0) restore(family);
          observe(family, timed);
          naiveObserve(definitions, timed);
          assertClose(blockOf(family), naiveBlock(definitions));
          for (const slice of slices) assertClose(blockOf(family, [slice]), naiveBlock(definitions, [slice]));
          const dropped = definitions.lives.filter((life) => life.dropped && goldOf(options, life) !== undefined);
          assert.equal(droppedIn(family), dropped.length);
          assert.equal(family.groups.table.size, definitions.lives.filter(({ dropped }) => !dropped).length);
          assert.equal(family.groups.byLastRun.size, family.groups.table.size);
        }
      },
    ),
    { numRuns: runs(80) },
  );
});

test('distinct runs give equal histograms and tables in any order', () => {
  fc.assert(
    fc.property(
      optionsOf,
      fc
        .uniqueArray(eventOf, {
          maxLength: 40,
          selector: ({ example, model, agent, run }) => `${example}${model}${agent}${run}`,
        })
        .chain((events) => fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length }))),
      (options, [events, shuffled]) => {
        const unlimited = { ...options, keepMs: Number.POSITIVE_INFINITY, groupsMax: 1_000_000 };
        const [one, other] = [events, shuffled].map((order) => {
          const family = harness(unlimited);
          for (const event of order) observe(family, event);
          return family;
        }) as [Harness, Harness];
        assert.deepEqual(histogramsOf(other), histogramsOf(one));
        assert.deepEqual(blockOf(other), blockOf(one));
        assert.deepEqual(rowsOf(other.groups.table), rowsOf(one.groups.table));
      },
    ),
  );
});

test('the order in which totals are kept does not show, to the last bit', () => {
  const family = harness({ k: 9 });
  for (let group = 0; group < 200; group++) {
    for (let run = 0; run < 9; run++) {
      const label = (((group + 1) * (run + 3) * (run + group)) % 5) as LabelCode;
      const names = { example: String(group), model: 'x', agent: 'x', slice: 0, gold: group % 4 };
      observe(family, { ...names, label, run, verdict: label === 1 ? 1 : 0, tsMs: 0 });
    }
  }
  const reversed = new Map([...totalsOf(family)].reverse());
  assert.deepEqual(blockOf(family, undefined, reversed), blockOf(family));
});

test('the changes that the table remembers make a copy of it', () => {
  fc.assert(
    fc.property(optionsOf, fc.array(eventOf, { maxLength: 40 }), (options, events) => {
      const family = harness(options);
      const { table } = family.groups;
      const copy = createTable(table.values);
      for (const event of events) {
        observe(family, event);
        const { removedKeys, rows } = table.changes;
        for (let i = 0; i < removedKeys.length; i += 4) {
          const row = findRow(copy, removedKeys[i]!, removedKeys[i + 1]!, removedKeys[i + 2]!, removedKeys[i + 3]!);
          if (row >= 0) removeRow(copy, row);
        }
        for (const row of rows) {
          const cells = chunkOf(table, row);
          const at = valuesAt(table, row);
          const keys = [...cells.slice(at - 4, at)] as [number, number, number, number];
          if (Number.isNaN(keys[0])) continue;
          const found = findRow(copy, ...keys);
          const to = found >= 0 ? found : insertRow(copy, ...keys);
          chunkOf(copy, to).set(cells.slice(at, at + copy.values), valuesAt(copy, to));
        }
        clearChanges(table);
        assert.deepEqual(rowsOf(copy), rowsOf(table));
      }
    }),
  );
});

test('what is dropped does not depend on where rows lie, also among groups of the same time', () => {
  const events = Array.from({ length: 400 }, (_, i): RunEvent => {
    const example = String((i * 7919) % 263);
    const times = { tsMs: Math.floor(i / 40), run: i % 3 };
    return { example, model: 'x', agent: 'x', slice: i % 3, gold: i % 4, label: 1, verdict: 2, ...times };
  });
  const options = { ...defaults, k: 2, groupsMax: 20, keepMs: 4 };
  const steady = harness(options);
  const restored = harness(options);
  for (const event of events) {
    observe(steady, event);
    restore(restored);
    observe(restored, event);
    assert.deepEqual(rowsOf(restored.groups.table), rowsOf(steady.groups.table));
  }
  assert.deepEqual(histogramsOf(restored), histogramsOf(steady));
  assert.ok(droppedIn(steady) > 200);
});

test('k = 1,000: runs in any order, exact keys, no overflow in pass_hat_k', () => {
  for (const form of ['closed', 'rolling'] as const) {
    const options = { ...defaults, k: 1_000, form };
    const family = harness(options);
    const definitions = naive(options);
    for (let i = 0; i < 1_000; i++) {
      const run = (i * 617) % 1_000;
      const label = ((run * run) % 5) as LabelCode;
      const names = { example: 'a', model: 'x', agent: 'x', slice: 0, gold: 1 };
      const event: RunEvent = { ...names, label, run, verdict: run < 998 ? 1 : 0, tsMs: i };
      observe(family, event);
      naiveObserve(definitions, event);
    }
    assertClose(blockOf(family), naiveBlock(definitions));
  }
});
