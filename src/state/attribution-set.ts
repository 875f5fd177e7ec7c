import type { Attributed, AttributionKind } from '../scoring/attribution.ts';
import { other } from './slices.ts';

/** All attributions of one event. */
export interface AttributionSet {
  readonly names: AttributedName[];
}

/** A name, and the cells of the layout by which its event is bad. */
export interface AttributedName extends Attributed {
  readonly slots: number[];
}

/** Most attributions of one event by one cell: beyond, it is wrong all over. */
const namesMost = 16;

/** Characters of a name that are stored: an event may have one of a megabyte, and one for every argument. */
const nameCharacters = 200;

/** An empty set. */
export function noAttributions(): AttributionSet {
  return { names: [] };
}

/** Empties a set. */
export function clearAttributions(set: AttributionSet): void {
  set.names.length = 0;
}

/** Adds a name to a set, unless it is there. */
export function addAttribution(
  { names }: AttributionSet,
  slot: number,
  kind: AttributionKind,
  tool: string,
  argument: string,
): void {
  let known: AttributedName | undefined;
  let held = 0;
  for (const name of names) {
    const isSame = name.kind === kind && name.tool === tool && name.argument === argument;
    if (isSame) known = name;
    if (!name.slots.includes(slot)) continue;
    if (isSame || ++held === namesMost) return;
  }
  if (known === undefined) names.push({ kind, tool, argument, slots: [slot] });
  else known.slots.push(slot);
}

/** A name as it is kept. */
export function cutName(name: string): string {
  return name.slice(0, nameCharacters);
}

/** Text of a set, equal for equal sets: its key in the dictionary. Joined, since a text made by adding to it keeps all its parts in memory. */
export function textOf(names: readonly AttributedName[]): string {
  const parts: (string | number)[] = [];
  for (const { kind, tool, argument, slots } of names)
    parts.push(kind, slots.join(), tool.length, argument.length, tool + argument);
  return parts.join(' ');
}

/** The names that a text stands for. */
export function namesIn(text: string): AttributedName[] {
  const head = / ?(\w+) ([\d,]+) (\d+) (\d+) /y;
  const names: AttributedName[] = [];
  for (let found = head.exec(text); found !== null; found = head.exec(text)) {
    const [, kind, slots, toolLength, argumentLength] = found;
    const from = head.lastIndex;
    const to = from + Number(toolLength);
    head.lastIndex = to + Number(argumentLength);
    names.push({
      kind: kind as AttributionKind,
      tool: text.slice(from, to),
      argument: text.slice(to, head.lastIndex),
      slots: slots!.split(',').map(Number),
    });
  }
  return names;
}

/** The names in place of too many: of each kind `__other__`. */
export function othersOf(names: readonly AttributedName[]): AttributedName[] {
  const others = noAttributions();
  for (const { slots, kind } of names) for (const slot of slots) addAttribution(others, slot, kind, other, '');
  return others.names;
}
