import assert from 'node:assert/strict';
import { readBlock, readFamilyRow } from '../../src/scoring/family.ts';
import { test } from 'node:test';
import fc from 'fast-check';
import { toolCalls } from '../../src/scoring/tool-calls.ts';
import type { Joined } from '../../src/scoring/family.ts';
import { type JsonObject, jsonEqual } from '../../src/scoring/json.ts';
import type { Call } from '../../src/scoring/prediction.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { events, nested } from '../support/calls.ts';
import { joined } from '../support/joined.ts';
import { near } from '../support/near.ts';
import { mergeTallies, outcomeOf, tallyEvents, tallyOf } from '../support/tally.ts';

const rate = rateWith(z95);
const family = (threshold = 0.8) => toolCalls({ mode: 'spec', threshold });
const call = (name: string, args: JsonObject = {}) => ({ name, arguments: args });

function rowOf(event: Joined, threshold?: number): unknown {
  const scorer = family(threshold);
  const scored = outcomeOf(scorer, event);
  return scored && readFamilyRow(scorer, { outcome: scored.outcome, input: event, prepared: scored.prepared });
}

test('the worked example of the docstring', () => {
  const event = joined(
    { calls: [call('open'), call('search', { q: 1, n: 3 })] },
    { expected: [call('search', { q: 1, n: 2 }), call('open')] },
  );
  const half = { f1: 0.5, tp: 1, fp: 1, fn: 1 };
  assert.deepEqual(rowOf(event), { strict: half, flexible: half });
  assert.deepEqual(rowOf(event, 0.5), { strict: half, flexible: { f1: 1, tp: 2, fp: 0, fn: 0 } });
});

const malformed = joined({ calls: [{ name: 'a', arguments: undefined }] }, { expected: [call('a')] });
const nameless = joined({ calls: [{ name: undefined, arguments: {} }] }, { expected: [call('a')] });
const miss = { f1: 0, tp: 0, fp: 1, fn: 1 };
const hit = { f1: 1, tp: 1, fp: 0, fn: 0 };
const table: readonly [string, Joined, unknown][] = [
  ['truth without expected calls', joined({ calls: [call('a')] }, {}), undefined],
  ['calls not recorded', joined({ callsNotRecorded: true }, { expected: [call('a')] }), undefined],
  ['calls not recorded, nothing expected', joined({ callsNotRecorded: true }, { expected: [] }), undefined],
  ['nothing expected', joined({ calls: [call('a')] }, { expected: [] }), { skipped: true }],
  ['nothing expected, no calls', joined({}, { expected: [] }), { skipped: true }],
  [
    'no calls',
    joined({}, { expected: [call('a')] }),
    { strict: { f1: 0, tp: 0, fp: 0, fn: 1 }, flexible: { f1: 0, tp: 0, fp: 0, fn: 1 } },
  ],
  ['malformed arguments do not match {}', malformed, { strict: miss, flexible: miss }],
  ['a nameless call matches nothing', nameless, { strict: miss, flexible: miss }],
  [
    'equal calls with a null argument: strict only',
    joined({ calls: [call('a', { x: null })] }, { expected: [call('a', { x: null })] }),
    { strict: hit, flexible: miss },
  ],
  [
    'an extra argument: flexible only',
    joined({ calls: [call('a', { x: 1, y: 2 })] }, { expected: [call('a', { x: 1 })] }),
    { strict: miss, flexible: hit },
  ],
  [
    'an inherited name is no argument',
    joined({ calls: [call('a', { x: 1 })] }, { expected: [call('a', { toString: 1 })] }),
    { strict: miss, flexible: miss },
  ],
];

for (const [name, event, row] of table) test(name, () => assert.deepEqual(rowOf(event), row));

test('an event is perfect when both modes have no false positive and no false negative, or when it is skipped', () => {
  const scorer = family();
  const perfect = table.map(([, event]) => {
    const scored = outcomeOf(scorer, event);
    return scored && scorer.perfect(scored.outcome);
  });
  assert.deepEqual(perfect, [undefined, undefined, undefined, true, true, false, false, false, false, false, false]);
  const equal = joined({ calls: [call('a', { x: 1 })] }, { expected: [call('a', { x: 1 })] });
  assert.equal(scorer.perfect(outcomeOf(scorer, equal)!.outcome), true);
});

test('the block: null over nothing, null ratios at 0/0, keys in the order of the contract', () => {
  const scorer = family();
  assert.equal(readBlock(scorer, tallyOf(scorer).reader, rate), null);
  const empty = { f1: { value: null, sum: 0, count: 0 }, band: null, precision: null, recall: null, f1_pooled: null };
  const skipped = readBlock(scorer, tallyEvents(scorer, [joined({}, { expected: [] })]).reader, rate);
  const zero = { ...empty, tp: 0, fp: 0, fn: 0 };
  assert.equal(JSON.stringify(skipped), JSON.stringify({ strict: zero, flexible: zero, skipped: 1 }));
});

test('the band is read off the mean, lower bounds inclusive', () => {
  const scorer = family();
  const good = joined({ calls: [call('a')] }, { expected: [call('a')] });
  const bad = joined({ calls: [] }, { expected: [call('a')] });
  const bandOf = (events: readonly Joined[]) => {
    const block = readBlock(scorer, tallyEvents(scorer, events).reader, rate) as { strict: { band: unknown } };
    return block.strict.band;
  };
  const mix = (goods: number, bads: number) => [...Array(goods).fill(good), ...Array(bads).fill(bad)];
  assert.deepEqual([mix(9, 1), mix(89, 11), mix(7, 3), mix(5, 5), mix(49, 51)].map(bandOf), [
    'excellent',
    'good',
    'good',
    'fair',
    'poor',
  ]);
});

test('after every event the block is that of a naive batch over all events so far', () => {
  const thresholds = fc.constantFrom(-1, 0, 0.33, 0.5, 0.8, 1, 1.5);
  fc.assert(
    fc.property(fc.array(events, { maxLength: 12 }), thresholds, (list, threshold) => {
      const scorer = family(threshold);
      const memory = tallyOf(scorer);
      list.forEach((event, index) => {
        const scored = outcomeOf(scorer, event);
        if (scored) scorer.tally(scored.outcome, memory.tally);
        near(
          withoutBands(readBlock(scorer, memory.windowReader, rate)),
          naiveBlock(list.slice(0, index + 1), threshold),
        );
      });
    }),
    { numRuns: 300 },
  );
});

test('law: any order and any parts give the same tally', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 12 }), fc.nat(12), (list, cut) => {
      const scorer = family();
      const whole = tallyEvents(scorer, list).contents();
      assert.deepEqual(tallyEvents(scorer, [...list].reverse()).contents(), whole);
      const parts = [list.slice(cut), [], list.slice(0, cut)].map((part) => tallyEvents(scorer, part));
      assert.deepEqual(mergeTallies(scorer, parts).contents(), whole);
    }),
    { numRuns: 100 },
  );
});

test('hostile: 100,000 levels, 256 calls of one name on each side', () => {
  const started = process.cpuUsage();
  for (const kind of ['array', 'object'] as const) {
    const expected = [call('a', nested(100_000, 1, kind))];
    assert.deepEqual(rowOf(joined({ calls: [call('a', nested(100_000, 1, kind))] }, { expected })), {
      strict: hit,
      flexible: hit,
    });
    assert.deepEqual(rowOf(joined({ calls: [call('a', nested(100_000, 2, kind))] }, { expected })), {
      strict: miss,
      flexible: miss,
    });
  }
  const wide = (from: number) => Array.from({ length: 256 }, (_, i) => call('a', { x: 'same', y: from + i }));
  const none = { f1: 0, tp: 0, fp: 256, fn: 256 };
  assert.deepEqual(rowOf(joined({ calls: wide(1000) }, { expected: wide(0) })), { strict: none, flexible: none });
  const { user, system } = process.cpuUsage(started);
  assert.ok(user + system < 2e6, `${user + system} us of CPU`);
});

/** A plain sum of fractions may fall on the other side of a band's edge. */
function withoutBands(block: unknown): unknown {
  return block && JSON.parse(JSON.stringify(block, (key, value) => (key === 'band' ? undefined : value)));
}

/** The definition (docs/reference/scoring.md, "tool_calls") as it reads: fresh lists, plain sums; without the bands. */
function naiveBlock(list: readonly Joined[], threshold: number): unknown {
  const applicable = list.filter((event) => event.truth.expected !== undefined && !event.prediction.callsNotRecorded);
  if (applicable.length === 0) return null;
  const scored = applicable.filter((event) => event.truth.expected!.length > 0);
  const mode = (strict: boolean) => {
    let [sum, tp, fp, fn] = [0, 0, 0, 0];
    for (const { prediction, truth } of scored) {
      const actual = prediction.calls ?? [];
      const matches = naiveMatches(actual, truth.expected!, strict, threshold);
      sum += (2 * matches) / (actual.length + truth.expected!.length);
      tp += matches;
      fp += actual.length - matches;
      fn += truth.expected!.length - matches;
    }
    const value = scored.length === 0 ? null : sum / scored.length;
    return {
      f1: { value, sum, count: scored.length },
      precision: tp + fp === 0 ? null : tp / (tp + fp),
      recall: tp + fn === 0 ? null : tp / (tp + fn),
      f1_pooled: tp + fp + fn === 0 ? null : (2 * tp) / (2 * tp + fp + fn),
      tp,
      fp,
      fn,
    };
  };
  return { strict: mode(true), flexible: mode(false), skipped: applicable.length - scored.length };
}

function naiveMatches(
  actual: readonly Call[],
  references: readonly Call[],
  strict: boolean,
  threshold: number,
): number {
  const left = [...references];
  let matches = 0;
  for (const one of actual) {
    const similarities = left.map((reference) => naiveSimilarity(one, reference, strict));
    const best = Math.max(0, ...similarities);
    if (best > 0 && (strict ? best === 1 : best >= threshold)) {
      left.splice(similarities.indexOf(best), 1);
      matches++;
    }
  }
  return matches;
}

function naiveSimilarity(actual: Call, reference: Call, strict: boolean): number {
  if (actual.arguments === undefined || actual.name !== reference.name) return 0;
  if (strict) return jsonEqual(actual.arguments, reference.arguments) ? 1 : 0;
  const given = new Map(Object.entries(actual.arguments));
  const wanted = Object.entries(reference.arguments!);
  if (wanted.length === 0) return given.size === 0 ? 1 : 0.5;
  return wanted.filter(([key, value]) => value !== null && jsonEqual(given.get(key), value)).length / wanted.length;
}
