import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf, eventOf } from '../../support/event-reader.ts';
import { readInput } from '../../support/input.ts';

const answer = {
  id: 'r',
  object: 'response',
  output: [{ type: 'message', content: [{ type: 'output_text', text: 'x' }] }],
};
const delta = { role: 'assistant', tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] };

const pieces: readonly (readonly [what: string, record: object])[] = [
  ['OpenAI, chat', { object: 'chat.completion.chunk', choices: [{ index: 0, delta }] }],
  ['OpenAI, chat, words', { object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'It' } }] }],
  ['OpenAI, responses', { type: 'response.created', response: answer }],
  ['Anthropic', { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [] } }],
];

for (const [what, record] of pieces)
  test(`a piece of a stream is refused, whatever it holds: ${what}`, () => {
    assert.deepEqual(codesOf(readInput({ example_id: 'e', ...record }).events), ['schema']);
  });

test('the last piece of a stream that holds the whole answer is read', () => {
  const { events } = readInput({ example_id: 'e', type: 'response.completed', response: answer });
  assert.deepEqual(codesOf(events), ['']);
  assert.deepEqual(eventOf(events).prediction.output, { kind: 'text', text: 'x' });
});

test('an id that is a number is an id', () => {
  const chat = { id: 7, object: 'chat.completion', choices: [{ message: { content: 'x' } }] };
  assert.equal(eventOf(readInput({ example_id: 'e', ...chat }).events).eventId, '7');
});
