import type { Check } from '../../../adapters/http/routes.ts';
import type { Config } from '../../../config/config.ts';
import type { Failure } from '../../../formats/summary/failure.ts';
import type { Suspect } from '../../../formats/summary/suspect.ts';
import type { WrongEvent } from '../../../formats/summary/wrong-arguments.ts';
import type { Checkpoint, TopicPartition } from '../../../ports.ts';
import type { Telemetry } from '../../../telemetry.ts';

/** A request to a thread. */
export interface ThreadRequest {
  readonly config: Config;
  readonly untilEnd: boolean;
  readonly rebuild: boolean;
  /** From 1. */
  readonly thread: number;
}

/** To a thread: end after the batch in work, or leave what is under way. */
export type ThreadOrder = 'stop' | 'give up';

/** From a thread, in the order in which things happen. */
export type ThreadMessage =
  /** The state of a partition as it was restored (none: at the beginning), or the delta onto the checkpoint before. */
  | { readonly kind: 'restored'; readonly partition: TopicPartition; readonly checkpoints: readonly Checkpoint[] }
  | { readonly kind: 'saved'; readonly partition: TopicPartition; readonly checkpoint: Checkpoint }
  | { readonly kind: 'revoked'; readonly partition: TopicPartition }
  | { readonly kind: 'report'; readonly report: ThreadReport }
  | { readonly kind: 'ended'; readonly status: number }
  | { readonly kind: 'failed'; readonly isUsage: boolean; readonly message: string };

/** The state that a thread reports each second, whole. */
export interface ThreadReport {
  readonly telemetry: Telemetry;
  /** `performance.timeOrigin` in the thread. */
  readonly timeOrigin: number;
  /** Since records last arrived. */
  readonly idleMs: number;
  readonly readiness: readonly Check[];
  readonly failures: readonly Failure[];
  readonly ofArguments: readonly Failure[];
  readonly wrongArguments: readonly WrongEvent[];
  readonly suspects: readonly Suspect[];
}

/** The same, and when it was heard, on the clock of `performance.now()`. */
export interface ReceivedReport extends ThreadReport {
  readonly heardMs: number;
}
