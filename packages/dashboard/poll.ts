import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { parseJson } from '../../src/scoring/parse-json.ts';
import { failedIn, query } from './choices.ts';
import { seenOf } from './history.ts';
import type { Choices, Picture } from './state.ts';

const everyMs = 2_000;
const answerWithinMs = 10_000;

/**
 * Asks the service for a reading every two seconds, and at once when the function that it gives is called. Rests while the page is hidden.
 * `held` is what the page shows: of its history only what came after it is asked for.
 */
export function poll(
  choices: Choices,
  held: () => Picture | undefined,
  onReading: (reading: LiveDocument) => void,
  onProblem: (problem: string) => void,
): () => void {
  const asking: { now: AbortController | undefined; timer: number | undefined } = { now: undefined, timer: undefined };
  const ask = async (): Promise<void> => {
    clearTimeout(asking.timer);
    asking.now?.abort();
    if (document.hidden || choices.paused) return;
    const { signal } = (asking.now = new AbortController());
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
      const reading = await readingOf(choices, held(), within);
      if (!signal.aborted) onReading(reading);
    } catch (error) {
      if (!signal.aborted) onProblem(problemText(error));
    }
    if (!signal.aborted) asking.timer = setTimeout(() => void ask(), everyMs);
  };
  document.addEventListener('visibilitychange', () => void ask());
  return () => void ask();
}

async function readingOf(choices: Choices, held: Picture | undefined, signal: AbortSignal): Promise<LiveDocument> {
  const { slice, window: name, focus, find } = choices;
  // Points of another set of dimensions are of no use.
  const since = held?.slice === (slice ?? held?.document.sets[0] ?? '') ? seenOf(held?.counts) : undefined;
  const wanted = query({ slice, window: name, focus, failed: failedIn(choices), ...find, since });
  const response = await fetch(`api/v1/live?${wanted}`, { cache: 'no-store', signal });
  if (response.status === 400) {
    // Such as a link to a window that is no longer configured: then to the group without it, else to all there is.
    const none = { slice: undefined, focus: undefined, failed: undefined, from: undefined, until: undefined, find: {} };
    Object.assign(choices, name === undefined ? none : { window: undefined });
    throw new Error(((await response.json()) as { error: string }).error);
  }
  if (!response.ok) throw new Error(`The service answered with status ${response.status}`);
  return parseJson(await response.text()) as unknown as LiveDocument;
}

function problemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `No answer within ${answerWithinMs / 1000} s`;
  return error instanceof TypeError ? 'The service cannot be reached' : error.message;
}
