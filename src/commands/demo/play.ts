import { systemClock } from '../../adapters/system-clock.ts';
import {
  demoSpike,
  demoTraffic,
  isTruthLate,
  lateTruthAfterMs,
  modelsOf,
  spikingModel,
  type Spike,
  spikingAt,
  truthAfterMs,
} from './scenario.ts';
import type { Send } from './sender.ts';
import { createTraffic, type Traffic } from './traffic.ts';

/** The story that is played. */
export interface Story {
  /** Predictions a second. */
  readonly rate: number;
  readonly models: number;
  /** Traffic from before the start: watches learn from it. */
  readonly pastMs: number;
  /** How fast the past passes; undefined: as fast as it is taken. */
  readonly speed?: number | undefined;
  /** How long a model goes wrong, and when it first does, from the beginning of the traffic; undefined: when `demoSpike` says, from now. */
  readonly spikeMs: number;
  readonly spikeAtMs?: number | undefined;
  /** Stop by itself after this time; undefined runs until a signal. */
  readonly seconds?: number | undefined;
}

/** Where the story goes. */
export interface Stage {
  readonly send: Send;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const tickMs = 100;

/** Sends the past, then the present until it is time to stop; truth comes on the way. */
export async function play(story: Story, { send, say, signal }: Stage): Promise<void> {
  const traffic = createTraffic({ ...demoTraffic, models: modelsOf(story.models) });
  const over = new AbortController();
  const stage = { send, say, signal: AbortSignal.any([signal, over.signal]) };
  say(`No truth yet: the web page shows tool use alone. Truth of most examples comes in ${truthAfterMs / 1000} s.`);
  const truth = sendTruth(traffic, stage, false);
  const predictions = sendPredictions(story, traffic, stage, truth);
  const all = Promise.all([predictions, truth, sendTruth(traffic, stage, true)]);
  try {
    await Promise.race([predictions, all]);
  } finally {
    over.abort();
  }
  await all;
}

/** Sends the truth of most examples, or of those that come late, when it is time. */
async function sendTruth({ examples }: Traffic, { send, say, signal }: Stage, isLate: boolean): Promise<void> {
  await systemClock.sleep(isLate ? lateTruthAfterMs : truthAfterMs, signal);
  if (signal.aborted) return;
  const records = examples.filter((_, at) => isTruthLate(at) === isLate).map(({ record }) => JSON.stringify(record));
  await send('/v1/truth', records);
  say(`Truth of ${records.length}${isLate ? ' more' : ''} examples is sent: decisions and calls of theirs are scored.`);
}

/** Predictions of the past that come before the truth: what waits for it is scored within a moment. */
const beforeTruth = 1_000;

async function sendPredictions(story: Story, traffic: Traffic, stage: Stage, truth: Promise<void>): Promise<void> {
  const startMs = Date.now();
  const due = predictionsOf(story, traffic, startMs, stage.say);
  if (story.speed === undefined) {
    const firstMs = (1000 * beforeTruth) / pastRateOf(story);
    await playPast(story, due, startMs, startMs - Math.max(0, story.pastMs - firstMs), stage);
    await truth;
  }
  await playPast(story, due, startMs, startMs, stage);
  await playPresent(story, due, stage);
}

/** The predictions that are due up to a time, in order, since it was called last. */
type Due = (untilMs: number) => string[];

function predictionsOf(story: Story, traffic: Traffic, startMs: number, say: Stage['say']): Due {
  const { rate, pastMs, spikeMs, spikeAtMs } = story;
  const beginMs = startMs - pastMs;
  const spike: Spike = {
    model: spikingModel(story.models),
    afterMs: spikeAtMs ?? pastMs + demoSpike.afterMs,
    forMs: spikeMs,
    everyMs: Math.max(demoSpike.everyMs, 2 * spikeMs),
  };
  const lateIds = new Set(traffic.examples.flatMap(({ record }, at) => (isTruthLate(at) ? [record.example_id] : [])));
  let tsMs = beginMs;
  let failing: string | undefined;
  return (untilMs) => {
    const due: string[] = [];
    for (; tsMs <= untilMs; tsMs += 1000 / (tsMs < startMs ? pastRateOf(story) : rate)) {
      const wrong = spikingAt(spike, tsMs - beginMs);
      if (wrong !== failing) say(`${wrong ?? failing} ${wrong ? 'goes wrong now' : 'is well again'}`);
      failing = wrong;
      // A truth that comes after all that time is of no use.
      for (const { key, value } of traffic.next(tsMs, wrong)) if (tsMs >= startMs || !lateIds.has(key)) due.push(value);
    }
    return due;
  };
}

/** Predictions a second of the past, so that it is scored in seconds. */
function pastRateOf({ rate }: Story): number {
  return Math.min(rate, 20);
}

/** Records of a request. */
const requestRecords = 1_000;

/** Sends the past up to a time. */
async function playPast(
  story: Story,
  due: Due,
  startMs: number,
  untilMs: number,
  { send, signal }: Stage,
): Promise<void> {
  const { pastMs, speed = Number.POSITIVE_INFINITY } = story;
  const stepMs = (1000 * requestRecords) / pastRateOf(story);
  for (let at = startMs - pastMs; at < untilMs && !signal.aborted; ) {
    const reached = startMs - pastMs + speed * Math.max(1, Date.now() - startMs);
    at = Math.min(at + stepMs, reached, untilMs);
    await send('/v1/events', due(at));
    if (speed !== Number.POSITIVE_INFINITY) await systemClock.sleep(tickMs, signal);
  }
}

async function playPresent({ seconds }: Story, due: Due, { send, signal }: Stage): Promise<void> {
  const endMs = seconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + 1000 * seconds;
  while (!signal.aborted && Date.now() < endMs) {
    await send('/v1/events', due(Date.now()));
    await systemClock.sleep(tickMs, signal);
  }
}
