import type { AttributionKind } from '../../src/scoring/attribution.ts';
import type { AnyFamily, Family, Joined } from '../../src/scoring/family.ts';
import { createAdditionWriter } from '../../src/state/addition.ts';
import type { Attributions } from '../../src/state/attributions.ts';
import { addAttribution, type AttributionSet, noAttributions, namesIn } from '../../src/state/attribution-set.ts';
import { chunkOf, keyOf, liveRows, valuesAt } from '../../src/state/containers/table.ts';
import { layoutOf } from '../../src/state/row-layout.ts';
import { readCells, watchableRates } from '../../src/view/watched-rates.ts';
import { outcomeOf } from './tally.ts';

/** What an event attributions, by the rates that it is bad by: `tool book`, `wrong_value book.date`. */
export function attributedBy<P, O, S>(family: Family<P, O, S>, event: Joined): Record<string, string[]> {
  const layout = layoutOf([family as unknown as AnyFamily]);
  const { addition, tallies } = createAdditionWriter(layout);
  const scored = outcomeOf(family, event);
  if (scored !== undefined) family.tally(scored.outcome, tallies[0]!);
  const { row, attributions } = addition;
  const bad = watchableRates(layout).filter((rate) => readCells(rate.bad, row, 0) > 0);
  const told = bad.map(({ path, bad: { slots } }) => {
    const own = attributions.names.filter((name) => name.slots.some((slot) => slots.includes(slot)));
    return [path, own.map(({ kind, tool, argument }) => `${kind} ${tool}${argument && `.${argument}`}`)] as const;
  });
  const isBad = new Set(bad.flatMap((rate) => [...rate.bad.slots]));
  for (const slot of attributions.names.flatMap(({ slots }) => slots))
    if (!isBad.has(slot)) throw new Error('blames where nothing is bad');
  return Object.fromEntries(told.filter(([, names]) => names.length > 0));
}

/** A set of tools that are attributed by a slot. */
export function attributing(
  slot: number,
  tools: readonly string[],
  kind: AttributionKind = 'tool',
  argument = '',
): AttributionSet {
  const set = noAttributions();
  for (const tool of tools) addAttribution(set, slot, kind, tool, argument);
  return set;
}

/** Events by slice, tier, pane, slot and what they attribute, where rows lie aside. */
export function heldAttributions(
  { table, sets }: Attributions,
  sliceName: (slice: number) => string = String,
): [string, number][] {
  const held = new Map<string, number>();
  for (const row of liveRows(table)) {
    const [slice, tier, pane, set] = [0, 1, 2, 3].map((key) => keyOf(table, row, key));
    for (const { slots, ...name } of namesIn(sets.list[set!]!))
      for (const slot of slots) {
        const key = `${sliceName(slice!)} ${tier} ${pane} ${slot} ${JSON.stringify(name)}`;
        held.set(key, (held.get(key) ?? 0) + chunkOf(table, row)[valuesAt(table, row)]!);
      }
  }
  return [...held].sort(([a], [b]) => (a < b ? -1 : 1));
}
