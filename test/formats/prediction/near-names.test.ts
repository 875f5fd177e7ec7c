import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearName } from '../../../src/formats/prediction/near-names.ts';

const found = (event: unknown): string | undefined => {
  const near = nearName(event);
  return near && `${near.name} ${near.meant}`;
};

const table: readonly [object | string | null, string | undefined][] = [
  [{ toolCalls: [] }, 'toolCalls tool_calls'],
  [{ 'Tool-Calls': [] }, 'Tool-Calls tool_calls'],
  [{ tool_call: {} }, 'tool_call tool_calls'],
  [{ exampleID: 'a' }, 'exampleID example_id'],
  [{ lable: 'direct' }, 'lable label'],
  [{ Model: 'm' }, 'Model model'],
  [{ mode: 'x' }, 'mode model'],
  [{ mode: 'x', model: 'm' }, undefined],
  [{ mode: 'x', model: null }, 'mode model'],
  [{ label: 'direct', expected_tool_calls: [] }, 'expected_tool_calls tool_calls'],
  [{ tool_calls: [], expected_tool_calls: [] }, undefined],
  [{ agent_id: 'x' }, undefined],
  [{ id: 'x', t: 1, timestamp: 1, trace_id: 'y', metadata: {}, refused: true, '': 0 }, undefined],
  [{ [`tool_calls${'x'.repeat(1e6)}`]: 1 }, undefined],
  [JSON.parse('{"__proto__": {"toolCalls": 1}, "constructor": 1}'), undefined],
  ['toolCalls', undefined],
  [null, undefined],
];
test('names that are near to one that is read and absent', () => {
  for (const [event, wanted] of table) assert.equal(found(event), wanted, JSON.stringify(event)?.slice(0, 80));
});

test('more names than are cached do not change what is found', () => {
  for (let at = 0; at < 10_000; at++) nearName({ [`field ${at}`]: at });
  for (const [event, wanted] of table) assert.equal(found(event), wanted);
});
