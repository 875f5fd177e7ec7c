import { systemClock } from '../../src/adapters/system-clock.ts';
import type { Summary } from './service.ts';

/** Outcomes of the configuration, and its feedback. */
export const peopleKeys: Readonly<Record<string, unknown>> = {
  ingest: { to: 'kafka' },
  feedback: { wait: '1m', outcomes: { good: ['resolved'] } },
  // Reached in some seconds: from then on what is kept does not grow.
  limits: { revisable: 5_000 },
};

/** Says of some events that were sent that they were resolved, by the door, as often as it takes. Returns of how many. */
export async function tellOutcomes(url: string, messages: readonly { readonly value: string }[]): Promise<number> {
  const ids = messages.slice(0, toldOfChunk).map(({ value }) => /"event_id":"([^"]+)"/.exec(value)![1]!);
  const records = ids.map((id) => ({ id, about: { event_id: id }, by: 'human:ann', outcome: { resolved: true } }));
  const body = records.map((record) => JSON.stringify(record)).join('\n');
  const headers = { 'content-type': 'application/x-ndjson' };
  for (;;) {
    const answer = await fetch(`${url}/v1/feedback`, { method: 'POST', body, headers }).catch(() => undefined);
    if (answer?.ok === true) return ids.length;
    if (answer !== undefined && answer.status < 500) throw new Error(`${answer.status}: ${await answer.text()}`);
    await systemClock.sleep(500, never);
  }
}

/** The outcomes that came in, over all models and all time. */
export function outcomesIn({ groups }: Summary): Fraction {
  const sums = { numerator: 0, denominator: 0 };
  for (const { slice, window, outcome } of groups) {
    // A model of which nothing was told has none.
    if (window !== 'all' || Object.keys(slice as object).join() !== 'model' || outcome === null) continue;
    const { rate } = (outcome as { readonly good: { readonly resolved: { readonly rate: Fraction } } }).good.resolved;
    sums.numerator += rate.numerator;
    sums.denominator += rate.denominator;
  }
  return sums;
}

interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** Looks at each page every two seconds, as people and scrapers do, until `signal` aborts. How often each was read. */
export async function lookAlways(url: string, signal: AbortSignal): Promise<Record<string, number>> {
  const read: Record<string, number> = {};
  while (!signal.aborted) {
    for (const path of pages) {
      const answer = await fetch(url + path).catch(() => undefined);
      await answer?.arrayBuffer().catch(() => undefined);
      const key = `${path} ${answer?.status ?? 'none'}`;
      read[key] = (read[key] ?? 0) + 1;
    }
    await systemClock.sleep(2_000, signal);
  }
  return read;
}

const toldOfChunk = 5;
const never: AbortSignal = new AbortController().signal;
const pages = [
  ...['/metrics', '/', '/readyz?verbose', '/api/v1/summary?slice=model&window=30s', '/api/v1/watches'],
  ...['/api/v1/live?slice=model&window=2m', '/api/v1/review'],
];
