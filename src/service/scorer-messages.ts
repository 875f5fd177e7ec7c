import type { Check } from '../adapters/http/routes.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Sample, Share } from '../formats/summary/review.ts';
import type { Suspect } from '../formats/summary/suspect.ts';
import type { CheckpointStore, TopicPartition } from '../ports.ts';
import type { Telemetry } from '../telemetry.ts';
import type { Scorer } from './scorer.ts';

/** From a scorer to the server that shows it, in the order in which things happen. */
export type ScorerMessage =
  /** The scorer goes on from the newest checkpoint of the store. */
  | { readonly kind: 'restored'; readonly partition: TopicPartition }
  | { readonly kind: 'saved'; readonly partition: TopicPartition; readonly checkpoint: SavedCheckpoint }
  | { readonly kind: 'revoked'; readonly partition: TopicPartition }
  | { readonly kind: 'report'; readonly report: ScorerReport };

/** A checkpoint that is durable. */
export interface SavedCheckpoint {
  readonly id: string;
  readonly base: string | undefined;
  /** Undefined where the server is behind: it then reads the newest one of the store. */
  readonly bytes: Uint8Array | undefined;
}

/** The present state of a scorer; the failures are those since the report before. */
export interface ScorerReport {
  readonly telemetry: Telemetry;
  /** `performance.timeOrigin` in its thread. */
  readonly timeOrigin: number;
  /** From when records last arrived to when the brokers last confirmed that there are no more. */
  readonly idleMs: number;
  readonly readiness: readonly Check[];
  /** Partitions that are being restored. */
  readonly restoring: number;
  readonly failures: readonly Sample[];
  /** Its random share of events; undefined where it is as in the report before. */
  readonly share: readonly Share[] | undefined;
  readonly suspects: readonly Suspect[];
  /** Feedback that reached no event of its partitions; undefined where it is as in the report before. */
  readonly unmatched: ReadonlyMap<string, string> | undefined;
  /** The newest file of score rows. */
  readonly scores: string | undefined;
}

/** The side of the scorer. */
export interface Reporter {
  /** The store, whose checkpoints are reported when they are read or durable. */
  reported(store: CheckpointStore): CheckpointStore;
  revoked(partition: TopicPartition): void;
  /** Tells how the scorer stands: not where the server has not yet heard how it stood before, unless this is the last time. */
  report(scorer: Scorer, isLast?: boolean): void;
  /** To be called when the server has taken in a message of a size. */
  heard(size: Heard): void;
}

/** The size of a message that a server has taken in. */
export interface Heard {
  readonly reports: number;
  readonly bytes: number;
}

/** Bytes of checkpoints under way to the server: beyond that only their names are sent. */
const bytesMax: number = 2 ** 26;

/** Tells a server of a scorer by `send`; what waits for the server is bounded, however slow that is. */
export function createReporter(send: (message: ScorerMessage) => void): Reporter {
  const waiting = { reports: 0, bytes: 0 };
  return {
    reported: (store) => ({
      wantsSnapshot: store.wantsSnapshot,
      async load(partition) {
        const checkpoints = await store.load(partition);
        if (checkpoints.length > 0) send({ kind: 'restored', partition });
        return checkpoints;
      },
      async save(partition, checkpoint) {
        await store.save(partition, checkpoint);
        const { id, base } = checkpoint;
        const bytes = waiting.bytes < bytesMax ? checkpoint.bytes : undefined;
        waiting.bytes += bytes?.length ?? 0;
        send({ kind: 'saved', partition, checkpoint: { id, base, bytes } });
      },
    }),
    revoked: (partition) => send({ kind: 'revoked', partition }),
    report(scorer, isLast = false) {
      if (waiting.reports > 0 && !isLast) return;
      waiting.reports++;
      send({ kind: 'report', report: reportOf(scorer) });
    },
    heard({ reports, bytes }) {
      waiting.reports -= reports;
      waiting.bytes -= bytes;
    },
  };
}

/** The size of a message, which its sender gets back when the message is taken in. */
export function sizeOf(message: ScorerMessage): Heard {
  const bytes = message.kind === 'saved' ? (message.checkpoint.bytes?.length ?? 0) : 0;
  return { reports: message.kind === 'report' ? 1 : 0, bytes };
}

function reportOf({ telemetry, pipeline, scoreRows, ...scorer }: Scorer): ScorerReport {
  const { service } = pipeline;
  const nowMs = systemClock.monotonicMs();
  scorer.unmatched.reached([...service.tasks.values()].map(({ out }) => out.feedback));
  const answeredMs = service.options.source.connection?.().answeredMs;
  telemetry.lastResponseMs = systemClock.nowMs() - nowMs + (answeredMs ?? Number.NaN);
  return {
    telemetry,
    timeOrigin: performance.timeOrigin,
    idleMs: Math.max(0, (answeredMs ?? nowMs) - service.lastRecordMs) || 0,
    readiness: scorer.readiness(),
    restoring: service.restoring.size,
    failures: scorer.takeFailures(),
    share: scorer.takeShare(),
    suspects: scorer.suspects(),
    unmatched: scorer.unmatched.take(),
    scores: scoreRows?.newest(),
  };
}
