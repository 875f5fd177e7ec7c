import { isObject, type Json } from '../../scoring/json.ts';
import type { Remedy } from '../../scoring/match/remedy.ts';
import { hidesSome, hiddenValue, isHidden, type Redacted } from '../json/preview.ts';

/** An example whose truth may be wrong: several models give the same other answer, or a judge passes an answer that the rules fail. */
export interface Suspect {
  readonly example_id: string;
  readonly expected: readonly SuspectCall[] | null;
  readonly said: readonly SuspectCall[];
  /** Models that said it, of those that answered; and how many events. */
  readonly models: readonly string[];
  readonly of_models: number;
  readonly events: number;
  /** Models that were right at least once. */
  readonly right_models: number;
  /** Judges that pass it. */
  readonly judges: readonly string[];
  /** The correction of the truth; null where calls are malformed or forbidden, or some of it is hidden. */
  readonly remedy: Remedy | null;
}

export interface SuspectCall {
  readonly name: string | null;
  readonly arguments: Json;
  readonly accept?: Json;
}

/** A suspect as it may be shown: hidden arguments hidden, and no rule that would say them. */
export function shownSuspect(suspect: Suspect, redact: Redacted): Suspect {
  if (!hidesSome(redact)) return suspect;
  const hides = (key: string): boolean => redact !== 'all' && isHidden(redact, key);
  let isWhole = redact !== 'all';
  const visible = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visible);
    if (!isObject(value)) return value;
    const fields = Object.entries(value).map(([key, field]) => [key, hides(key) ? hiddenValue : visible(field)]);
    isWhole &&= !Object.keys(value).some(hides);
    return Object.fromEntries(fields);
  };
  const shown = (calls: readonly SuspectCall[]): SuspectCall[] =>
    calls.map(({ name, arguments: given }) => ({ name, arguments: redact === 'all' ? hiddenValue : visible(given) }));
  const { expected, said, remedy, ...rest } = suspect;
  const calls = { expected: expected && shown(expected), said: shown(said) };
  return { ...rest, ...calls, remedy: isWhole ? remedy : null };
}

/** Sorts the suspects first that most more models gave than were right. */
export function byWeight(a: Suspect, b: Suspect): number {
  return moreThanRight(b) - moreThanRight(a) || b.events - a.events;
}

function moreThanRight({ models, right_models: right }: Suspect): number {
  return models.length - right;
}
