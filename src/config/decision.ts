import { RE2JS } from 're2js';
import * as z from 'zod';
import { labels } from '../scoring/label.ts';
import { choice, key } from './fields.ts';

/** Phrases of declining, in the syntax of RE2; letter case does not matter, and each begins and ends at the edge of a word. */
export const declining: readonly string[] = [
  "(?:I|we) (?:(?:currently|really|simply|just|also|still|unfortunately) )?(?:cannot|can['’]t|can not)",
  "(?:I|we)(?: am|['’]m| are|['’]re) (?:(?:currently|still|also|unfortunately) )?(?:unable|not able) to",
  '(?:unable|not able) to (?:assist|help|provide|process|access|find|answer)',
  "(?:do not|don['’]t) (?:currently )?have (?:(?:the|any|direct|necessary|real-time) )*(?:ability|capability|access|tools?|functionality|permission)",
  '(?:not capable|incapable) of',
  '(?:beyond|outside|not within)(?: of)? (?:my|our) (?:current )?(?:abilities|capabilities|scope|knowledge)',
  '(?:must|have to) decline',
  "(?:not|isn['’]t) (?:permitted|allowed|authorized|possible) (?:to|for me)",
];

const onlyTrue = 'is not true; leave it out where it does not matter';

const pattern = z.string({ error: 'is no text' }).superRefine((source, context) => {
  try {
    RE2JS.compile(source);
  } catch (error) {
    const message = `is no regular expression of RE2: ${(error as Error).message}; lookaround and back references are none`;
    context.addIssue({ code: 'custom', message });
  }
});

const rule = z.strictObject({
  refused: z.literal(true, { error: onlyTrue }).optional(),
  text: pattern.optional(),
  question: z.literal(true, { error: onlyTrue }).optional(),
  label: choice(...labels),
});

/** The preset `words`. */
const words: z.output<typeof rule>[] = [
  { refused: true, label: 'cannot_answer' },
  { text: `(?i)\\b(?:${declining.join('|')})\\b`, label: 'cannot_answer' },
  { question: true, label: 'request_for_info' },
  { label: 'direct' },
];

const rulesForm =
  "is neither words nor a list of rules; write them as [{text: '(?i)sorry', label: cannot_answer}, {label: direct}]";

/** `decision`: how an event without a call and without a label is read. The preset becomes its rules: they say how numbers are made. */
export const decision = z.strictObject({
  rules: key(
    z
      .union([z.literal('words'), z.array(rule).min(1, { error: rulesForm })], { error: rulesForm })
      .transform((given) => (given === 'words' ? words : given))
      .optional(),
    'words',
    'Labels for events without a call and without a label, by their words: words, or a list of rules. Default: none; such a label is missing.',
  ),
});
