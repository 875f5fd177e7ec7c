import * as z from 'zod';
import { choice, key, timer, whole } from './fields.ts';

const words = ['off', 'span', 'trace', 'example'] as const;

/** `runs`: how the steps of an agent make a run (docs/reference/runs.md). */
export const runs = z.strictObject({
  by: key(
    z
      .string()
      .refine((by) => (words as readonly string[]).includes(by) || isPlaceOfKey(by), {
        error:
          'must be off, span, trace, example, or a place such as /conversation_id, header:NAME, attribute:NAME or key',
      })
      .optional(),
    'example',
    'Key of the steps that make one run. trace: the spans of a trace (default for spans); span: each span of a model is an event; example: answers to the same example by the same model and agent; a place, such as /conversation_id or attribute:gen_ai.conversation.id; off: each answer is an event (default for all but spans).',
  ),
  end: key(
    choice('auto', 'idle').default('auto'),
    'idle',
    'auto: a run ends with the root of its trace, or with an answer without a call; idle: only after runs.idle without a step.',
  ),
  idle: key(timer().prefault('60s'), '5m', 'Event time without a step after which a run ends.'),
  steps: key(
    whole(1).default(200),
    1_000,
    'Steps at which a run is ended as it is: the rest of a trace is late, further answers begin another run. Spans of tools and of agents count.',
  ),
  number: key(
    choice('auto').optional(),
    'auto',
    'auto: a run that names its example and no index is the next one of it by the same model and agent, from 0. Default: it is of no group of runs.',
  ),
  split: key(
    choice('user').optional(),
    'user',
    'user: each message of the user in a list of messages begins a run of its own, numbered from 0. Default: a list is one run.',
  ),
});

/** Returns whether a text is a place at which a key of runs may lie. */
function isPlaceOfKey(text: string): boolean {
  return text === 'key' || /^(?:\/|header:.|attribute:.)/.test(text);
}
