import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { totalId } from '../../src/formats/summary/live-document.ts';
import { facetNames, facetsOf, filterOf, kindsOf } from '../../src/formats/summary/failure-facts.ts';
import type { Failure } from '../../src/formats/summary/failure.ts';
import { createWorld } from '../support/page-world.ts';
import { runs } from '../support/soak.ts';

const world = createWorld({ models: ['a', 'b', 'c'], durationMs: 20_000, rate: 60, samples: 200 });
const { failures, kept } = world.document({ slice: 'model', window: 'all', focus: totalId, since: undefined });

test('a filter by a value finds as many failures as the value is said to have', () => {
  const facets = facetsOf(failures);
  assert.ok(
    facets.kind.length > 5 && facets.tool.length > 5 && facets.argument.length > 5 && facets.value.length === 6,
  );
  for (const field of facetNames)
    for (const { name, count } of facets[field])
      assert.equal(failures.filter(filterOf({ [field]: name })!).length, count, `${field} ${name}`);
  assert.ok(kept!.count >= failures.length);
});

test('several values must all fit, and a text is found in any case, in every place that the page shows', () => {
  const facets = facetsOf(failures);
  const optional = (field: (typeof facetNames)[number]) =>
    fc.option(fc.constantFrom(...facets[field].map(({ name }) => name)), { nil: undefined });
  const filters = fc.record({ kind: optional('kind'), tool: optional('tool'), value: optional('value') });
  const alone = (failure: Failure, filter: object): boolean =>
    Object.entries(filter).every(([field, name]) => name === undefined || filterOf({ [field]: name })!(failure));
  fc.assert(
    fc.property(filters, (filter) => {
      const fits = filterOf(filter) ?? (() => true);
      assert.deepEqual(
        failures.map(fits),
        failures.map((failure) => alone(failure, filter)),
      );
    }),
    { numRuns: runs(20) },
  );
  const [first] = failures;
  for (const text of [first!.example_id.toUpperCase(), first!.slice['model']!, kindsOf(first!)[0]!.toUpperCase()])
    assert.ok(filterOf({ text: ` ${text} ` })!(first!), text);
  assert.equal(filterOf({ text: 'no such text' })!(first!), false);
  assert.equal(filterOf({ text: ' ' }), undefined);
});

test('kinds are told in words, each once', () => {
  const none = {
    families: [],
    gold: null,
    predicted: null,
    hallucinations: [],
    faults: [],
    errors: [],
    calls: [],
    error: null,
  };
  const call = { expected_at: 1, actual_at: 1, malformed: false, fields: [], more_fields: 0 };
  const error = { tool: 't', path: 'p', expected: '1', actual: '2', rule: null };
  const cases: readonly [object, readonly string[]][] = [
    [{}, []],
    [{ gold: 'direct', predicted: 'tool_call' }, ['wrong decision']],
    [{ gold: 'direct', predicted: 'direct' }, []],
    [
      { hallucinations: ['tool', 'param', 'unknown_tool'], faults: [{ rate: 'unknown_tool', text: '' }] },
      ['tool hallucination', 'parameter hallucination', 'invented tool'],
    ],
    [
      {
        faults: [
          { rate: 'failed', text: '' },
          { rate: 'failed', text: 'x' },
        ],
      },
      ['failed call'],
    ],
    [{ faults: [{ rate: 'a_new_rate', text: '' }] }, ['a new rate']],
    [{ calls: [{ ...call, expected: 'f', actual: null, actual_at: null }] }, ['missing call']],
    [{ gold: 'direct', calls: [{ ...call, expected: null, actual: 'f' }] }, ['extra call']],
    [{ calls: [{ ...call, expected: null, actual: 'f' }] }, []],
    [{ families: ['match'], calls: [{ ...call, expected: null, actual: 'f' }] }, ['extra call']],
    [
      {
        errors: [
          { ...error, error: 'wrong_type' },
          { ...error, error: 'missing_argument' },
        ],
        error: 'boom',
      },
      ['wrong type', 'missing argument', 'error of the agent'],
    ],
  ];
  for (const [given, kinds] of cases) assert.deepEqual(kindsOf({ ...none, ...given } as unknown as Failure), kinds);
});
