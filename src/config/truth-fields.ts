import * as z from 'zod';
import { callFields, truthFields as names } from '../formats/truth/fields.ts';
import { key, list } from './fields.ts';

const placeForm = 'is no place in a truth record; write /json/pointer or =TEXT';
const place = z.string({ error: placeForm }).regex(/^[/=]/, { error: placeForm });

const known: readonly string[] = [...names, ...callFields];
const field = z.string().refine((name) => known.includes(name), {
  error: `is no field of truth; fields are ${known.join(', ')}`,
});

/** `truth.fields`: places in truth records. */
export const truthFields = key(
  z
    .record(field, z.union([place, list(place, '[/id, /key]').min(1, { error: placeForm })], { error: placeForm }), {
      error: 'is no set of fields; write it as {example_id: /id}',
    })
    .default({}),
  { example_id: '/id', expected_tool_calls: '/expected_tools' },
  'Where fields of truth records lie: each a place, or a list of places of which the first present counts.',
);
