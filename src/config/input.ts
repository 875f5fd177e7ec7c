import * as z from 'zod';
import { choice, key, list } from './fields.ts';

const format = (meaning: string) =>
  key(
    choice(
      'assay',
      'auto',
      'openai.chat',
      'openai.responses',
      'anthropic.messages',
      'gemini',
      'bedrock.converse',
      'cohere.chat',
      'langchain',
      'messages',
      'otlp',
      'mapping',
    ).optional(),
    'openai.chat',
    meaning,
  );

const pointerForm = 'is no JSON Pointer; write it as /response/body';
const pointer = z.string({ error: pointerForm }).regex(/^\//, { error: pointerForm });

const placeForm = 'is no place; write /json/pointer, key, header:NAME, attribute:NAME or =TEXT';
const place = z.string({ error: placeForm }).regex(/^(\/|(header|attribute):[\s\S]|=|key$)/, { error: placeForm });

const fieldForm =
  'is no field of an event; fields are example_id, event_id, ts, model, agent, run, label, tool_calls, tools, output, error, success, tags and tags.<name>';
const field = z
  .string()
  .regex(/^(example_id|event_id|ts|model|agent|run|label|tool_calls|tools|output|error|success|tags(\.[\s\S]+)?)$/u, {
    error: fieldForm,
  });

const fields = z.record(
  field,
  z.union([place, list(place, '[/id, key]').min(1, { error: placeForm })], { error: placeForm }),
  {
    error: 'is no set of fields; write it as {example_id: /id}',
  },
);

const keys = {
  format: format('Form of the records. Default: assay, the native event; auto in replay.'),
  response: key(
    pointer.optional(),
    '/response',
    "JSON Pointer to the provider's answer in a record. Default: the record itself.",
  ),
  request: key(
    pointer.optional(),
    '/request',
    'JSON Pointer to the request: tools and model are read there too. Default: nowhere.',
  ),
  fields: key(
    fields.default({}),
    { example_id: ['/metadata/id', 'key'] },
    'Where fields lie: each a place, or a list of places of which the first present counts.',
  ),
};

const topic = z.strictObject({ ...keys, fields: fields.optional() });

/** `input`: the form of the records that predictions come in. */
export const input = z.strictObject({
  ...keys,
  topics: key(
    z
      .record(z.string(), topic, { error: 'is no set of topics; write it as {logs: {format: openai.chat}}' })
      .default({}),
    { logs: { format: 'openai.chat' } },
    'The keys above for one topic, each over the one that holds for all.',
  ),
});
