import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createDictionary } from '../../src/state/containers/dictionary.ts';
import { clearChanges } from '../../src/state/containers/table.ts';
import {
  addVerdict,
  createJudgePairs,
  createVerdictTable,
  evictVerdicts,
  type JudgePairs,
  type OneVerdict,
  restoreJudgePairs,
} from '../../src/state/judge-pairs.ts';
import { noLimitHits } from '../../src/state/limit-hits.ts';

const keepMs = 50;
const wide = { groups: 1_000, names: 1_000 };

function pairsWith({ groups, names }: { groups: number; names: number }): JudgePairs {
  const limits = { pending: 0, dedupeIds: 0, slices: 0, breakdowns: 0, attributions: 0, groups, names };
  return createJudgePairs({ keepGroupsMs: keepMs, limits }, noLimitHits(), createDictionary(), createVerdictTable());
}

const keyOf = (prediction: number): Uint32Array => Uint32Array.of(7, prediction, 7, 7);
const says = (by: string, passes = true): OneVerdict => ({ by, passes });

test('each verdict makes a pair with those of the other judges, by code unit of their names', () => {
  const pairs = pairsWith(wide);
  const add = (by: string, passes: boolean, prediction = 1) =>
    addVerdict(pairs, keyOf(prediction), 0, says(by, passes));
  assert.deepEqual(add('m', true), []);
  assert.deepEqual(add('z', false), [[says('m'), says('z', false)]]);
  assert.deepEqual(add('B', true), [
    [says('B'), says('m')],
    [says('B'), says('z', false)],
  ]);
  assert.deepEqual(add('z', true), [], 'a judge counts once');
  assert.deepEqual(add('z', true, 2), [], 'another prediction');
  assert.deepEqual(add('m', false, 2), [[says('m', false), says('z')]]);
});

test('a prediction is compared by its first four verdicts', () => {
  const pairs = pairsWith(wide);
  const counts = ['a', 'b', 'c', 'd', 'e', 'f', 'e', 'a'].map((by) => addVerdict(pairs, keyOf(1), 0, says(by)).length);
  assert.deepEqual(counts, [0, 1, 2, 3, 4, 4, 4, 0]);
});

test('at the limit of names a further judge is not compared, and that is counted', () => {
  const pairs = pairsWith({ ...wide, names: 2 });
  assert.deepEqual(
    ['a', 'b', 'c', 'b', 'a'].map((by) => addVerdict(pairs, keyOf(by === 'c' ? 2 : 1), 0, says(by)).length),
    [0, 1, 0, 0, 0],
  );
  assert.deepEqual({ ...pairs.limitHits }, { ...noLimitHits(), names: 1 });
  assert.deepEqual([pairs.table.size, pairs.names.list], [1, ['a', 'b']], 'nothing is kept of it');
});

interface Held {
  readonly ts: number;
  readonly verdicts: OneVerdict[];
}

const steps = fc.array(
  fc.record({
    prediction: fc.nat(6),
    by: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    passes: fc.boolean(),
    ts: fc.nat(100),
    after: fc.constantFrom('', '', '', 'evict', 'restore'),
  }),
  { maxLength: 60, size: 'max' },
);

test('verdicts are those of a list: the oldest prediction leaves at the limit, and those older than they are kept', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 8 }), (list, groups) => {
      let pairs = pairsWith({ ...wide, groups });
      const held = new Map<number, Held>();
      let reached = 0;
      for (const { prediction, by, passes, ts, after } of list) {
        if (!held.has(prediction) && held.size === groups) {
          // The least time; of equal times the least key.
          const oldest = [...held].sort(([one, a], [other, b]) => a.ts - b.ts || one - other)[0]!;
          held.delete(oldest[0]);
          reached++;
        }
        const { verdicts } = held.get(prediction) ?? { verdicts: [] as OneVerdict[] };
        const isKnown = verdicts.some((one) => one.by === by);
        const expected = isKnown ? [] : verdicts.map((one) => (one.by < by ? [one.by, by] : [by, one.by]));
        const found = addVerdict(pairs, keyOf(prediction), ts, { by, passes });
        assert.deepEqual(
          found.map((pair) => pair.map((one) => one.by)),
          expected,
        );
        const said = new Map([...verdicts, { by, passes }].map((one) => [one.by, one.passes]));
        for (const one of found.flat()) assert.equal(one.passes, said.get(one.by));
        if (!held.has(prediction)) held.set(prediction, { ts, verdicts });
        if (!isKnown && verdicts.length < 4) verdicts.push({ by, passes });
        if (after === 'evict') {
          evictVerdicts(pairs, ts + 10);
          for (const [one, { ts: since }] of held) if (since < ts + 10 - keepMs) held.delete(one);
        }
        if (after === 'restore') {
          const limits = { pending: 0, dedupeIds: 0, slices: 0, breakdowns: 0, attributions: 0, ...wide, groups };
          pairs = createJudgePairs({ keepGroupsMs: keepMs, limits }, pairs.limitHits, pairs.names, pairs.table);
          restoreJudgePairs(pairs);
        }
        assert.equal(pairs.table.size, held.size);
        assert.equal(pairs.byTime.size, held.size);
      }
      assert.equal(pairs.limitHits.stability_groups, reached);
    }),
  );
});

test('a further verdict on a prediction changes its row for the next checkpoint', () => {
  const pairs = pairsWith(wide);
  addVerdict(pairs, keyOf(1), 0, says('a'));
  clearChanges(pairs.table);
  addVerdict(pairs, keyOf(1), 0, says('b'));
  assert.equal(pairs.table.changes.rows.length, 1);
});
