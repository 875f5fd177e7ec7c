import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callOf } from '../../../src/formats/calls/calls.ts';
import { contentOf, readSteps } from '../../../src/formats/messages/steps.ts';
import { codesOf, eventOf } from '../../support/event-reader.ts';
import { readInput } from '../../support/input.ts';
import { dialects, mixed, type Run } from '../../support/run-dialects.ts';

/* Whole runs in one record (docs/reference/inputs.md, "Lists of messages"). */

const run: Run = {
  calls: [
    { name: 'find', arguments: { city: 'Oslo' }, result: { ok: true, text: 'three hits' } },
    { name: 'find', arguments: { city: 'Bergen', n: 2 }, result: { ok: false, text: 'no such city' } },
    { name: 'book', arguments: {} },
  ],
  words: 'It is booked.',
};
const user = { role: 'user', content: 'find me one' };
const places: Readonly<Record<string, (list: readonly object[]) => object>> = {
  '/messages': (messages) => ({ messages }),
  '/steps': (steps) => ({ steps }),
  '/output': (output) => ({ output }),
  '/input and /output': (output) => ({ input: [user], output }),
  'a place of its own': (list) => ({ trace: { run: list } }),
  'a text': (list) => ({ log: JSON.stringify(list) }),
};

for (const [name, write] of [...Object.entries(dialects), ['mixed', mixed] as const])
  describe(name, () => {
    test('calls, results and words', () => {
      const steps = readSteps([user, ...write(run)], { isAnswer: false });
      const { tool_calls: calls, results, output, refused, error } = contentOf(steps);
      assert.deepEqual(
        calls?.map(callOf),
        run.calls.map(({ name: tool, arguments: given }) => ({ name: tool, arguments: given })),
      );
      assert.deepEqual(
        results?.map(({ call, ok }) => [call, ok]),
        [
          [0, true],
          [1, false],
        ],
      );
      assert.deepEqual([output, refused, error, steps.unread], [run.words, false, undefined, undefined]);
    });

    for (const [place, wrap] of Object.entries(places))
      test(`at ${place}`, () => {
        const { events } = readInput({ example_id: 'e', ...wrap(write(run)) });
        assert.deepEqual(codesOf(events), ['']);
        const { prediction, oddities } = eventOf(events);
        assert.equal(prediction.calls?.length, 3);
        assert.deepEqual(prediction.output, { kind: 'text', text: run.words });
        assert.equal(oddities, undefined);
      });
  });

test('a list of messages alone is one run, whose id is the key of the record', () => {
  const { events } = readInput([user, ...dialects['OpenAI chat']!(run)], { fields: { example_id: '=e' } });
  assert.deepEqual([events.length, eventOf(events).prediction.calls?.length], [1, 3]);
});

test('an array of answers of a provider is a record each', () => {
  const answer = { example_id: 'e', choices: [{ message: { role: 'assistant', content: 'x' } }] };
  assert.equal(readInput([answer, answer]).events.length, 2);
});

for (const name of ['OpenAI chat', 'Anthropic', 'Gemini', 'pydantic-ai'])
  test(`${name}: split at the messages of the user, each turn is a run`, () => {
    const again =
      name === 'pydantic-ai' ? { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'more' }] } : user;
    const list = [user, ...dialects[name]!(run), again, ...dialects[name]!({ calls: [], words: 'Yes.' })];
    const { events } = readInput({ example_id: 'e', run: 7, messages: list }, { splitsRuns: true });
    const turns = [eventOf(events, 0), eventOf(events, 1)];
    assert.equal(events.length, 2);
    assert.deepEqual(
      turns.map(({ run: index, prediction }) => [index, prediction.calls?.length]),
      [
        [0, 3],
        [1, undefined],
      ],
    );
  });
