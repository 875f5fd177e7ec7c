import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readerOf } from '../../../../src/config/settings.ts';
import { isRejected } from '../../../../src/stream/event.ts';
import { configOf } from '../../../support/configuration.ts';
import { anyForm, jsonOf, problemIn, withDoor } from '../../../support/door.ts';
import { recordOf } from '../../../support/event-reader.ts';
import { writers } from '../../../support/provider-forms.ts';

const native = {
  ...{ example_id: 'e', event_id: 'i', ts: '2026-05-01T00:00:00Z', model: 'm' },
  tool_calls: [{ name: 'get_weather', arguments: { city: 'Oslo', days: 2 } }],
};

const answers = Object.entries(writers).flatMap(([form, write]) => [
  { form, says: 'calls', answer: write(native.tool_calls, undefined) },
  { form, says: 'words', answer: write(undefined, 'Which city do you mean?') },
]);

for (const { form, says, answer: given } of answers)
  test(`an answer sent with a format is the same event for the log, which has many forms: ${form}, ${says}`, async (context) => {
    const config = configOf(context, {});
    const sent = JSON.stringify({ ...native, tool_calls: undefined, ...given });
    await withDoor(context, async ({ post, intake }) => {
      const read = async (path: string) => {
        intake.appended.length = 0;
        const answer = await post(path, sent);
        assert.deepEqual(jsonOf(answer), { accepted: 1, rejected: [] }, path);
        const { events } = readerOf(anyForm(config), true).read(recordOf(intake.appended[0]!.value!));
        const [event] = events;
        assert.ok(event !== undefined && !isRejected(event));
        const { given: _, oddities: __, ...rest } = event;
        return rest;
      };
      assert.deepEqual(await read(`/v1/events?format=${form}`), await read('/v1/events'));
    });
  });

test('a format that the log cannot be read by is refused', async (context) => {
  const cases: readonly (readonly [yaml: string, format: string, text: RegExp])[] = [
    ['', 'csv', /format: unknown value "csv"; known: auto, otlp, openai.chat/],
    [
      'input: {format: gemini}',
      'openai.chat',
      /the log is read as input says \(format gemini\); leave the parameter out/,
    ],
    ['input: {fields: {example_id: /id}}', 'openai.chat', /with places of its own/],
  ];
  for (const [yaml, format, text] of cases)
    await withDoor(
      context,
      async ({ post }) => {
        const answer = await post(`/v1/events?format=${format}`, '{}');
        assert.equal(answer.status, 400);
        assert.match(problemIn(answer), text);
      },
      { yaml },
    );
  await withDoor(context, async ({ post }) => {
    assert.match(problemIn(await post('/v1/events?form=x', '{}')), /unknown parameter "form"; known: format/);
    assert.match(problemIn(await post('/v1/events?format=auto&format=x', '{}')), /given more than once/);
    assert.match(problemIn(await post('/v1/truth?format=x', '{}')), /unknown parameter "format"; known: none/);
  });
});
