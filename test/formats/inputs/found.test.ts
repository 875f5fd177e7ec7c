import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InputOptions } from '../../../src/formats/inputs/input.ts';
import { isRejected } from '../../../src/stream/event.ts';
import { readInput } from '../../support/input.ts';

/* Where the answer of a record is found, and which of its calls are not read. */

const c = { city: 'Oslo' };
const tc = [{ id: 'x', type: 'function', function: { name: 'f', arguments: JSON.stringify(c) } }];
const user = { role: 'user', content: 'u' };
const called = { role: 'assistant', content: null, tool_calls: tc };
const tool = { role: 'tool', tool_call_id: 'x', content: 's' };
const said = { role: 'assistant', content: 'w' };
const choices = (message: object): object => ({ choices: [{ message }] });

type Found = readonly [calls: number, words: string | null, error: string | null, unread: string | null];

const rows: readonly (readonly [what: string, record: object, found: Found, options?: Partial<InputOptions>])[] = [
  [
    'words after a history',
    { messages: [user, called, tool, said, user], response: choices(said) },
    [0, 'w', null, null],
  ],
  ['a call after a history', { messages: [user, said, user], response: choices(called) }, [1, null, null, null]],
  [
    'a call in text after a history',
    { messages: [user], response: JSON.stringify(choices(called)) },
    [1, null, null, null],
  ],
  ['a message after a history', { messages: [user, said, user], completion: called }, [1, null, null, null]],
  ['a history under input', { input: [user, said, user], response: choices(called) }, [1, null, null, null]],
  ['a whole run with its user', { messages: [user, called, tool, said] }, [1, 'w', null, null]],
  ['an answer in the text of output', { output: JSON.stringify(choices(called)) }, [1, null, null, null]],
  [
    'calls in the text of output',
    { output: JSON.stringify({ role: 'assistant', tool_calls: tc }) },
    [1, null, null, null],
  ],
  ['JSON in the text of output', { output: '{"a":1}' }, [0, '{"a":1}', null, null]],
  ['a flat call beside words', { tool_name: 'f', tool_input: '{}', output: 'w' }, [0, 'w', null, '']],
  [
    'a list of actions beside words',
    choices({ ...said, tool_uses: [{ recipient_name: 'f', parameters: c }] }),
    [0, 'w', null, 'tool_uses'],
  ],
  [
    'a piece of a stream before the whole',
    {
      events: [true, false].map((partial) => ({
        partial,
        author: 'a',
        content: { role: 'model', parts: [{ function_call: { id: 'x', name: 'f', args: c } }] },
      })),
    },
    [1, null, null, null],
  ],
  ['a blocked request', { promptFeedback: { blockReason: 'SAFETY' } }, [0, null, null, null]],
  [
    'a failed response',
    { output: [], status: 'failed', error: { code: 'server_error' } },
    [0, null, '{"code":"server_error"}', null],
  ],
  [
    'a choice that is an error',
    { choices: [{ error: { message: 'x' }, message: { content: '' } }] },
    [0, '', '{"message":"x"}', null],
  ],
  [
    'one message of MCP',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'f', arguments: c } },
    [1, null, null, null],
  ],
  [
    'calls in text at a place',
    { pred: JSON.stringify(tc) },
    [1, null, null, null],
    { fields: { tool_calls: '/pred' } },
  ],
  ['one call at a place', { pred: tc[0] }, [1, null, null, null], { fields: { tool_calls: '/pred' } }],
  ['a node of a graph', { agent: { messages: [called] } }, [1, null, null, null]],
  [
    'steps of smolagents',
    { steps: [{ step_number: 1, tool_calls: tc, observations: 's', model_output_message: called }] },
    [1, null, null, null],
  ],
];

for (const [what, record, expected, options] of rows)
  test(what, () => {
    const [event] = readInput({ example_id: 'e', ...record }, options).events;
    assert.ok(event !== undefined && !isRejected(event), JSON.stringify(event));
    const { calls, output, error } = event.prediction;
    const words = output.kind === 'text' ? output.text : null;
    assert.deepEqual([calls?.length ?? 0, words, error ?? null, event.oddities?.unreadCall ?? null], expected);
  });

test('of several choices, none has a call that the others lack', () => {
  const { events } = readInput({ example_id: 'e', choices: [{ message: called }, { message: said }] });
  assert.deepEqual(
    events.map((event) => (isRejected(event) ? event : event.oddities?.unreadCall)),
    [undefined, undefined],
  );
});
