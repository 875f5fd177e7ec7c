import * as z from 'zod';
import { labels } from '../scoring/label.ts';
import { words } from '../formats/prediction/decision-words.ts';
import { choice, key, pattern } from './fields.ts';

const onlyTrue = 'is not true; leave it out where it does not matter';

const rule = z.strictObject({
  refused: z.literal(true, { error: onlyTrue }).optional(),
  text: pattern().optional(),
  question: z.literal(true, { error: onlyTrue }).optional(),
  label: choice(...labels),
});

const rulesForm =
  "is neither words, off, nor a list of rules; write them as [{text: '(?i)sorry', label: cannot_answer}, {label: direct}]";

/** `decision`: how an event without a call and without a label is read. The preset becomes its rules: they say how numbers are made. */
export const decision = z.strictObject({
  rules: key(
    z
      .union([z.enum(['words', 'off']), z.array(rule).min(1, { error: rulesForm })], { error: rulesForm })
      .transform((given) => (given === 'words' ? [...words] : given))
      .optional(),
    'words',
    'Labels for events without a call and without a label, by their words: words, off, or a list of rules. Default: words for answers of providers, none for native events; such a label is missing.',
  ),
});
