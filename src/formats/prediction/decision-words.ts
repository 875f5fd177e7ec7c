import type { DecisionRule } from './decision-rules.ts';

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

/** The preset `words` of `decision.rules`. */
export const words: readonly DecisionRule[] = [
  { refused: true, label: 'cannot_answer' },
  { text: `(?i)\\b(?:${declining.join('|')})\\b`, label: 'cannot_answer' },
  { question: true, label: 'request_for_info' },
  { label: 'direct' },
];
