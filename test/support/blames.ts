import { blamedOf, blamedText } from '../../src/scoring/blame.ts';
import type { AnyFamily, Family, Joined } from '../../src/scoring/family.ts';
import type { Blames } from '../../src/state/blames.ts';
import { blameKeys, counted, paneOfKey } from '../../src/state/blames.ts';
import { chunkOf, keyOf, liveRows, valuesAt } from '../../src/state/containers/table.ts';
import { createDeltaWriter } from '../../src/state/row-delta.ts';
import { layoutOf } from '../../src/state/row-layout.ts';
import { readCells, watchableRates } from '../../src/view/watched-rates.ts';
import { outcomeOf } from './tally.ts';

/** What an event blames, by the rates that it is bad by: `tool book`, `wrong_value book.date`. */
export function blamedBy<P, O, S>(family: Family<P, O, S>, event: Joined): Record<string, string[]> {
  const layout = layoutOf([family as unknown as AnyFamily]);
  const { delta, tallies } = createDeltaWriter(layout);
  const scored = outcomeOf(family, event);
  if (scored !== undefined) family.tally(scored.outcome, tallies[0]!);
  const row = new Float64Array(layout.width);
  for (let i = 0; i < delta.counts; i++) row[delta.slots[i]!]! += delta.amounts[i]!;
  const bad = watchableRates(layout).filter((rate) => readCells(rate.bad, row, 0) > 0);
  const told = bad.map(({ path, bad: { slots } }) => {
    const own = delta.blames.filter(({ slot }) => slots.includes(slot));
    return [path, own.map(({ kind, tool, argument }) => `${kind} ${tool}${argument && `.${argument}`}`)] as const;
  });
  const isBad = new Set(bad.flatMap((rate) => [...rate.bad.slots]));
  for (const { slot } of delta.blames) if (!isBad.has(slot)) throw new Error('blames where nothing is bad');
  return Object.fromEntries(told.filter(([, names]) => names.length > 0));
}

/** Cases by slice, tier, pane, slot and what they are blamed on, where rows lie aside. */
export function heldBlames(blames: Blames, sliceName: (slice: number) => string = String): [string, number][] {
  const { table, names, panes } = blames;
  return liveRows(table)
    .filter((row) => keyOf(table, row, blameKeys.name) !== counted)
    .map((row): [string, number] => {
      const [tier, pane] = paneOfKey(panes.plan.tiers, keyOf(table, row, blameKeys.pane));
      const slice = sliceName(keyOf(table, row, blameKeys.slice));
      const name = blamedText(blamedOf(names.list[keyOf(table, row, blameKeys.name)]!));
      const key = `${slice} ${tier} ${pane} ${keyOf(table, row, blameKeys.slot)} ${name}`;
      return [key, chunkOf(table, row)[valuesAt(table, row)]!];
    })
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
