import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skippedIn } from '../../support/otlp.ts';
import { folded } from '../../support/trace-runs.ts';
import { readSpans, spanWith, stepOf } from '../../support/step-reader.ts';

/* Several output messages of one span: alternatives, or pieces of one answer. */

const words = { type: 'text', content: 'I look it up.' };
const call = { type: 'tool_call', id: 'c1', name: 'find', arguments: { q: 'x' } };

function readMessages(...messages: readonly (readonly [reason: string, ...parts: object[]])[]) {
  const output = messages.map(([reason, ...parts]) => ({ role: 'assistant', parts, finish_reason: reason }));
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.output.messages': JSON.stringify(output) };
  const read = readSpans([spanWith(attributes)]);
  const { tool_calls: calls, output: text, unfinished } = stepOf(read).given;
  return [calls === undefined ? undefined : (calls as []).length, text, unfinished, skippedIn(read, 'choices_ignored')];
}

test('messages that all stopped for calls, of which one has none, are pieces of one answer', () => {
  assert.deepEqual(readMessages(['tool_calls', words], ['tool_calls', call]), [1, words.content, undefined, 0]);
  assert.deepEqual(readMessages(['tool_call', call], ['tool_call', words], ['tool_call', call]).slice(0, 1), [2]);
});

test('other messages are alternatives, of which the first counts', () => {
  assert.deepEqual(readMessages(['stop', words], ['stop', words]), [undefined, words.content, undefined, 1]);
  assert.deepEqual(readMessages(['tool_calls', call], ['tool_calls', call]).slice(0, 1), [1]);
});

test('an answer that was cut off is unfinished', () => {
  assert.deepEqual(readMessages(['length', words]), [undefined, words.content, true, 0]);
});

test('a conversation on the span of an agent ends in its words', () => {
  const conversation = [
    { role: 'assistant', parts: [call] },
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'Error: no' }] },
    { role: 'assistant', parts: [{ type: 'text', content: 'Found.' }] },
  ];
  const has = {
    'gen_ai.operation.name': 'invoke_agent',
    'assay.example_id': 'q',
    'gen_ai.output.messages': JSON.stringify(conversation),
  };
  const { runs } = folded([[{ id: 'agent', has }]]);
  assert.deepEqual(
    runs.map(({ output, unfinished, results }) => [output, unfinished, (results as [{ ok: boolean }])[0].ok]),
    [['Found.', undefined, false]],
  );
});
