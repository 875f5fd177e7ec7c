import { isRun, resultsByCall } from '../../scoring/prediction.ts';
import { type Event, runSecondsOf } from '../../stream/event.ts';
import { hiddenValue, hidesSome, type PreviewOptions, shortText } from '../json/preview.ts';
import { nameCharacters } from './match-errors.ts';

/** A run, as a person reads it: its calls in order, each with its result, and how it ended. */
export interface RunSteps {
  /** Answers of the model. */
  readonly answers: number;
  /** Time that the run took; null where it is not known. */
  readonly seconds: number | null;
  readonly calls: readonly StepCall[];
  /** Calls beyond those shown. */
  readonly more_calls: number;
  /** The run ends with an answer in words. */
  readonly answered: boolean;
}

/** A call of a run, with its result. */
export interface StepCall {
  /** Its name as it came; empty where it has none. */
  readonly name: string;
  /** Null where no result is known. */
  readonly ok: boolean | null;
  /** Beginning of the error's text; null where there is none. */
  readonly error: string | null;
}

const callsMax = 12;

/** The steps of a run as short texts; null for an event of one answer without results. An error may quote values, so it is hidden where arguments are. */
export function runSteps(event: Event, { redact, charactersMax }: PreviewOptions): RunSteps | null {
  const { prediction } = event;
  if (!isRun(prediction)) return null;
  const { calls = [], results = [], steps, answered } = prediction;
  const byCall = resultsByCall(results);
  const errorOf = (text: string | undefined): string | null => {
    if (text === undefined) return null;
    return hidesSome(redact) ? hiddenValue : shortText(text, charactersMax);
  };
  return {
    answers: steps,
    seconds: runSecondsOf(event) ?? null,
    calls: calls.slice(0, callsMax).map(({ name = '' }, at) => {
      const result = byCall.get(at);
      const ok = result === undefined ? null : !result.failed;
      return { name: shortText(name, nameCharacters), ok, error: errorOf(result?.error) };
    }),
    more_calls: Math.max(0, calls.length - callsMax),
    answered,
  };
}
