import type { Sample, Share } from '../formats/summary/review.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import type { Event } from '../stream/event.ts';
import type { Scored } from '../stream/score.ts';

export interface RandomShareOptions {
  /** Events of a period at most. */
  readonly count: number;
  /** Wall clock, ms. */
  readonly nowMs: () => number;
  readonly sampleOf: (scored: Scored) => Sample;
}

/** A random share of the events of this and the last period, right ones too: a memory of this process. */
export interface RandomShare {
  /** To be called with each event that is accepted or scored. An event that comes again, as with its truth, takes its own place. */
  add(scored: Scored): void;
  /** The share, this period first; undefined where nothing of it changed since the call before. */
  takeChanged(): readonly Share[] | undefined;
}

const periodMs = 3_600_000;

/**
 * Keeps the `count` events whose identities have the least hashes, of each hour. The chance of each is the least hash that was left out, as a share of all
 * hashes (rank conditioning: Cohen and Kaplan 2007), or 1 where none was: events that come twice change neither choice nor chance.
 */
export function createRandomShare(options: RandomShareOptions): RandomShare {
  const { count, nowMs, sampleOf } = options;
  const memory = { periods: [] as readonly Period[], changed: false };
  return {
    add(scored) {
      const hash = hashOf(scored.event, scored.ts);
      const ms = nowMs();
      const [before] = memory.periods;
      if (before === undefined || ms - before.sinceMs >= periodMs)
        memory.periods = [emptyPeriod(ms), ...memory.periods.slice(0, 1)];
      const [current] = memory.periods;
      if (memory.periods.every(({ chance }) => hash >= chance)) return;
      const held = heldIn(memory.periods, hash);
      // Of an event that waited for its truth, the choice was made when it was accepted.
      if (held === undefined && (hash >= current!.chance || scored.moment === 'scored')) return;
      memory.changed = true;
      if (held !== undefined) held.sample = sampleOf(scored);
      else choose(current!, { hash, sample: sampleOf(scored) }, count);
    },
    takeChanged() {
      if (!memory.changed) return undefined;
      memory.changed = false;
      return memory.periods.map(({ chance, chosen }) => ({ chance, events: chosen.map(({ sample }) => sample) }));
    },
  };
}

interface Chosen {
  readonly hash: number;
  sample: Sample;
}

interface Period {
  readonly sinceMs: number;
  /** By hash, ascending: any first part of it is a random one too. */
  readonly chosen: Chosen[];
  chance: number;
}

function emptyPeriod(sinceMs: number): Period {
  return { sinceMs, chosen: [], chance: 1 };
}

function heldIn(periods: readonly Period[], hash: number): Chosen | undefined {
  for (const { chosen } of periods) for (const each of chosen) if (each.hash === hash) return each;
  return undefined;
}

function choose(period: Period, one: Chosen, count: number): void {
  const { chosen } = period;
  const at = chosen.findIndex(({ hash }) => hash > one.hash);
  chosen.splice(at < 0 ? chosen.length : at, 0, one);
  if (chosen.length > count) period.chance = chosen.pop()!.hash;
}

const words = new Uint32Array(4);

/** A number from 0 to 1 that looks random, the same for one identity at any time and in any process. */
function hashOf({ eventId, exampleId, model, agent, run }: Event, ts: number): number {
  hash128OfText(eventId ?? JSON.stringify([exampleId, model, agent, run, ts]), words, 0);
  return (words[0]! + words[1]! / 2 ** 32) / 2 ** 32;
}
