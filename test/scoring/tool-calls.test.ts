import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Joined } from '../../src/scoring/family.ts';
import { type JsonObject, jsonEqual } from '../../src/scoring/json.ts';
import type { Call } from '../../src/scoring/prediction.ts';
import { toolCalls } from '../../src/scoring/tool-calls.ts';
import { events, nested } from '../support/calls.ts';
import { testFamilyLaws } from '../support/family-laws.ts';
import { joined } from '../support/joined.ts';
import { near } from '../support/near.ts';
import { blockOf, isPerfect, rowOf } from '../support/scoring.ts';
import { tallyEvents } from '../support/tally.ts';

const family = (threshold = 0.8) => toolCalls({ mode: 'spec', threshold });
const call = (name: string, args: JsonObject = {}) => ({ name, arguments: args });

test('the worked example of the docstring', () => {
  const event = joined(
    { calls: [call('open'), call('search', { q: 1, n: 3 })] },
    { expected: [call('search', { q: 1, n: 2 }), call('open')] },
  );
  const half = { f1: 0.5, tp: 1, fp: 1, fn: 1 };
  assert.deepEqual(rowOf(family(), event), { strict: half, flexible: half });
  assert.deepEqual(rowOf(family(0.5), event), { strict: half, flexible: { f1: 1, tp: 2, fp: 0, fn: 0 } });
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
    'a call too many',
    joined({ calls: [call('a'), call('b')] }, { expected: [call('a')] }),
    { strict: { f1: 2 / 3, tp: 1, fp: 1, fn: 0 }, flexible: { f1: 2 / 3, tp: 1, fp: 1, fn: 0 } },
  ],
  [
    'an inherited name is no argument',
    joined({ calls: [call('a', { x: 1 })] }, { expected: [call('a', { toString: 1 })] }),
    { strict: miss, flexible: miss },
  ],
];

for (const [name, event, row] of table) test(name, () => assert.deepEqual(rowOf(family(), event), row));

test('an event is perfect when both modes have no false positive and no false negative, or when it is skipped', () => {
  const perfect = table.map(([, event]) => isPerfect(family(), event));
  assert.deepEqual(perfect, [undefined, undefined, undefined, true, true, ...Array(7).fill(false)]);
  const equal = joined({ calls: [call('a', { x: 1 })] }, { expected: [call('a', { x: 1 })] });
  assert.equal(isPerfect(family(), equal), true);
});

test('a truth row of 100,000 expected calls is scored', () => {
  const expected = Array.from({ length: 100_000 }, (_, i) => call('a', { x: i }));
  const { strict } = rowOf(family(), joined({ calls: [call('a', { x: 99_999 })] }, { expected })) as {
    strict: unknown;
  };
  assert.deepEqual(strict, { f1: 2 / 100_001, tp: 1, fp: 0, fn: 99_999 });
});

test('counters tell of calls predicted, expected and matched, by mode', () => {
  const event = joined(
    { calls: [call('a', { x: 1, y: 2 }), call('b'), call('c')] },
    { expected: [call('a', { x: 1 })] },
  );
  const sums = family().sums(tallyEvents(family(), [event]).reader);
  const told = family().counters.map(({ name, series }) => [name, ...series.map(({ of }) => of(sums))]);
  assert.deepEqual(told, [
    ['calls_predicted', 3, 3],
    ['calls_reference', 1, 1],
    ['calls_matched', 0, 1],
  ]);
});

test('the block: null over nothing, null ratios at 0/0, keys in the order of the contract', () => {
  assert.equal(blockOf(family(), []), null);
  const empty = { f1: { value: null, sum: 0, count: 0 }, band: null, precision: null, recall: null, f1_pooled: null };
  const skipped = blockOf(family(), [joined({}, { expected: [] })]);
  const zero = { ...empty, tp: 0, fp: 0, fn: 0 };
  assert.equal(JSON.stringify(skipped), JSON.stringify({ strict: zero, flexible: zero, skipped: 1 }));
});

test('the band is read off the mean, lower bounds inclusive', () => {
  const good = joined({ calls: [call('a')] }, { expected: [call('a')] });
  const bad = joined({ calls: [] }, { expected: [call('a')] });
  const bandOf = (events: readonly Joined[]) => {
    const block = blockOf(family(), events) as { strict: { band: unknown } };
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

testFamilyLaws({
  family,
  options: fc.constantFrom(-1, 0, 0.33, 0.5, 0.8, 1, 1.5),
  events,
  oracle: definition,
  oracleRuns: 100,
  compare: (block, defined) => near(withoutBands(block), defined),
});

test('hostile: 100,000 levels, 256 calls of one name on each side', () => {
  for (const kind of ['array', 'object'] as const) {
    const expected = [call('a', nested(100_000, 1, kind))];
    assert.deepEqual(rowOf(family(), joined({ calls: [call('a', nested(100_000, 1, kind))] }, { expected })), {
      strict: hit,
      flexible: hit,
    });
    assert.deepEqual(rowOf(family(), joined({ calls: [call('a', nested(100_000, 2, kind))] }, { expected })), {
      strict: miss,
      flexible: miss,
    });
  }
  const wide = (from: number) => Array.from({ length: 256 }, (_, i) => call('a', { x: 'same', y: from + i }));
  const none = { f1: 0, tp: 0, fp: 256, fn: 256 };
  assert.deepEqual(rowOf(family(), joined({ calls: wide(1000) }, { expected: wide(0) })), {
    strict: none,
    flexible: none,
  });
});

/** A plain sum of fractions may fall on the other side of a band's edge. */
function withoutBands(block: unknown): unknown {
  return block && JSON.parse(JSON.stringify(block, (key, value) => (key === 'band' ? undefined : value)));
}

/** The definition (docs/reference/scoring.md, "tool_calls") as it reads: fresh lists, plain sums; without the bands. */
function definition(list: readonly Joined[], threshold: number): unknown {
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
