import type { Random } from './prng.ts';
import type { TrafficOptions } from './traffic.ts';
import { versionCount } from './truth.ts';

/** Rates of what goes wrong, drawn anew by every seed (swarm testing): each is often 0, so that what the others do alone is seen. */
export interface Faults {
  /** A process dies, per second of virtual time; and per operation on the world, right after or before it took effect. */
  readonly crash: number;
  readonly crashAtOperation: number;
  /** An operation fails, per operation; in half of the cases it took effect all the same. */
  readonly failure: number;
  /** Disk or dead letters are out for a while, per second. */
  readonly outage: number;
  /** An operation takes seconds instead of ms, per operation. */
  readonly slow: number;
  /** A process stops in order, per second. */
  readonly stop: number;
  /** Partitions move in order, per second. */
  readonly rebalance: number;
  /** A process hears nothing for a while and goes on with what it has, per second. */
  readonly sleep: number;
  /** A batch begins before the position, per batch. */
  readonly redelivery: number;
  /** A process stands still for a while, as long as one that hears nothing: what it was writing is written when it goes on, per second. */
  readonly stall: number;
  /** An acknowledged file is damaged, per second. */
  readonly damage: number;
  /** What a dying process was writing is there in part, per write. */
  readonly torn: number;
  /** Another version of the truth, per second and process. */
  readonly truth: number;
  /** The log is trimmed, per second. */
  readonly trim: number;
}

/** What one seed is like. */
export interface Scenario {
  readonly partitions: number;
  readonly instances: number;
  readonly records: number;
  readonly batchMax: number;
  /** Versions of the truth in use: 1 is the same one all the time. */
  readonly truths: number;
  readonly truthRevised: boolean;
  readonly checkpointEveryMs: number;
  readonly compactAfter: number;
  readonly gaps: number;
  /** Which limits are so low that they are reached. */
  readonly tightLimits: 'none' | 'pending' | 'all';
  readonly stabilityForm: 'closed' | 'rolling';
  readonly mode: 'spec' | 'upstream';
  /** The topic is one of judgements. */
  readonly judgements: boolean;
  /** Events without a run are steps of one, which ends so; undefined: each is a run. */
  readonly runs: 'auto' | 'idle' | undefined;
  readonly traffic: TrafficOptions;
  readonly faults: Faults;
}

export function drawScenario(random: Random): Scenario {
  return {
    partitions: random.between(1, 3),
    instances: random.between(1, 3),
    records: random.between(40, 160),
    batchMax: random.pick([1, 3, 10, 40]),
    truths: random.chance(0.3) ? 1 : versionCount,
    truthRevised: random.chance(0.5),
    checkpointEveryMs: random.pick([100, 300, 1_000]),
    compactAfter: random.pick([2, 4, 8]),
    gaps: random.chance(0.5) ? 0.1 : 0,
    tightLimits: random.pick(['none', 'none', 'pending', 'all']),
    stabilityForm: random.pick(['closed', 'rolling']),
    mode: random.chance(0.8) ? 'spec' : 'upstream',
    judgements: false,
    runs: undefined,
    traffic: drawTraffic(random),
    faults: random.chance(0.2) ? orderly(drawFaults(random)) : drawFaults(random),
  };
}

/** Nothing goes wrong. */
export const calm: Faults = {
  crash: 0,
  crashAtOperation: 0,
  failure: 0,
  outage: 0,
  slow: 0,
  stop: 0,
  rebalance: 0,
  sleep: 0,
  stall: 0,
  redelivery: 0,
  damage: 0,
  torn: 0,
  truth: 0,
  trim: 0,
};

/** Of what may happen only what does no harm to anybody. */
function orderly({ stop, rebalance, redelivery, truth, trim }: Faults): Faults {
  return { ...calm, stop, rebalance, redelivery, truth, trim };
}

function drawFaults(random: Random): Faults {
  const upTo = (most: number): number => (random.chance(0.4) ? 0 : most * random.next());
  return {
    crash: upTo(1),
    crashAtOperation: upTo(0.05),
    failure: upTo(0.2),
    outage: upTo(0.3),
    slow: upTo(0.1),
    stop: upTo(0.5),
    rebalance: upTo(0.5),
    sleep: upTo(1),
    stall: upTo(1),
    redelivery: upTo(0.3),
    damage: random.chance(0.5) ? 0 : upTo(1.5),
    torn: upTo(0.5),
    truth: upTo(4),
    trim: upTo(0.3),
  };
}

function drawTraffic(random: Random): TrafficOptions {
  const upTo = (most: number): number => (random.chance(0.3) ? 0 : most * random.next());
  return {
    models: random.pick([1, 3, 30]),
    duplicates: upTo(0.3),
    conflicts: upTo(0.3),
    malformed: upTo(0.2),
    arrays: upTo(0.4),
    late: upTo(0.3),
    future: upTo(0.05),
    identified: random.pick([0, 0.8, 1]),
    stepMs: random.pick([1, 1_000, 5_000]),
  };
}
