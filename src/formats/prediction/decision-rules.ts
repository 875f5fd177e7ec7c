import { RE2JS } from 're2js';
import { invalid, type Label, type LabelCode, labelCode } from '../../scoring/label.ts';
import type { WordsKind } from '../../state/input.ts';
import { callLeftIn } from './call-in-text.ts';
import type { RawEvent } from './schema.ts';

/** A rule of `decision.rules`: the label of an event that meets all its conditions. */
export interface DecisionRule {
  /** The model, or a filter before or after it, declined to answer. */
  readonly refused?: true | undefined;
  /** A regular expression of RE2 that the text of the output matches somewhere. */
  readonly text?: string | undefined;
  /** The last sentence of the output ends in a question mark. */
  readonly question?: true | undefined;
  readonly label: Label;
}

/** The label of an event that has none and makes no call: `invalid` where it says nothing, or no rule holds; else with the kind of rule. */
export type DecisionReading = (event: RawEvent) => Decided;

export interface Decided {
  readonly label: LabelCode;
  /** Kind of the rule that read it from words; undefined for any other label. */
  readonly rule?: WordsKind;
}

/**
 * Reads decisions from words (docs/reference/inputs.md, "Decisions from words"): the first rule that holds says the label. An event with
 * an `error` decided nothing. Throws where a pattern is none.
 */
export function decisionReading(rules: readonly DecisionRule[]): DecisionReading {
  const tests = rules.map(({ refused, text, question, label }) => {
    const pattern = text === undefined ? undefined : RE2JS.compile(text);
    const holds = (said: string | undefined, declined: boolean): boolean =>
      (!refused || declined) &&
      (pattern === undefined || (said !== undefined && pattern.test(said))) &&
      (!question || (said !== undefined && isQuestion(said)));
    const rule = refused ? 'refused' : pattern ? 'text' : question ? 'question' : 'otherwise';
    return { holds, decided: { label: labelCode(label), rule: `words_${rule}` as const } };
  });
  return (event) => {
    if (event.error !== undefined && event.error !== null) return undecided;
    // A call that the server left in the text is no answer in words.
    if (callLeftIn(event.output) !== undefined) return undecided;
    const said = typeof event.output === 'string' ? event.output : undefined;
    const declined = event['refused'] === true;
    return tests.find(({ holds }) => holds(said, declined))?.decided ?? undecided;
  };
}

const undecided: Decided = { label: invalid };

/** Marks that may close a sentence after its question mark: space, quotes, brackets, emphasis. */
const closing = /[\s"'’”»)\]}*_`]/;
const questionMarks = '?？؟';

function isQuestion(text: string): boolean {
  let last = text.length - 1;
  while (last >= 0 && closing.test(text[last]!)) last--;
  return last >= 0 && questionMarks.includes(text[last]!);
}
