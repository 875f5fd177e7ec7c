import type { Joined } from '../../src/scoring/family.ts';
import { readBlock } from '../../src/scoring/family.ts';
import type { Block } from '../../src/scoring/metric.ts';
import type { RateOf } from '../../src/scoring/reading.ts';
import { counterKeys, histogramAt } from '../../src/scoring/stability/histograms.ts';
import { noVerdict } from '../../src/scoring/stability/index.ts';
import type { Settings } from '../../src/state/settings.ts';
import { paneOf } from '../../src/state/windows.ts';
import { alwaysRate } from '../../src/view/always-rate.ts';

import type { ViewOptions } from '../../src/view/view.ts';
import type { ReadGroup } from './folding.ts';
import { tallyEvents } from './tally.ts';

/** A scored event with all that a view could ask of it. */
export interface ViewedEvent {
  /** Values by dimension. */
  readonly values: Readonly<Record<string, string>>;
  readonly tsMs: number;
  /** In no window any more when it came. */
  readonly late: boolean;
  readonly joined: Joined;
  /** Events of equal texts are runs of one group, in this order. */
  readonly runsOf: string;
}

type NaiveGroup = Omit<ReadGroup, 'row'>;

/** The groups of a view, each counted from its own events: nothing is merged, and nothing is taken away. */
export function naiveGroups(
  events: readonly ViewedEvent[],
  settings: Settings,
  asOfMs: number | undefined,
  options: ViewOptions,
): NaiveGroup[] {
  const windows = options.withWindows ? settings.windows.windows.map(({ name }) => name) : [];
  return ['all', ...windows].flatMap((window) => {
    const within = events.filter((event) => window === 'all' || isWithin(settings, window, event, asOfMs));
    return [[], ...options.sets].flatMap((dimensions) =>
      valuesOf(within, dimensions, options.groupsMax).map(([values, own]) => ({
        dimensions,
        values,
        window,
        scored: own.length,
        blocks: blocksOf(settings, own, window === 'all', options),
      })),
    );
  });
}

function isWithin(
  { windows: { windows, tiers } }: Settings,
  name: string,
  { late, tsMs }: ViewedEvent,
  asOfMs: number | undefined,
): boolean {
  if (late || asOfMs === undefined) return false;
  const window = windows.find((each) => each.name === name)!;
  const tier = tiers[window.tier]!;
  const age = paneOf(tier, asOfMs) - paneOf(tier, tsMs);
  return age >= 0 && age < window.panes;
}

/** Events by their values of a set of dimensions, sorted; the least of them together where there are too many. The total is always there. */
function valuesOf(
  events: readonly ViewedEvent[],
  dimensions: readonly string[],
  most: number | undefined,
): [readonly string[], readonly ViewedEvent[]][] {
  const keyOf = ({ values }: ViewedEvent): string => dimensions.map((name) => values[name]!).join('\n');
  const groups = groupedBy(events, keyOf);
  if (dimensions.length === 0) return [[[], events]];
  const bySize = [...groups.keys()].toSorted().toSorted((a, b) => groups.get(b)!.length - groups.get(a)!.length);
  const others = dimensions.map(() => '__other__').join('\n');
  const shown = groupedBy(events, (event) =>
    bySize.indexOf(keyOf(event)) < (most ?? bySize.length) ? keyOf(event) : others,
  );
  return [...shown.keys()].toSorted().map((key) => [key.split('\n'), shown.get(key)!]);
}

function blocksOf(
  { layout, stability, verdictOf }: Settings,
  events: readonly ViewedEvent[],
  isAll: boolean,
  { rate: plainRate, withBreakdowns }: ViewOptions,
): Record<string, Block | null> {
  const rate = isAll ? alwaysRate(plainRate) : plainRate;
  const blocks: [string, Block | null][] = layout.families.map((family) => {
    const { reader, windowReader } = tallyEvents(
      family,
      events.map(({ joined }) => joined),
    );
    return [family.name, readBlock(family, isAll && withBreakdowns ? reader : windowReader, rate)];
  });
  if (stability !== undefined && isAll) blocks.push([stability.name, runsBlock(stability, events, verdictOf, rate)]);
  return Object.fromEntries(blocks);
}

/** The block over groups of runs of which none has more than k. */
function runsBlock(
  stability: NonNullable<Settings['stability']>,
  events: readonly ViewedEvent[],
  verdictOf: Settings['verdictOf'],
  rate: RateOf,
): Block | null {
  const found: { readonly gold: number; readonly histogram: number; readonly key: number }[] = [];
  const counted = events.filter(({ joined }) => joined.truth.label !== undefined || verdictOf(joined) !== noVerdict);
  for (const runs of groupedBy(counted, ({ runsOf }) => runsOf).values()) {
    const { label } = runs[0]!.joined.truth;
    const gold = label ?? 0;
    if (label !== undefined) found.push({ gold, histogram: histogramAt.counters, key: counterKeys.seen });
    if (runs.length < stability.k) continue;
    const labels = runs.map(({ joined }) => stability.countedLabel(joined.prediction.label));
    const outcome = stability.outcome(
      gold,
      labels,
      runs.map(({ joined }) => verdictOf(joined)),
    );
    for (const name of ['shapes', 'correct', 'flips', 'successes'] as const) {
      const key = outcome[name];
      const histogram = label === undefined ? (name === 'successes' ? 'unlabelled' : undefined) : name;
      if (key !== undefined && histogram !== undefined) found.push({ gold, histogram: histogramAt[histogram], key });
    }
  }
  const counts = (histogram: number, gold: number): ReadonlyMap<number, number> => {
    const own = found.filter((each) => each.histogram === histogram && each.gold === gold);
    return new Map([...groupedBy(own, ({ key }) => key)].map(([key, all]) => [key, all.length]));
  };
  return readBlock(stability, { counts }, rate);
}

function groupedBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
