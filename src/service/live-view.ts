import { pagePlan } from '../adapters/prometheus/page-plan.ts';
import type { Config } from '../config/config.ts';
import type { PartitionState } from '../state/partition.ts';
import type { ChooseGroups, View } from '../view/summary.ts';
import { createGroupCache } from '../view/group-reader.ts';
import { plannedSettings } from '../view/planned.ts';
import { type ViewOptions, viewSteps } from '../view/view.ts';
import { prepareWatches, watchReadings } from '../view/watches.ts';
import { windowCounts } from '../state/window-counts.ts';
import type { Steps } from '../state/steps.ts';
import type { Service } from '../pipeline/service.ts';
import { inSlices } from '../pipeline/time-slices.ts';
import type { Task } from '../pipeline/task.ts';
import { comparePartitions } from '../ports.ts';
import { type ExportedView, limitReached } from '../telemetry.ts';
import { rateOf } from '../config/settings.ts';
import { watcherOf } from './watches.ts';

/** Readings of the partitions that an instance holds, made when asked for, in slices, and kept until something changes. */
export interface LiveView {
  /** Every group, with the counts by window. */
  all(): Promise<ExportedView>;
  /** Every group since the beginning, without breakdowns: all that the history is made of. */
  counts(): Promise<View>;
  /** The watches alone. */
  watches(): Promise<Pick<View, 'asOfMs' | 'watches'>>;
  /** Groups folded to `limits.groups_exported`, without breakdowns, with the counts by window. */
  exported(): Promise<ExportedView>;
  /** The groups that are chosen, with the metrics of the page (`http.metrics`) alone. */
  chosen(choose: ChooseGroups): Promise<ExportedView>;
}

/**
 * T is the greatest event time of the partitions held; once every one of them has lag 0 and nothing arrived for `time.idle_after`,
 * the time since the last record is added. It never goes back.
 */
export function liveView(config: Config, service: Service): LiveView {
  const rate = rateOf(config);
  const time = createTime(config, service);
  const { settings, clock } = service.options;
  const tasks = (): Task[] => [...service.tasks.values()].sort((a, b) => comparePartitions(a.partition, b.partition));
  const states = (): PartitionState[] => tasks().map(({ state }) => state);
  const watcher = watcherOf(config, settings);
  const ofPage = plannedSettings(settings, pagePlan(config.http.metrics));
  const shown = createGroupCache();
  const whole = { withWindows: true, withBreakdowns: true, groupsMax: undefined, kept: createGroupCache() };
  const steps = (options: Omit<ViewOptions, 'sets' | 'rate'>, read = settings): Steps<View> =>
    viewSteps(states(), read, time(), { sets: config.slices, rate, ...options });
  const prepared = async (): Promise<void> => {
    if (watcher !== undefined && time() !== undefined)
      await inSlices(
        clock,
        prepareWatches(watcher, states(), () => time()!),
      );
  };
  // Both are taken in one turn: the view's first step is done at once.
  const withCounts = async (options: Parameters<typeof steps>[0], read = settings): Promise<ExportedView> => {
    await prepared();
    const view = inSlices(clock, steps({ ...options, watcher }, read));
    return { windows: windowCounts(states(), settings, time()), view: await view };
  };
  const folded = async (
    options: Pick<ViewOptions, 'groupsMax' | 'choose' | 'kept'>,
    read = settings,
  ): Promise<ExportedView> => {
    const exported = await withCounts({ withWindows: true, withBreakdowns: false, ...options }, read);
    if (exported.view.folded) limitReached(service.options.telemetry, 'groups_exported');
    return exported;
  };
  const stamp = (): string =>
    [time(), ...tasks().map(({ name, state }) => [name, ...Object.values(state.numbers)].join(':'))].join();
  return {
    all: memoised(stamp, () => withCounts(whole)),
    async watches() {
      await prepared();
      const asOfMs = time();
      const none = watcher === undefined || asOfMs === undefined;
      return { asOfMs, watches: none ? [] : watchReadings(watcher, states(), asOfMs) };
    },
    counts: () => inSlices(clock, steps({ withWindows: false, withBreakdowns: false, groupsMax: undefined })),
    exported: memoised(stamp, () => folded({ groupsMax: config.limits.groups_exported })),
    chosen: memoised(stamp, (choose: ChooseGroups) => folded({ groupsMax: undefined, choose, kept: shown }, ofPage)),
  };
}

function memoised<T, Given extends readonly unknown[]>(
  stamp: () => string,
  make: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  let held: { readonly stamp: string; readonly value: Promise<T> } | undefined;
  return async (...given) => {
    const now = stamp();
    if (held?.stamp !== now) held = { stamp: now, value: make(...given) };
    const asked = held;
    try {
      return await asked.value;
    } catch (error) {
      if (held === asked) held = undefined;
      throw error;
    }
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
