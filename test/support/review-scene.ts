import assert from 'node:assert/strict';
import type { PlainIncident } from '../../src/formats/summary/incident-document.ts';
import type { Served } from './served.ts';
import { until } from './until.ts';

/* A spike of wrong calls of model a, whose truth is what is wrong: people correct it. */

/** Events of the scene. */
export const events = 420;
const [spikeFrom, pastMs] = [396, 7_200_000];
/** Wrong events of the spike, of model a. */
export const spike: number = (events - spikeFrom) / 2;
const watch = {
  metric: 'match.correct',
  by: ['model'],
  baseline: 0.1,
  worst: 0.5,
  false_alarm_every: { cases: 10_000 },
};
/** The configuration that watches for it. */
export const watches = { watches: [watch] };

const isWrong = (at: number): boolean => at % 20 === 1 || (at >= spikeFrom && at % 2 === 0);
/** Calls that book two seats. */
export const booking = (city: string): object[] => [{ name: 'book', arguments: { city, seats: 2 } }];

function lines(of: (at: number) => object): string {
  return Array.from({ length: events }, (_, at) => JSON.stringify(of(at))).join('\n');
}

/** Sends truth and events, and waits until all are scored. */
export async function sendTraffic(served: Served): Promise<void> {
  const startMs = Date.now() - pastMs;
  const truth = lines((at) => ({ example_id: `x${at}`, label: 'tool_call', expected_tool_calls: booking('Oslo') }));
  const predictions = lines((at) => ({
    ...{ example_id: `x${at}`, event_id: `e${at}`, model: at % 2 === 0 ? 'a' : 'b' },
    ts: startMs + (pastMs * at) / events,
    tool_calls: booking(isWrong(at) ? 'Rome' : 'Oslo'),
  }));
  for (const [path, body] of [
    ['/v1/truth', truth],
    ['/v1/events', predictions],
  ] as const)
    assert.equal((await served.post(path, body, 'application/x-ndjson')).status, 200);
  await until('all is scored', async () => (await served.summary()).records['scored'] === events);
}

/** The incidents that go on. */
export async function incidentsOf({ url }: Served): Promise<readonly PlainIncident[]> {
  const { incidents } = (await (await fetch(`${url}/api/v1/watches`)).json()) as { incidents: PlainIncident[] };
  return incidents.filter(({ end }) => end === null);
}

/** Events that the truth calls wrong. */
export const wrongEvents: number = Array.from({ length: events }, (_, at) => at).filter(isWrong).length;
