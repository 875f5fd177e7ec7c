import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inputReading } from '../../../src/formats/inputs/input.ts';
import { eventReader, recordOf } from '../../support/event-reader.ts';

const call = { tool_calls: [{ function: { name: 'f', arguments: '{}' } }] };
const words = { content: 'done' };
const answer = (message: object, created = 1_777_593_600, more: object = {}): object => ({
  example_id: 'q1',
  created,
  choices: [{ message }],
  ...more,
});

const rows: readonly (readonly [what: string, answers: readonly object[], steps: number])[] = [
  ['a call, a call, words', [answer(call), answer(call, 1_777_593_601), answer(words, 1_777_593_602)], 2],
  ['words, then a call', [answer(words), answer(call)], 0],
  ['more than a minute apart', [answer(call), answer(words, 1_777_593_661)], 0],
  ['of other models', [answer(call, undefined, { model: 'a' }), answer(words, undefined, { model: 'b' })], 0],
  ['with runs', [answer(call, undefined, { run: 0 }), answer(words, undefined, { run: 1 })], 0],
  [
    'native events',
    [
      { example_id: 'q1', ts: 0, tool_calls: [{ name: 'f' }] },
      { example_id: 'q1', output: 'x' },
    ],
    0,
  ],
];

for (const [what, answers, steps] of rows)
  test(`steps of a run as records of their own: ${what}`, () => {
    const input = inputReading({ format: 'auto', response: undefined, request: undefined, fields: {} });
    const reader = eventReader({ input, maxFutureMs: undefined });
    for (const one of answers) reader.read(recordOf(JSON.stringify(one)));
    const [notice] = reader.notices!();
    if (steps === 0) assert.equal(notice, undefined);
    else
      assert.match(
        notice!,
        new RegExp(`^${steps} answers follow an answer with a call .*, first of q1, .*runs\\.by: example`),
      );
  });
