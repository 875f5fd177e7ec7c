import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callsEqual } from '../../src/scoring/join.ts';
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
  test(`calls are equal: ${name}`, () => {
    const event = joined({ calls }, { expected });
    assert.equal(callsEqual(event), equal);
    // It is asked by several families, and worked out once.
    assert.equal(event.equal, equal);
    assert.equal(callsEqual({ ...event, equal: !equal }), !equal);
  });
}

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
