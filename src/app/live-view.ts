import type { Config } from '../config/config.ts';
import type { PartitionState } from '../core/state/partition.ts';
import type { View } from '../core/summary.ts';
import { type ViewOptions, viewSteps } from '../core/view.ts';
import { windowCounts } from '../core/window-counts.ts';
import { finish, type Steps } from '../core/steps.ts';
import type { Service } from '../pipeline/service.ts';
import { inSlices } from '../pipeline/slices.ts';
import type { Task } from '../pipeline/task.ts';
import type { ExportedView } from '../telemetry.ts';
import { rateOf } from './settings.ts';

/** Readings of the partitions that an instance holds, made when asked for and kept until something changes; some in slices. */
export interface LiveView {
  /** Every group. */
  view(): View;
  /** Every group since the beginning, without breakdowns: all that the course is made of. */
  counts(): Promise<View>;
  /** Groups folded to `limits.groups_exported`, without breakdowns, with the counts by window. */
  exported(): Promise<ExportedView>;
}

/**
 * T is the greatest event time of the partitions held; once every one of them has lag 0 and nothing arrived for `time.idle_after`,
 * the time since the last record is added. It never goes back.
 */
export function liveView(config: Config, service: Service): LiveView {
  const rate = rateOf(config);
  const time = createTime(config, service);
  const { settings, clock } = service.options;
  const tasks = (): Task[] => [...service.tasks.values()];
  const states = (): PartitionState[] => tasks().map(({ state }) => state);
  const steps = (options: Pick<ViewOptions, 'withWindows' | 'withBreakdowns' | 'groupsMax'>): Steps<View> =>
    viewSteps(states(), settings, time(), { sets: config.slices, rate, ...options });
  const stamp = (): string =>
    [time(), ...tasks().map(({ name, state }) => [name, ...Object.values(state.numbers)].join(':'))].join();
  return {
    view: memoised(stamp, () => finish(steps({ withWindows: true, withBreakdowns: true, groupsMax: undefined }))),
    counts: () => inSlices(clock, steps({ withWindows: false, withBreakdowns: false, groupsMax: undefined })),
    exported: memoised(stamp, async () => {
      const view = steps({ withWindows: true, withBreakdowns: false, groupsMax: config.limits.groups_exported });
      // Both are taken in this turn: the view's first step is done at once.
      const windows = windowCounts(states(), settings, time());
      return { view: await inSlices(clock, view), windows };
    }),
  };
}

function memoised<T>(stamp: () => string, make: () => T): () => T {
  let held: { readonly stamp: string; readonly value: T } | undefined;
  return () => {
    const now = stamp();
    if (held?.stamp !== now) held = { stamp: now, value: make() };
    return held.value;
  };
}

/** Idle time moves T by whole seconds: often enough for any pane. */
const idleStepMs = 1_000;

function createTime(config: Config, service: Service): () => number | undefined {
  let latest = Number.NEGATIVE_INFINITY;
  const { telemetry, clock } = service.options;
  return () => {
    let greatest = Number.NEGATIVE_INFINITY;
    for (const { state } of service.tasks.values()) greatest = Math.max(greatest, state.numbers.greatestTs);
    const idleMs = clock.monotonicMs() - service.lastRecordMs;
    const caughtUp = [...telemetry.partitions.values()].every(({ position, high }) => position >= high);
    const idle = caughtUp && idleMs >= config.time.idle_after.ms ? Math.floor(idleMs / idleStepMs) * idleStepMs : 0;
    latest = Math.max(latest, greatest + idle);
    return latest === Number.NEGATIVE_INFINITY ? undefined : latest;
  };
}
