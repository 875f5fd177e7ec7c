import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventOf } from '../../support/event-reader.ts';
import { readInput } from '../../support/input.ts';

const answer = { id: 'r', choices: [{ message: { content: 'a' } }, { message: { content: 'b' } }] };

test('without truth, the choices of an answer that names no example are runs of one: its id', () => {
  const { events } = readInput(answer, { format: 'openai.chat', ownExamples: true });
  const found = events.map((_, at) => eventOf(events, at));
  assert.deepEqual(
    found.map(({ exampleId, run, eventId }) => [exampleId, run, eventId]),
    [
      ['r', 0, 'r#0'],
      ['r', 1, 'r#1'],
    ],
  );
});
