import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { query } from './choices.ts';
import { seenOf } from './history.ts';
import type { Page } from './page.tsx';
import type { Choices } from './state.ts';

const everyMs = 2_000;
const answerWithinMs = 10_000;

/** Asks the service for a reading every two seconds, and at once when something else is chosen. Rests while nobody looks. */
export function poll(page: Page, choices: Choices): void {
  const asking: { now: AbortController | undefined; timer: number | undefined } = { now: undefined, timer: undefined };
  const ask = async (): Promise<void> => {
    clearTimeout(asking.timer);
    asking.now?.abort();
    if (document.hidden || choices.paused) return;
    const asked = new AbortController();
    asking.now = asked;
    try {
      const reading = await readingOf(
        page,
        choices,
        AbortSignal.any([asked.signal, AbortSignal.timeout(answerWithinMs)]),
      );
      if (!asked.signal.aborted) page.showReading(reading);
    } catch (error) {
      if (!asked.signal.aborted) page.showProblem(problemText(error));
    }
    if (!asked.signal.aborted) asking.timer = setTimeout(() => void ask(), everyMs);
  };
  page.onChoice(() => void ask());
  document.addEventListener('visibilitychange', () => void ask());
  void ask();
}

async function readingOf(page: Page, choices: Choices, signal: AbortSignal): Promise<LiveDocument> {
  const { slice, window: name, focus } = choices;
  const wanted = query({ slice, window: name, focus, since: sinceOf(page, slice) });
  const response = await fetch(`api/v1/live?${wanted}`, { cache: 'no-store', signal });
  if (response.status === 400) {
    // Such as a link to a window that is no longer configured: what is there is shown.
    Object.assign(choices, { slice: undefined, window: undefined, focus: undefined });
    throw new Error(((await response.json()) as { error: string }).error);
  }
  if (!response.ok) throw new Error(`The service answered with status ${response.status}`);
  return (await response.json()) as LiveDocument;
}

/** The last point that the page has; points of another set of dimensions are of no use. */
function sinceOf(page: Page, slice: string | undefined): string | undefined {
  const held = page.picture();
  const wanted = slice ?? held?.document.sets[0] ?? '';
  return held?.slice === wanted ? seenOf(held.counts) : undefined;
}

function problemText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `No answer within ${answerWithinMs / 1000} s`;
  return error instanceof TypeError ? 'The service cannot be reached' : error.message;
}
