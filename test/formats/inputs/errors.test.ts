import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf, rejectedOf } from '../../support/event-reader.ts';
import { readInput } from '../../support/input.ts';

const errors: readonly (readonly [string, object, string])[] = [
  ['Azure, a filter', { error: { message: 'filtered', type: null, code: 'content_filter', status: 400 } }, 'filtered'],
  ['OpenAI, a rate limit', { error: { message: 'Rate limit reached', type: 'requests' } }, 'Rate limit reached'],
  ['Google', { error: { code: 429, message: 'exhausted', status: 'RESOURCE_EXHAUSTED' } }, 'exhausted'],
  ['Anthropic', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'Overloaded'],
  ['an HTTP status', { status_code: 503, body: 'x' }, 'HTTP status 503'],
  [
    'a choice that was filtered before its message',
    { choices: [{ finish_reason: 'content_filter' }] },
    'content_filter',
  ],
];
for (const [what, answer, error] of errors)
  for (const format of ['auto', 'openai.chat', 'gemini'] as const)
    test(`an answer that is an error is an event, as ${format}: ${what}`, () => {
      if ('choices' in answer && format === 'gemini') return;
      const { events } = readInput({ example_id: 'e', response: answer }, { format, response: '/response' });
      const { prediction } = eventOf(events);
      assert.deepEqual([prediction.error, prediction.labelStatus], [error, 'missing']);
    });

test('a stream that begins with a comment is called a stream', () => {
  const { events } = readInput(': processing\n\ndata: {"choices":[]}', { format: 'auto' });
  assert.match(rejectedOf(events).detail, /is a stream of server-sent events/);
});
