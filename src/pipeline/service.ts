import type { Reader } from '../stream/event.ts';
import type { FoldOutput } from '../stream/output.ts';
import type { PendingLog } from '../state/containers/pending-log.ts';
import type { Settings } from '../state/settings.ts';
import type { Scored } from '../stream/score.ts';
import type { ActiveTruth } from '../stream/truth-cache.ts';
import { messageOf } from '../errors.ts';
import type { CheckpointStore, Clock, DeadLetters, Frames, Log, OnOutage, ScoreRows, Source } from '../ports.ts';
import type { Telemetry } from '../telemetry.ts';
import type { Changes, Identity } from './identity.ts';
import { retry, type RetryOptions } from './retry.ts';
import type { SerialQueue } from './time-slices.ts';
import type { Task } from './task.ts';

export interface ServiceOptions {
  readonly group: string;
  readonly settings: Settings;
  /** The reader of a topic's records. */
  readonly reader: (topic: string) => Reader;
  readonly source: Source;
  readonly checkpoints: CheckpointStore;
  readonly deadLetters: DeadLetters;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly log: Log;
  /** A unique name. */
  readonly newId: () => string;
  /** The configuration in a checkpoint. */
  readonly configuration: Pick<Identity, 'settings' | 'config'>;
  /** How a checkpoint of another configuration goes on. */
  readonly changes: Changes;
  /** The truth in use; the service starts after the first version is there. */
  readonly truth: () => ActiveTruth;
  /** Where a partition starts that has neither checkpoint nor commit. */
  readonly from: 'earliest' | 'latest' | { readonly timeMs: number };
  readonly onGap: 'refuse' | 'skip';
  /** Checkpoints were dropped on purpose: a committed offset without one is no damage. */
  readonly rebuild: boolean;
  /** Listeners to the folds of all partitions. */
  readonly onAccepted?: FoldOutput['onAccepted'];
  readonly onScored?: FoldOutput['onScored'];
  /** With the samples of the partition. */
  readonly onFailed?: ((scored: Scored, samples: PendingLog) => void) | undefined;
  /** A partition begins with these samples. */
  readonly onSamples?: (samples: PendingLog) => void;
  readonly onRight?: FoldOutput['onRight'];
  readonly onJudged?: FoldOutput['onJudged'];
  /** Values that may be framed for a schema registry, where there is one. */
  readonly frames?: Frames | undefined;
  /** Where score rows go, where they are wanted. */
  readonly scores?: ScoreRows | undefined;
  readonly signal: AbortSignal;
}

/** The state of a running service. */
export interface Service {
  readonly options: ServiceOptions;
  /** Partitions of each topic when the group began, where `from` is for those alone: later ones are read from their beginning. */
  readonly begunWith: Map<string, number>;
  /** By partition name. */
  readonly tasks: Map<string, Task>;
  /** Partitions that stay paused, each with the reason and the remedy. */
  readonly refused: Map<string, string>;
  /** Partitions that are being restored, each with its claim: an assignment that was revoked has lost it. */
  readonly restoring: Map<string, symbol>;
  /** Rounds of checkpoints: the one in work, or the last, and the one that waits for it. */
  readonly rounds: { current: Promise<void>; next: Promise<void> | undefined };
  /** Restores, and the resolving of pending predictions: of one partition at a time. */
  readonly queue: SerialQueue;
  /** Files of score rows that are being written, by partition name. */
  readonly publishing: Map<string, Promise<void>>;
  /** Outages at present. */
  readonly outages: Set<string>;
  /** When records last arrived, on the monotonic clock. */
  lastRecordMs: number;
  readonly retrying: Pick<RetryOptions, 'clock' | 'log' | 'signal'>;
  outage(what: string, present: boolean): void;
}

/** A service without partitions. */
export function createService(options: ServiceOptions): Service {
  const outages = new Set<string>();
  const { clock, log, signal } = options;
  return {
    options,
    begunWith: new Map(),
    tasks: new Map(),
    refused: new Map(),
    restoring: new Map(),
    rounds: { current: Promise.resolve(), next: undefined },
    queue: { last: Promise.resolve() },
    publishing: new Map(),
    outages,
    lastRecordMs: clock.monotonicMs(),
    retrying: { clock, log, signal },
    outage: (what, present) => void (present ? outages.add(what) : outages.delete(what)),
  };
}

/** Tries an operation until it succeeds; the service shows the outage meanwhile. */
export function retried<Result>(
  { retrying, outage }: Pick<Service, 'retrying' | 'outage'>,
  { what, outage: name }: { readonly what: string; readonly outage: string },
  operation: () => Promise<Result>,
): Promise<Result> {
  return retry(operation, { ...retrying, what, onOutage: outageNamed(name, outage) });
}

/** Shows an outage with its cause, as long as it lasts. */
export function outageNamed(name: string, outage: Service['outage']): OnOutage {
  let shown = name;
  return (present, error) => {
    if (present && error !== undefined) shown = `${name}: ${messageOf(error)}`;
    outage(shown, present);
  };
}
