import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsOf, equalCalls, sameCalls } from '../../src/scoring/join.ts';
import type { Json } from '../../src/scoring/json.ts';
import { cannotAnswer, direct, invalid, labelCode, requestForInfo, toolCall } from '../../src/scoring/label.ts';
import type { Call } from '../../src/scoring/prediction.ts';
import { toolName } from '../../src/scoring/tool.ts';
import type { ExpectedCall } from '../../src/scoring/truth.ts';
import { joined } from '../support/joined.ts';

const one = { name: 'a', arguments: { x: [1] } };
const two = { name: 'b', arguments: {} };

const cases: readonly [string, readonly Call[] | undefined, readonly ExpectedCall[] | undefined, boolean][] = [
  ['equal in names and arguments', [{ name: 'a', arguments: { x: [1] } }, two], [one, two], true],
  ['both empty', [], [], true],
  ['no calls recorded', undefined, [], false],
  ['nothing expected recorded', [], undefined, false],
  ['a call too many', [one, two], [one], false],
  ['a call too few', [one], [one, two], false],
  ['another order', [two, one], [one, two], false],
  ['another name', [{ ...one, name: 'A' }], [one], false],
  ['no name', [{ ...one, name: undefined }], [one], false],
  ['other arguments', [{ name: 'a', arguments: { x: [2] } }], [one], false],
  ['malformed arguments', [{ name: 'b', arguments: undefined }], [two], false],
];

for (const [name, calls, expected, equal] of cases) {
  test(`calls are the same: ${name}`, () => {
    const event = joined({ calls }, { expected });
    assert.equal(sameCalls(event), equal);
    assert.equal(equalCalls(event), equal);
    // Several families ask for it, and it is worked out once.
    assert.equal(callsOf(event), callsOf(event));
    assert.deepEqual(callsOf(event), calls ?? []);
  });
}

test('calls whose keys are in another order are not the same: an order may count', () => {
  const expected = [{ name: 'a', arguments: { x: { k: 1, K: 2 } } }];
  const of = (x: Json) => sameCalls(joined({ calls: [{ name: 'a', arguments: { x } }] }, { expected }));
  assert.deepEqual([of({ k: 1, K: 2 }), of({ K: 2, k: 1 })], [true, false]);
});

test('the name of a tool in each form; undefined where it has none', () => {
  const tools = ['open', '', { name: 'open' }, { type: 'function', function: { name: 'open', parameters: {} } }];
  assert.deepEqual(tools.map(toolName), ['open', '', 'open', 'open']);
  const nameless = [
    7,
    null,
    ['open'],
    {},
    { name: 7 },
    { name: 'open', function: {} },
    { name: 'open', function: null },
  ];
  assert.deepEqual(new Set(nameless.map(toolName)), new Set([undefined]));
});

test('the code of a label, and of what is none', () => {
  const names = ['direct', 'tool_call', 'request_for_info', 'cannot_answer', 'invalid', 'Direct', ''];
  const codes = [direct, toolCall, requestForInfo, cannotAnswer, invalid, invalid, invalid];
  assert.deepEqual(names.map(labelCode), codes);
});

test('calls are equal, and not the same, with keys in another order', () => {
  const event = joined(
    { calls: [{ name: 'a', arguments: { y: 2, x: 1 } }] },
    { expected: [{ name: 'a', arguments: { x: 1, y: 2 } }] },
  );
  assert.deepEqual([sameCalls(event), equalCalls(event)], [false, true]);
});
