import { pick, type Random } from '../../statistics/random.ts';
import { type AdditionWriter, clearAddition, createAdditionWriter } from '../../state/addition.ts';
import type { PartitionState } from '../../state/partition.ts';
import type { Layout } from '../../state/row-layout.ts';
import { sliceValues } from '../../state/slices.ts';
import { tallyEvent } from '../../state/window-sums.ts';
import type { Cases } from '../../statistics/kitagawa.ts';
import type { Scored } from '../../stream/score.ts';
import type { WatchReading } from '../../view/summary.ts';
import { readCells, type WatchableRate } from '../../view/watched-rates.ts';

/** A time in which more cases of a group are bad than were recorded. */
export interface Spike extends Pick<WatchReading, 'watch' | 'dimensions' | 'values'> {
  readonly fromMs: number;
  readonly toMs: number;
  /** Cases so far, and with those that were made bad. */
  n: number;
  bad: number;
}

/** A watch that can be tried, from when on it has a baseline. */
export interface Target extends Pick<WatchReading, 'watch' | 'dimensions' | 'values'> {
  readonly readyMs: number;
}

/** Spikes one after the other, each of a watch drawn at random, at least `everyMs` apart; all end before `toMs`. */
export function planSpikes(
  random: Random,
  targets: readonly Target[],
  { forMs, everyMs, toMs }: { readonly forMs: number; readonly everyMs: number; readonly toMs: number },
): Spike[] {
  const spikes: Spike[] = [];
  let fromMs = Math.min(...targets.map(({ readyMs }) => readyMs));
  for (fromMs += random() * everyMs; fromMs + 2 * forMs <= toMs; fromMs += everyMs * (1 + random())) {
    const ready = targets.filter(({ readyMs }) => readyMs <= fromMs);
    const { watch, dimensions, values } = pick(random, ready);
    spikes.push({ watch, dimensions, values, fromMs, toMs: fromMs + forMs, n: 0, bad: 0 });
  }
  return spikes;
}

/** Reads the cases of scored events, and makes good ones bad. */
export interface Planter {
  /** Cases of a rate in one event. */
  casesOf(scored: Scored, rate: WatchableRate): Cases;
  /** Makes so many good cases of an event bad. */
  spoil(state: PartitionState, scored: Scored, rate: WatchableRate, cases: number): void;
}

/** A planter for the rows of a layout. */
export function createPlanter(layout: Layout): Planter {
  const writer = createAdditionWriter(layout);
  const { row } = writer.addition;
  return {
    casesOf(scored, rate) {
      tallyFamily(writer, layout, scored, rate);
      return { n: readCells(rate.n, row, 0), bad: readCells(rate.bad, row, 0) };
    },
    spoil(state, { slice, ts }, rate, cases) {
      row.fill(0);
      // The event itself is counted already.
      for (const [slot, amount] of changeOf(rate)) row[slot]! += amount * cases;
      tallyEvent(state.sums, row, slice, ts, state.numbers.greatestTs);
    },
  };
}

/** Returns whether an event belongs to a group. */
export function isIn(
  state: PartitionState,
  { slice }: Scored,
  { dimensions, values }: Pick<Spike, 'dimensions' | 'values'>,
): boolean {
  const own = sliceValues(state.slices, slice);
  return dimensions.every((dimension, at) => own[state.settings.dimensions.indexOf(dimension)] === values[at]);
}

function tallyFamily(
  { addition, tallies }: AdditionWriter,
  layout: Layout,
  { outcomes }: Scored,
  { path }: WatchableRate,
): void {
  clearAddition(addition, 0);
  const at = layout.families.findIndex(({ name }) => path.startsWith(`${name}.`));
  if (outcomes[at] !== undefined) layout.families[at]!.tally(outcomes[at], tallies[at]!);
}

/** The change of a row by a good case that becomes bad: one cell, or one less and another more. */
function changeOf({ n, bad, path }: WatchableRate): readonly (readonly [slot: number, amount: number])[] {
  const slots = [...new Set([...n.slots, ...bad.slots])];
  const changes = [
    ...slots.flatMap((slot) => [[[slot, 1]], [[slot, -1]]] as const),
    ...slots.flatMap((less) =>
      slots.map(
        (more) =>
          [
            [less, -1],
            [more, 1],
          ] as const,
      ),
    ),
  ];
  const sum = ({ slots: of, factors }: WatchableRate['n'], change: readonly (readonly [number, number])[]): number =>
    change.reduce((total, [slot, amount]) => total + amount * (factors[of.indexOf(slot)] ?? 0), 0);
  const found = changes.find((change) => sum(n, change) === 0 && sum(bad, change) === 1);
  if (found === undefined) throw new Error(`${path}: no cell tells a good case from a bad one`);
  return found;
}
