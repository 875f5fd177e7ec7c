import type { JsonObject } from '../../src/scoring/json.ts';
import { writers } from './provider-forms.ts';
import { dialects, type Run } from './run-dialects.ts';

const calls = [
  { name: 'find', arguments: { city: 'Oslo', days: 2 } },
  { name: 'book', arguments: { nights: [1, 2] } },
];
const run: Run = { calls: calls.map((call) => ({ ...call, result: { ok: true, text: 'done' } })), words: undefined };

/** Records of each form with two calls, and with words alone. */
export const answerRecords: readonly (readonly [string, JsonObject])[] = [
  ['native', { example_id: 'e', tool_calls: calls }],
  ['native, words', { example_id: 'e', output: 'It rains.' }],
  ...Object.entries(writers).flatMap(([name, write]) => [
    [name, { example_id: 'e', ...write(calls, undefined) }] as const,
    [`${name}, words`, { example_id: 'e', ...write(undefined, 'It rains.') }] as const,
  ]),
  ...Object.entries(dialects).flatMap(([name, write]) => [
    [`run of ${name}`, { example_id: 'e', messages: write(run) }] as const,
    [`run of ${name}, words`, { example_id: 'e', messages: write({ calls: [], words: 'It rains.' }) }] as const,
  ]),
  ['Vercel AI SDK', { example_id: 'e', finishReason: 'tool-calls', toolCalls: calls.map(vercel), text: '' }],
  [
    'DeepEval',
    { example_id: 'e', tools_called: calls.map((call) => ({ name: call.name, input_parameters: call.arguments })) },
  ],
].map(([name, record]) => [name as string, JSON.parse(JSON.stringify(record)) as JsonObject]);

function vercel(call: (typeof calls)[number]): object {
  return { type: 'tool-call', toolCallId: call.name, toolName: call.name, input: call.arguments };
}
