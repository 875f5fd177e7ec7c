import * as z from 'zod';
import { duration, key, list } from './fields.ts';

const nameForm = 'is no name of an outcome; write a letter, then at most 63 letters, digits or _';
const name = z.string({ error: nameForm }).regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, { error: nameForm });

/** Outcomes with rates of their own, at most. */
export const outcomesMax = 20;

/** `feedback`: facts that come later than their event. */
export const feedback = z.strictObject({
  wait: key(
    duration().prefault('24h'),
    '3d',
    'How long an event is kept, in event time, so that feedback and other truth can still reach it.',
  ),
  outcomes: z
    .strictObject({
      good: key(
        list(name, '[resolved]').default([]),
        ['resolved'],
        `Outcomes that are good where they are true: each has a rate of its own, in windows and for watches. With those of bad at most ${outcomesMax}.`,
      ),
      bad: key(
        list(name, '[reopened]').default([]),
        ['reopened'],
        'Outcomes that are bad where they are true; else as good.',
      ),
    })
    .prefault({})
    .describe('Named outcomes of feedback with rates of their own; docs/reference/feedback.md.'),
});
