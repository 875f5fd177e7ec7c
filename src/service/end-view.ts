import { rateOf } from '../config/settings.ts';
import type { Config } from '../config/config.ts';
import type { PartitionState } from '../state/partition.ts';
import type { View } from '../view/summary.ts';
import { viewOf } from '../view/view.ts';
import { watchReadings } from '../view/watches.ts';
import { watcherOf } from './watches.ts';

interface EndViewOptions {
  readonly config: Config;
  /** True if the windows that end with the last event are shown. */
  readonly withWindows?: boolean | undefined;
  /** Undefined: every group. */
  readonly groupsMax?: number | undefined;
}

/** The view of states at the greatest event time of some of them; `-Infinity`: nothing was read. */
export function endView(
  states: readonly PartitionState[],
  greatestTs: number,
  { config, withWindows = true, groupsMax }: EndViewOptions,
): View {
  const { settings } = states[0]!;
  const asOfMs = Number.isFinite(greatestTs) ? greatestTs : undefined;
  const watcher = watcherOf(config, settings);
  return viewOf(states, settings, asOfMs, {
    ...{ sets: config.slices, rate: rateOf(config), withWindows, withBreakdowns: true, groupsMax },
    watches: watcher === undefined || asOfMs === undefined ? [] : watchReadings(watcher, states, asOfMs),
  });
}

/** The truth that the newest events of states were joined with; null where no version was in use. */
export function truthOf(states: readonly PartitionState[]): { readonly version: string; readonly rows: number } | null {
  const newest = states
    .toSorted((a, b) => a.numbers.greatestTs - b.numbers.greatestTs)
    .at(-1)
    ?.activations.at(-1);
  return newest === undefined ? null : { version: newest.version, rows: newest.rows };
}
