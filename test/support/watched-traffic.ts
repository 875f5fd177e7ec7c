import { settingsOf } from '../../src/config/settings.ts';
import { addAttributions, dropAttributions } from '../../src/state/attributions.ts';
import { evictionTimeOf } from '../../src/state/event-time.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { scoredSlot } from '../../src/state/row-layout.ts';
import type { Settings } from '../../src/state/settings.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { evictPanes, tallyEvent } from '../../src/state/window-sums.ts';
import { createDesigns } from '../../src/statistics/watch-design.ts';
import { createWatchPanes } from '../../src/view/watch-panes.ts';
import { watchableRates } from '../../src/view/watched-rates.ts';
import type { WatchRule } from '../../src/view/watch-baseline.ts';
import { createWatcher, type Watcher } from '../../src/view/watcher.ts';
import { attributing } from './attributions.ts';
import { configWith } from './folding.ts';

/** A rate of two cells, so that cases can be put into panes without events. */
const metric = 'decision.unknown_tool';

/** Settings of a configuration with these windows and finest panes, sliced by model and by agent. */
export function watchSettings(windows: readonly string[], pane = '10s'): Settings {
  return settingsOf(
    configWith({ 'time.windows': windows, 'time.pane': pane, slices: [['model'], ['agent']] }),
    undefined,
  );
}

/** A watcher of that rate alone, for the total and each model unless a rule has more sets. */
export function watcherWith(settings: Settings, ...rules: Partial<WatchRule>[]): Watcher {
  const rates = watchableRates(settings.layout).filter(({ path }) => path === metric);
  const rule: WatchRule = {
    metric,
    sets: [[], ['model']],
    where: {},
    baseline: undefined,
    learnMs: settings.windows.longestMs,
    worst: undefined,
    falseAlarm: { cases: 10_000 },
  };
  const all = rules.map((own) => ({ ...rule, ...own }));
  const isByAgent = all.some((own) => own.sets.some((set) => String(set) === 'agent'));
  const sets = [[], ['model'], ...(isByAgent ? [['agent']] : [])];
  const watcher = createWatcher(createWatchPanes(settings, rates, sets), all);
  return { ...watcher, designs };
}

/** A design is a function of its numbers: made once for all watchers. */
const designs = createDesigns();

/** Cases of one model at one time, as if so many events had been scored. */
export interface Cases {
  readonly model: string;
  /** Null: it was not read. */
  readonly agent?: string | null;
  readonly tsMs: number;
  readonly n: number;
  readonly bad: number;
  /** How many of the bad ones are attributed to invented tools, by name. */
  readonly invented?: Readonly<Record<string, number>>;
}

/** A partition that cases are put into: event time moves on with them. */
export function watchedPartition(
  settings: Settings,
  state: PartitionState = emptyPartition(settings),
): { readonly state: PartitionState; add(cases: Cases): void } {
  const [rate] = watchableRates(settings.layout).filter(({ path }) => path === metric);
  const ofAll = rate!.n.slots[0]!;
  const ofBad = rate!.bad.slots[0]!;
  return {
    state,
    add({ model, agent = 'agent', tsMs, n, bad, invented = {} }) {
      const { numbers, sums, attributions } = state;
      numbers.read += n;
      numbers.scored += n;
      numbers.greatestTs = Math.max(numbers.greatestTs, tsMs);
      evictPanes(sums, evictionTimeOf(numbers.greatestTs));
      dropAttributions(attributions);
      const row = new Float64Array(settings.layout.width);
      for (const [slot, amount] of [
        [scoredSlot, n],
        [ofAll, n],
        [ofBad, bad],
      ] as const)
        row[slot]! += amount;
      const slice = sliceCode(state.slices, [model, agent]);
      tallyEvent(sums, row, slice, tsMs, numbers.greatestTs);
      for (const [tool, cases] of Object.entries(invented)) {
        const set = attributing(ofBad, [tool], 'invented_tool');
        for (let at = 0; at < cases; at++) addAttributions(attributions, set, slice, tsMs);
      }
    },
  };
}
