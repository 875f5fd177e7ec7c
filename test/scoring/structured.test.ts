import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Joined, Mode } from '../../src/scoring/family.ts';
import { type Json, type JsonObject, jsonEqual } from '../../src/scoring/json.ts';
import type { Output } from '../../src/scoring/prediction.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { type StructuredOptions, structured } from '../../src/scoring/structured.ts';
import { nested } from '../support/calls.ts';
import { testFamilyLaws } from '../support/family-laws.ts';
import { naiveFields, pooled } from '../support/fields.ts';
import { joined } from '../support/joined.ts';
import { blockOf, isPerfect, rowOf } from '../support/scoring.ts';
import { outcomeOf } from '../support/tally.ts';
import { events } from '../support/track-events.ts';
import { runs } from '../support/soak.ts';

const rate = rateWith(z95);
const family = (emptyLeaves = false, mode: Mode = 'spec') => structured({ mode, emptyLeaves });

test('the worked example of the docstring', () => {
  const event = joined({ output: { kind: 'text', text: '{"a": 1, "b": 2, "c": 3}' } }, { reference: { a: 1, b: 9 } });
  const issues = ['missing_fields', 'extra_fields', 'value_mismatch'];
  assert.deepEqual(rowOf(family(), event), { json_valid: true, exact_match: false, tp: 1, fp: 2, fn: 1, issues });
  const block = blockOf(family(), [event])!;
  assert.deepEqual(block, {
    n: 1,
    json_valid_rate: rate(1, 1),
    exact_match_rate: rate(0, 1),
    precision: 1 / 3,
    recall: 1 / 2,
    f1: 2 / 5,
    tp: 1,
    fp: 2,
    fn: 1,
  });
});

const text = (value: string): Output => ({ kind: 'text', text: value });
const json = (value: Json): Output => ({ kind: 'json', value });
const absent: Output = { kind: 'absent' };

/** Output, reference, and the row in short. */
const table: readonly [string, Output, Json, string][] = [
  ['equal', text(' {"a": 1.0}\n'), { a: 1 }, 'valid exact 1/0/0'],
  ['equal JSON', json({ a: -0 }), { a: 0 }, 'valid exact 1/0/0'],
  ['a text is parsed', text('"x"'), 'x', 'valid exact 1/0/0'],
  ['a bare text is no JSON', text('x'), 'x', '- - 0/0/1 prediction_not_valid_json'],
  ['no output', absent, { a: 1, b: 2 }, '- - 0/0/2 prediction_not_valid_json'],
  ['not the whole text', text('{"a": 1} '.repeat(2)), { a: 1 }, '- - 0/0/1 prediction_not_valid_json'],
  ['not JSON', text('NaN'), { a: 1 }, '- - 0/0/1 prediction_not_valid_json'],
  ['null', text('null'), 1, 'valid - 0/1/1 missing_fields extra_fields value_mismatch'],
  ['types are strict', json({ a: true }), { a: 1 }, 'valid - 0/1/1 missing_fields extra_fields value_mismatch'],
  ['a missing field', json({ a: 1 }), { a: 1, b: 2 }, 'valid - 1/0/1 missing_fields'],
  ['an extra field', json({ a: 1, b: null }), { a: 1 }, 'valid - 1/1/0 extra_fields'],
  ['disjoint', json([1]), { a: 1 }, 'valid - 0/1/1 missing_fields extra_fields'],
  ['nothing to compare', json({}), [], 'valid - 0/0/0'],
  ['the same paths', json({ 'a.b': 1 }), { a: { b: 1 } }, 'valid - 1/0/0'],
  ['a scalar and a key $', json(5), { $: 5 }, 'valid - 1/0/0'],
  [
    'exact, though the last leaf of a path is another one',
    json({ 'a.b': 1, a: { b: 2 } }),
    { a: { b: 2 }, 'a.b': 1 },
    'valid exact 0/1/1',
  ],
];
test('rows', () => {
  for (const [name, output, reference, wanted] of table) {
    assert.equal(short(rowOf(family(), joined({ output }, { reference }))), wanted, name);
    const noCalls = joined({ output, callsNotRecorded: true, error: undefined }, { reference });
    assert.equal(short(rowOf(family(), noCalls)), wanted, `${name}, calls not recorded`);
  }
  assert.equal(rowOf(family(), joined({ output: json(1) }, {})), undefined);
  assert.equal(
    short(rowOf(family(true), joined({ output: json({ a: {} }) }, { reference: { a: [] } }))).slice(8, 13),
    '0/1/1',
  );
});

function short(row: JsonObject | undefined): string {
  assert.ok(row);
  const flags = [row['json_valid'] ? 'valid' : '-', row['exact_match'] ? 'exact' : '-'];
  return [...flags, `${row['tp']}/${row['fp']}/${row['fn']}`, ...(row['issues'] as string[])].join(' ');
}

testFamilyLaws({
  family: structured,
  options: fc.record({ mode: fc.constantFrom<Mode>('spec', 'upstream'), emptyLeaves: fc.boolean() }),
  events,
  oracle: definition,
  oracleRuns: 200,
});

/** The definition (docs/reference/scoring.md, "structured") over the whole set at once, with path strings. */
function definition(all: readonly Joined[], { emptyLeaves }: StructuredOptions): unknown {
  const pairs = all
    .filter(({ truth }) => truth.reference !== undefined)
    .map(({ prediction, truth }) => ({ given: answerOf(prediction.output), wanted: truth.reference! }));
  const n = pairs.length;
  if (n === 0) return null;
  return {
    n,
    json_valid_rate: rate(pairs.filter(({ given }) => given !== undefined).length, n),
    exact_match_rate: rate(pairs.filter(({ given, wanted }) => jsonEqual(given, wanted)).length, n),
    ...pooled(pairs.map(({ given, wanted }) => naiveFields(given, wanted, emptyLeaves))),
  };
}

function answerOf(output: Output): Json | undefined {
  if (output.kind !== 'text') return output.kind === 'json' ? output.value : undefined;
  try {
    return JSON.parse(output.text) as Json;
  } catch {
    return undefined;
  }
}

test('issues say what the sets of paths say', () => {
  fc.assert(
    fc.property(events, fc.boolean(), (event, emptyLeaves) => {
      const row = rowOf(family(emptyLeaves), event);
      if (row === undefined) return assert.equal(event.truth.reference, undefined);
      const answer = answerOf(event.prediction.output);
      const { fp, fn, differing } = naiveFields(answer, event.truth.reference!, emptyLeaves);
      const wanted = [fn > 0 && 'missing_fields', fp > 0 && 'extra_fields', differing > 0 && 'value_mismatch'];
      const exact = jsonEqual(answer, event.truth.reference);
      const issues = answer === undefined ? ['prediction_not_valid_json'] : exact ? [] : wanted.filter(Boolean);
      assert.deepEqual(row['issues'], issues);
      assert.equal(isPerfect(family(emptyLeaves), event), exact);
      assert.equal(family(emptyLeaves).verdict!.of(outcomeOf(family(emptyLeaves), event)!.outcome), exact);
    }),
    { numRuns: runs(200) },
  );
});

test('hostile values do no harm', () => {
  const deep = nested(100_000, 1, 'array');
  const body = `{"d":${'['.repeat(100_000)}1${']'.repeat(100_000)}}`;
  assert.equal(short(rowOf(family(), joined({ output: text(body) }, { reference: deep }))), 'valid exact 1/0/0');
  assert.equal(short(rowOf(family(), joined({ output: text(body) }, { reference: { '': deep } }))), 'valid - 1/0/0');
  for (const odd of ['{"__proto__": {"a": 1}}', '{"constructor": null}', '"\\ud800"']) {
    const reference = JSON.parse(odd) as Json;
    assert.equal(short(rowOf(family(), joined({ output: text(odd) }, { reference }))), 'valid exact 1/0/0');
    assert.equal(short(rowOf(family(), joined({ output: text('{}') }, { reference }))), 'valid - 0/0/1 missing_fields');
  }
});
