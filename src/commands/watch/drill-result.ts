import { meanCases } from '../../statistics/cusum.ts';
import type { Cases } from '../../statistics/kitagawa.ts';
import type { WatchReading } from '../../view/summary.ts';
import { type Alarm, type Alarms, watchKey } from '../../view/watch-alarms.ts';
import type { Spike, Target } from './planted-spikes.ts';
import { printable } from '../../terminal/terminal-text.ts';
import { textTable } from '../../terminal/text-table.ts';

/** The result of one pass over the recorded traffic. */
export interface Pass {
  readonly alarms: Alarms;
  fromMs: number;
  toMs: number;
  /** By key of a watch, without the cases that spikes made bad. */
  readonly cases: Map<string, Cases>;
  /** Watches from when on they had a baseline. */
  readonly ready: Map<string, Target>;
  /** How the watches stand at the end. */
  last: readonly WatchReading[];
  /** How the watch of a spike stood when that began. */
  readonly before: Map<Spike, WatchReading>;
  /** When it fired first in the spike, and the cases of the spike until then. */
  readonly seen: Map<Spike, { readonly atMs: number; readonly n: number }>;
}

/** The result of a drill. */
export interface Drill {
  readonly days: number;
  readonly spikes: readonly TriedSpike[];
  readonly false_alarms: {
    /** Alarms of the traffic as it was recorded: some may be right. */
    readonly without_spikes: number;
    /** Further ones, in the pass with spikes, that none of them explains. */
    readonly beside_spikes: number;
    /** Mean number in one pass, by design. */
    readonly designed: number;
  };
}

interface TriedSpike {
  readonly watch: string;
  readonly slice: Readonly<Record<string, string>>;
  readonly from: string;
  /** Share of bad cases in the spike, and in the traffic as it was. */
  readonly rate: number;
  readonly usual: number;
  readonly cases: number;
  /** Null where the watch fired already: then there is nothing to measure. */
  readonly seen: boolean | null;
  /** From the beginning of the spike to the alarm; null where it was not seen. */
  readonly delay_cases: number | null;
  readonly delay_minutes: number | null;
  /** Mean number of cases until it is seen, by design. */
  readonly designed_cases: number;
}

/** The result of the passes without and with spikes. */
export function drillOf(calm: Pass, planted: Pass, spikes: readonly Spike[]): Drill {
  const recorded = new Set(calm.alarms.all.map(({ reading }) => watchKey(reading)));
  const isExplained = (alarm: Alarm): boolean =>
    spikes.some((spike) => explains(spike, alarm)) ||
    (recorded.has(watchKey(alarm.reading)) && calm.alarms.all.some((known) => overlaps(known, alarm)));
  const designed = calm.last.reduce((sum, reading) => {
    const { n = 0 } = calm.cases.get(watchKey(reading)) ?? {};
    return sum + (reading.design === undefined ? 0 : n / reading.design.falseAlarmCases);
  }, 0);
  return {
    days: (calm.toMs - calm.fromMs) / 86_400_000,
    spikes: spikes.flatMap((spike) => triedSpike(spike, calm, planted)),
    false_alarms: {
      without_spikes: calm.alarms.all.length,
      beside_spikes: planted.alarms.all.filter((alarm) => !isExplained(alarm)).length,
      designed,
    },
  };
}

function triedSpike(spike: Spike, calm: Pass, planted: Pass): TriedSpike[] {
  const before = planted.before.get(spike);
  if (before?.design === undefined || spike.n === 0) return [];
  const { weights, threshold } = before.design;
  const rate = Math.min(0.999, spike.bad / spike.n);
  const found = planted.seen.get(spike);
  const usual = calm.cases.get(watchKey(spike))!;
  return [
    {
      watch: spike.watch,
      slice: Object.fromEntries(spike.dimensions.map((dimension, at) => [dimension, spike.values[at]!])),
      from: new Date(spike.fromMs).toISOString(),
      rate,
      usual: usual.bad / usual.n,
      cases: spike.n,
      seen: before.firing ? null : found !== undefined,
      delay_cases: before.firing || found === undefined ? null : found.n,
      delay_minutes: before.firing || found === undefined ? null : (found.atMs - spike.fromMs) / 60_000,
      designed_cases: before.designEffect * meanCases(weights, threshold, rate),
    },
  ];
}

/** A spike may show in each group that has some of its cases, in other rates of the family, and for an hour. */
function explains({ watch, dimensions, values, fromMs, toMs }: Spike, { beginMs, reading }: Alarm): boolean {
  const familyOf = (path: string): string => path.split('.')[0]!;
  const shares = reading.dimensions.every((dimension, at) => {
    const own = dimensions.indexOf(dimension);
    return own < 0 || values[own] === reading.values[at];
  });
  return familyOf(watch) === familyOf(reading.watch) && shares && beginMs >= fromMs && beginMs <= toMs + hourMs;
}

const hourMs = 3_600_000;

function overlaps(a: Alarm, b: Alarm): boolean {
  const ends = ({ endMs = Number.POSITIVE_INFINITY }: Alarm): number => endMs + hourMs;
  return watchKey(a.reading) === watchKey(b.reading) && a.beginMs <= ends(b) && b.beginMs <= ends(a);
}

/** A drill as text for people: a line a watch. */
export function drillText({ days, spikes, false_alarms }: Drill): string {
  const watches = [...new Set(spikes.map(({ watch }) => watch))].sort();
  const rows = watches.map((watch) => {
    const of = spikes.filter((spike) => spike.watch === watch && spike.seen !== null);
    const seen = of.filter((spike) => spike.seen);
    const mean = (values: readonly number[]): string =>
      values.length === 0 ? '–' : (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(0);
    return [
      printable(watch),
      String(of.length),
      String(seen.length),
      `${mean(of.map(({ usual }) => 100 * usual))} → ${mean(of.map(({ rate }) => 100 * rate))} %`,
      mean(seen.map(({ delay_cases }) => delay_cases!)),
      mean(seen.map(({ designed_cases }) => designed_cases)),
      mean(seen.map(({ delay_minutes }) => delay_minutes!)),
    ];
  });
  const unfit = spikes.filter(({ seen }) => seen === null).length;
  const { without_spikes, beside_spikes, designed } = false_alarms;
  return [
    textTable([['watch', 'spikes', 'seen', 'rate', 'cases until seen', 'designed', 'minutes'], ...rows]),
    '',
    ...(unfit > 0 ? [`${unfit} further spikes fell on a watch that fired already.`] : []),
    `${beside_spikes} alarms that no spike explains in ${days.toFixed(1)} days; designed ${designed.toFixed(2)}. Without spikes there were ${without_spikes} alarms.`,
    '',
  ].join('\n');
}
