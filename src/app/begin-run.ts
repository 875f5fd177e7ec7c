import { type EarlyLoads, loadEarly } from '../adapters/checkpoint-store/early-loads.ts';
import { type BegunTruth, beginTruth } from '../adapters/truth-files/truth-thread.ts';
import type { Config } from '../config/config.ts';

/** What a service has begun to read in threads while its program is still being loaded. */
export interface BegunRun {
  /** Undefined where there are no truth files. */
  readonly truth: BegunTruth | undefined;
  /** Undefined where checkpoints are not to be used. */
  readonly states: EarlyLoads | undefined;
}

/** Begins to read the truth and the states of a service: each takes longer than to load its program. */
export function beginRun({ truth, limits, state, kafka }: Config, rebuild: boolean, signal: AbortSignal): BegunRun {
  const { paths } = truth;
  return {
    truth: paths.length === 0 ? undefined : beginTruth(paths, { deadlineMs: limits.truth_load.ms, signal }),
    states: rebuild ? undefined : loadEarly(state.dir, kafka.group_id),
  };
}
