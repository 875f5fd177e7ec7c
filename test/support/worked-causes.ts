import { addAttribution, noAttributions } from '../../src/state/attribution-set.ts';
import { addAttributions } from '../../src/state/attributions.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { tallyEvent } from '../../src/state/window-sums.ts';
import { causeText } from '../../src/view/cause-text.ts';
import type { Cause, WatchReading } from '../../src/view/summary.ts';
import { createCauseMemory } from '../../src/view/cause-baselines.ts';
import { explainAlarms } from '../../src/view/watch-causes.ts';
import { segmentsAt } from '../../src/view/watch-segments.ts';
import { watchableRates, type WatchableRate } from '../../src/view/watched-rates.ts';
import { watchSettings } from './watched-traffic.ts';

const settings = watchSettings(['24h']);
const [tier] = settings.windows.tiers;
const startMs = Date.UTC(2026, 0, 1);
const sinceMs = startMs + tier!.paneMs;

/** Cases of a finest slice, of which some are bad: by the tool that they are attributed to, or by their outcome. */
interface Cases {
  readonly of: readonly (string | null)[];
  readonly n: number;
  readonly bad?: number;
  readonly tools?: Readonly<Record<string, number>>;
  readonly outcomes?: Readonly<Record<string, number>>;
  /** Cases by gold label; as many of each by default. */
  readonly golds?: Readonly<Record<string, number>>;
}

interface Spans {
  readonly before?: readonly Cases[] | undefined;
  readonly since: readonly Cases[];
  readonly baseline?: number;
  readonly group?: Pick<WatchReading, 'dimensions' | 'values'>;
}

/** A rate by its path. */
export function rateAt(path: string): WatchableRate {
  return watchableRates(settings.layout).find((rate) => rate.path === path)!;
}

const total = { dimensions: [], values: [] };

/** What an alarm of a rate says of the change from one span to another. */
export function causes(
  watch: string | WatchableRate,
  { before = [], since, baseline = 0.02, group = total }: Spans,
  memory = createCauseMemory([]),
): readonly Cause[] {
  const rate = typeof watch === 'string' ? rateAt(watch) : watch;
  const state = emptyPartition(settings);
  for (const [tsMs, all] of [
    [startMs, before],
    [sinceMs, since],
  ] as const)
    for (const cases of all) {
      const slice = sliceCode(state.slices, cases.of);
      const row = new Float64Array(settings.layout.width);
      for (const [slot, amount] of amountsOf(rate, cases)) row[slot]! += amount;
      tallyEvent(state.sums, row, slice, tsMs, sinceMs);
      for (const [tool, times] of Object.entries(cases.tools ?? {})) {
        const set = noAttributions();
        addAttribution(set, rate.bad.slots[0]!, 'tool', tool, '');
        for (let at = 0; at < times; at++) addAttributions(state.attributions, set, slice, tsMs);
      }
    }
  const alarm = { sinceMs, untilMs: sinceMs + tier!.paneMs };
  const reading = { ...group, incidents: [alarm], design: { baseline } } as unknown as WatchReading;
  const reference = { n: 0, bad: 0, end: sinceMs / tier!.paneMs, fired: [] };
  const segments = segmentsAt(settings.windows, sinceMs);
  return explainAlarms(settings, [state], segments, [{ reading, rate, reference }], memory)[0]![0]!.causes!;
}

/** Cells of a row: all cases and the bad ones; of a rate of outcomes those that came to each, the others being right, as many of each gold label. */
function amountsOf({ n, bad, outcomes }: WatchableRate, cases: Cases): (readonly [slot: number, amount: number])[] {
  if (cases.outcomes === undefined)
    return [
      [n.slots[0]!, cases.n],
      [bad.slots[0]!, cases.bad ?? 0],
    ];
  const byGold = new Map(outcomes.map(({ gold, possible }) => [gold, possible]));
  const wrong = Object.entries(cases.outcomes).map(([name, amount]) => {
    const { cells, gold } = outcomes.find((outcome) => `${outcome.gold} → ${outcome.predicted}` === name)!;
    return { slot: cells.slots[0]!, gold, amount };
  });
  const right = [...byGold].map(([gold, { slots }]) => {
    const own = wrong.reduce((sum, one) => sum + (one.gold === gold ? one.amount : 0), 0);
    return [
      slots.find((slot) => !bad.slots.includes(slot))!,
      (cases.golds?.[gold] ?? cases.n / byGold.size) - own,
    ] as const;
  });
  return [...right, ...wrong.map(({ slot, amount }) => [slot, amount] as const)];
}

const rounded = (value: number): number => Math.round(1e9 * value) / 1e9;

/** By text: shares by rate and by mix, then cases and bad cases before, and since. */
export function told(all: readonly Cause[]): Record<string, unknown[]> {
  return Object.fromEntries(
    all.map((cause) => {
      const { byRate, byMix, before, since } = cause;
      return [
        causeText(cause),
        [rounded(byRate), rounded(byMix), before && [before.n, before.bad], [since.n, since.bad]],
      ];
    }),
  );
}
