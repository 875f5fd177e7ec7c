import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { called, fieldsOf, named, ok, root, runsOf, type Short, tool } from '../support/short-steps.ts';

/* Results and the calls that they are of. */

const callsIn = (given: object): readonly JsonObject[] => (given as { tool_calls: JsonObject[] }).tool_calls;

const pairs: readonly (readonly [what: string, Short[], Json])[] = [
  [
    'by the id of the call',
    [
      { at: 1, given: { tool_calls: [...callsIn(called('1', 'f')), ...callsIn(called('2', 'f'))] } },
      tool(2, ok('2', 'f', 'second')),
      tool(3, ok('1', 'f', 'first')),
    ],
    [
      { call: 0, ok: true, output: 'first' },
      { call: 1, ok: true, output: 'second' },
    ],
  ],
  [
    'by order among the unanswered calls of that name',
    [
      { at: 1, given: named('f', 'g', 'f') },
      tool(2, ok(undefined, 'f', '1')),
      tool(3, { name: 'f', ok: false, error: 'no' }),
    ],
    [
      { call: 0, ok: true, output: '1' },
      { call: 2, ok: false, error: 'no' },
    ],
  ],
  [
    'the span of a tool before the answer that repeats it',
    [
      { at: 1, given: called('1', 'f') },
      { at: 3, given: { ...called('2', 'f'), returned: [ok('1', 'f', 'repeated')] } },
      tool(2, ok(undefined, 'f', 'own')),
    ],
    [{ call: 0, ok: true, output: 'own' }],
  ],
  [
    'what only an answer repeats',
    [
      { at: 1, given: called('1', 'f') },
      { at: 2, given: { output: 'x', returned: [ok('1', 'f', 'repeated')] } },
    ],
    [{ call: 0, ok: true, output: 'repeated' }],
  ],
  [
    'by the name as well, where calls of two tools have one id',
    [
      { at: 1, given: { tool_calls: [...callsIn(called('1', 'f')), ...callsIn(called('1', 'g'))] } },
      tool(2, ok('1', 'g', 'of g')),
    ],
    [{ call: 1, ok: true, output: 'of g' }],
  ],
  ['a result of no call', [{ at: 1, given: named('f') }, tool(2, ok('9', 'g', 'x'))], undefined as unknown as Json],
];

for (const [what, steps, results] of pairs)
  test(`results are paired: ${what}`, () => {
    assert.deepEqual(fieldsOf(steps)['results'], results);
  });

test('a tool that names no example belongs to the call that its id names', () => {
  const steps = ['q1', 'q2'].map(
    (example, at): Short => ({ at, given: { ...called(`c${at}`, 'f'), example_id: example } }),
  );
  const runs = runsOf([root(9), ...steps, tool(2, ok('c1', 'f', 'x'))]);
  assert.deepEqual(
    runs.map(({ given }) => given['results']),
    [undefined, [{ call: 0, ok: true, output: 'x' }]],
  );
});
