import assert from 'node:assert/strict';
import { readBlock, readFamilyRow } from '../../src/scoring/family.ts';
import { test } from 'node:test';
import fc from 'fast-check';
import { structured } from '../../src/scoring/structured.ts';
import type { Joined, Mode } from '../../src/scoring/family.ts';
import { type Json, type JsonObject, jsonEqual } from '../../src/scoring/json.ts';
import type { Output } from '../../src/scoring/prediction.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { nested } from '../support/calls.ts';
import { naiveFields, pooled } from '../support/fields.ts';
import { joined } from '../support/joined.ts';
import { mergeTallies, outcomeOf, tallyEvents } from '../support/tally.ts';
import { events } from '../support/track-events.ts';

const rate = rateWith(z95);
const family = (emptyLeaves = false, mode: Mode = 'spec') => structured({ mode, emptyLeaves });

function rowOf(event: Joined, emptyLeaves = false): JsonObject | undefined {
  const scorer = family(emptyLeaves);
  const scored = outcomeOf(scorer, event);
  return (
    scored &&
    (readFamilyRow(scorer, { outcome: scored.outcome, input: event, prepared: scored.prepared }) as JsonObject)
  );
}

test('the worked example of the docstring', () => {
  const event = joined({ output: { kind: 'text', text: '{"a": 1, "b": 2, "c": 3}' } }, { reference: { a: 1, b: 9 } });
  const issues = ['missing_fields', 'extra_fields', 'value_mismatch'];
  assert.deepEqual(rowOf(event), { json_valid: true, exact_match: false, tp: 1, fp: 2, fn: 1, issues });
  const block = readBlock(family(), tallyEvents(family(), [event]).reader, rate)!;
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
    assert.equal(short(rowOf(joined({ output }, { reference }))), wanted, name);
    const noCalls = joined({ output, callsNotRecorded: true, error: undefined }, { reference });
    assert.equal(short(rowOf(noCalls)), wanted, `${name}, calls not recorded`);
  }
  assert.equal(rowOf(joined({ output: json(1) }, {})), undefined);
  assert.equal(short(rowOf(joined({ output: json({ a: {} }) }, { reference: { a: [] } }), true)).slice(8, 13), '0/1/1');
});

function short(row: JsonObject | undefined): string {
  assert.ok(row);
  const flags = [row['json_valid'] ? 'valid' : '-', row['exact_match'] ? 'exact' : '-'];
  return [...flags, `${row['tp']}/${row['fp']}/${row['fn']}`, ...(row['issues'] as string[])].join(' ');
}

test('after every event the reading equals a computation over all events so far', () => {
  const shapes = fc.tuple(fc.constantFrom<Mode>('spec', 'upstream'), fc.boolean());
  fc.assert(
    fc.property(fc.array(events, { maxLength: 6 }), shapes, (all, [mode, emptyLeaves]) => {
      const scorer = family(emptyLeaves, mode);
      for (let end = 0; end <= all.length; end++) {
        const some = all.slice(0, end);
        assert.deepEqual(readBlock(scorer, tallyEvents(scorer, some).reader, rate), naive(some, emptyLeaves));
      }
    }),
    { numRuns: 1500 },
  );
});

/** Metrics.md section 7 over the whole set at once, with path strings. */
function naive(all: readonly Joined[], emptyLeaves: boolean): unknown {
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
      const row = rowOf(event, emptyLeaves);
      if (row === undefined) return assert.equal(event.truth.reference, undefined);
      const answer = answerOf(event.prediction.output);
      const { fp, fn, differing } = naiveFields(answer, event.truth.reference!, emptyLeaves);
      const wanted = [fn > 0 && 'missing_fields', fp > 0 && 'extra_fields', differing > 0 && 'value_mismatch'];
      const exact = jsonEqual(answer, event.truth.reference);
      const issues = answer === undefined ? ['prediction_not_valid_json'] : exact ? [] : wanted.filter(Boolean);
      assert.deepEqual(row['issues'], issues);
      const scored = outcomeOf(family(emptyLeaves), event)!;
      assert.equal(family(emptyLeaves).perfect(scored.outcome), exact);
    }),
    { numRuns: 1000 },
  );
});

test('order and grouping do not matter', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 8 }), fc.nat(8), (all, cut) => {
      const whole = tallyEvents(family(), all).contents();
      assert.deepEqual(tallyEvents(family(), [...all].reverse()).contents(), whole);
      const parts = [all.slice(0, cut), all.slice(cut)].map((part) => tallyEvents(family(), part));
      assert.deepEqual(mergeTallies(family(), parts.reverse()).contents(), whole);
    }),
  );
});

test('hostile values do no harm', () => {
  const deep = nested(100_000, 1, 'array');
  const body = `{"d":${'['.repeat(100_000)}1${']'.repeat(100_000)}}`;
  assert.equal(short(rowOf(joined({ output: text(body) }, { reference: deep }))), 'valid exact 1/0/0');
  assert.equal(short(rowOf(joined({ output: text(body) }, { reference: { '': deep } }))), 'valid - 1/0/0');
  for (const odd of ['{"__proto__": {"a": 1}}', '{"constructor": null}', '"\\ud800"']) {
    const reference = JSON.parse(odd) as Json;
    assert.equal(short(rowOf(joined({ output: text(odd) }, { reference }))), 'valid exact 1/0/0');
    assert.equal(short(rowOf(joined({ output: text('{}') }, { reference }))), 'valid - 0/0/1 missing_fields');
  }
});
