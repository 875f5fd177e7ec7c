import type { SharedLog } from '../../adapters/local-log/shared-log.ts';
import type { Config } from '../../config/config.ts';
import type { Heard, ScorerMessage } from '../../service/scorer-messages.ts';

/** The order to a worker to begin. */
export interface WorkerRequest {
  readonly config: Config;
  readonly untilEnd: boolean;
  readonly rebuild: boolean;
  /** The log inside; undefined where Kafka is read. */
  readonly inside: SharedLog | undefined;
  /** From 1. */
  readonly worker: number;
}

/** To a worker: end after the batch in work, leave what is under way, or what the server has taken in. */
export type WorkerOrder = 'stop' | 'give up' | Heard;

/** From a worker. */
export type WorkerMessage =
  | ScorerMessage
  | { readonly kind: 'ended'; readonly status: number }
  | { readonly kind: 'failed'; readonly isUsage: boolean; readonly message: string };
