import { metricsPlan } from '../adapters/prometheus/metrics-plan.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/config.ts';
import { rateOf, settingsOf } from '../config/settings.ts';
import { comparePartitions } from '../ports.ts';
import type { PartitionState } from '../state/partition.ts';
import { windowCounts } from '../state/window-counts.ts';
import { type ExportedView, limitReached, type Telemetry } from '../telemetry.ts';
import { plannedSettings } from '../view/planned.ts';
import type { ChooseGroups, View } from '../view/summary.ts';
import { type ViewOptions, viewOf } from '../view/view.ts';
import { watchReadings } from '../view/watches.ts';
import type { GroupStates, SavedPartition } from './group-states.ts';
import { watcherOf } from './watches.ts';

/** The parts of a read model that views are made of. */
export interface Viewed {
  readonly states: GroupStates;
  /** The counts of all scorers together. */
  readonly telemetry: Telemetry;
  /** When records last arrived, on the monotonic clock. */
  lastRecordMs: number;
}

/** Views of the partitions of a read model, made when asked for, and kept until a checkpoint comes or T moves. */
export interface Views {
  /** Every group, with the counts by window. */
  all(): ExportedView;
  /** Every group since the beginning, without breakdowns: all that the history is made of. */
  counts(): View;
  /** The watches alone. */
  watches(): Pick<View, 'asOfMs' | 'watches'>;
  /** Groups folded to `limits.groups_exported`, without breakdowns, with the counts by window. */
  exported(): ExportedView;
  /** The groups that are chosen, with the exported metrics (`http.metrics`) alone. */
  chosen(choose: ChooseGroups): ExportedView;
}

/**
 * T is the greatest event time of the partitions; once every one of them has lag 0 and nothing arrived for `time.idle_after`,
 * the time since the last record is added. It never goes back.
 */
export function viewsOf(config: Config, model: Viewed): Views {
  const time = createTime(config, model);
  const settings = settingsOf(config, undefined);
  const saved = (): SavedPartition[] =>
    [...model.states.values()].sort((a, b) => comparePartitions(a.partition, b.partition));
  const states = (): PartitionState[] => saved().map(({ state }) => state);
  const watcher = watcherOf(config, settings);
  const ofMetrics = plannedSettings(settings, metricsPlan(config.http.metrics));
  const stamp = (): string => [time(), ...saved().map(({ name, checkpoint }) => `${name} ${checkpoint}`)].join();
  const watches = memoised(stamp, () => {
    const asOfMs = time();
    const none = watcher === undefined || asOfMs === undefined;
    return { asOfMs, watches: none ? [] : watchReadings(watcher, states(), asOfMs) };
  });
  const read = (options: Omit<ViewOptions, 'sets' | 'rate'>, how = settings): View =>
    viewOf(states(), how, time(), { sets: config.slices, rate: rateOf(config), ...options });
  const exported = (options: Omit<ViewOptions, 'sets' | 'rate' | 'withWindows'>, how = settings): ExportedView => ({
    view: read({ withWindows: true, ...watches(), ...options }, how),
    windows: windowCounts(states(), settings, time()),
  });
  const folded = (options: Pick<ViewOptions, 'groupsMax' | 'choose'>, how = settings): ExportedView => {
    const shown = exported({ withBreakdowns: false, ...options }, how);
    if (shown.view.folded) limitReached(model.telemetry, 'groups_exported');
    return shown;
  };
  return {
    watches,
    all: memoised(stamp, () => exported({ withBreakdowns: true, groupsMax: undefined })),
    counts: () => read({ withWindows: false, withBreakdowns: false, groupsMax: undefined }),
    exported: memoised(stamp, () => folded({ groupsMax: config.limits.groups_exported })),
    chosen: memoised(stamp, (choose: ChooseGroups) => folded({ groupsMax: undefined, choose }, ofMetrics)),
  };
}

function memoised<T, Given extends readonly unknown[]>(
  stamp: () => string,
  make: (...given: Given) => T,
): (...given: Given) => T {
  let held: { readonly stamp: string; readonly value: T } | undefined;
  return (...given) => {
    const now = stamp();
    if (held?.stamp !== now) held = { stamp: now, value: make(...given) };
    return held.value;
  };
}

/** Idle time moves T by whole seconds: often enough for any pane. */
const idleStepMs = 1_000;

function createTime(config: Config, model: Viewed): () => number | undefined {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    let greatest = Number.NEGATIVE_INFINITY;
    for (const { state } of model.states.values()) greatest = Math.max(greatest, state.numbers.greatestTs);
    const idleMs = systemClock.monotonicMs() - model.lastRecordMs;
    // Records that were applied but wait to be saved, for their dead letters, are not shown yet: there is more to come.
    const shownTo = (name: string): number => model.states.get(name)?.state.numbers.nextOffset ?? 0;
    const caughtUp = [...model.telemetry.partitions].every(([name, { high }]) => shownTo(name) >= high);
    const idle = caughtUp && idleMs >= config.time.idle_after.ms ? Math.floor(idleMs / idleStepMs) * idleStepMs : 0;
    latest = Math.max(latest, greatest + idle);
    return latest === Number.NEGATIVE_INFINITY ? undefined : latest;
  };
}
