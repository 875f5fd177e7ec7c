import assert from 'node:assert/strict';
import type { CellKind, Family, Joined, Tally, TallyReader } from '../../src/scoring/family.ts';
import type { BreakdownEntry } from '../../src/scoring/metric.ts';
import { addSum, readSum, unitsOf, unitsPerOne } from '../../src/state/containers/exact-sum.ts';

type Shape = Pick<Family<never, never, never>, 'cells' | 'breakdowns'>;

/** An in-memory tally of one group, its contents as plain values for comparison, and its readings. */
export interface MemoryTally {
  readonly tally: Tally;
  /** The view of window `all`: breakdowns included. */
  readonly reader: TallyReader;
  /** The view of another window: no breakdowns. */
  readonly windowReader: TallyReader;
  /** Everything held, in canonical order: equal tallies have deeply equal contents. */
  contents(): readonly unknown[];
}

interface Held {
  readonly shape: Shape;
  /** Two doubles a cell: a count uses the first. */
  readonly cells: Float64Array;
  readonly breakdowns: readonly Map<string, Map<string, number[]>>[];
  /** By cell and what is attributed: how often it was said. */
  readonly attributions: Map<string, number>;
}

const heldOf = new WeakMap<MemoryTally, Held>();

/** An empty tally for a family. Refuses what a family must not do: wrong cell kinds, columns out of range, values that are no counts. */
export function tallyOf(family: Shape): MemoryTally {
  const held: Held = {
    shape: { cells: family.cells, breakdowns: family.breakdowns },
    cells: new Float64Array(2 * family.cells.length),
    breakdowns: family.breakdowns.map(() => new Map()),
    attributions: new Map(),
  };
  const memory: MemoryTally = {
    tally: writerOf(held),
    reader: readerOf(held, true),
    windowReader: readerOf(held, false),
    contents: () => [[...held.cells], ...held.breakdowns.map(entriesOf), sorted(held.attributions)],
  };
  heldOf.set(memory, held);
  return memory;
}

/** The tally of the union of what the parts were given, by addition. */
export function mergeTallies(family: Shape, parts: readonly MemoryTally[]): MemoryTally {
  const merged = tallyOf(family);
  const into = heldOf.get(merged)!;
  for (const part of parts) {
    const from = heldOf.get(part)!;
    for (let cell = 0; cell < family.cells.length; cell++) {
      addSum(into.cells, 2 * cell, from.cells[2 * cell]!, from.cells[2 * cell + 1]!);
    }
    for (const [key, times] of from.attributions) into.attributions.set(key, (into.attributions.get(key) ?? 0) + times);
    from.breakdowns.forEach((entries, breakdown) => {
      for (const { key, subkey, columns } of entriesOf(entries)) {
        columns.forEach((amount, column) => {
          merged.tally.entry(breakdown, key, subkey, column, amount);
        });
      }
    });
  }
  return merged;
}

/** Scores joined events the way the fold does, into a new tally. Events to which the family does not apply add nothing. */
export function tallyEvents<P, O, S>(family: Family<P, O, S>, events: readonly Joined[]): MemoryTally {
  const memory = tallyOf(family);
  for (const event of events) {
    const outcome = outcomeOf(family, event)?.outcome;
    if (outcome !== undefined) family.tally(outcome, memory.tally);
  }
  return memory;
}

/** A tally of outcomes: its reader, and what it holds. */
export function tallyOutcomes<P, O, S>(family: Family<P, O, S>, outcomes: readonly O[]): MemoryTally & TallyReader {
  const memory = tallyOf(family);
  for (const outcome of outcomes) family.tally(outcome, memory.tally);
  const both = { ...memory, ...memory.reader };
  heldOf.set(both, heldOf.get(memory)!);
  return both;
}

/** Outcome of one event with what was prepared for it; `undefined` where the family does not apply. */
export function outcomeOf<P, O, S>(
  family: Family<P, O, S>,
  event: Joined,
): { readonly outcome: O; readonly prepared: P } | undefined {
  const prepared = family.prepare(event.truth);
  if (prepared === undefined) return undefined;
  const outcome = family.score(event, prepared);
  return outcome === undefined ? undefined : { outcome, prepared };
}

function writerOf(held: Held): Tally {
  return {
    count(cell, amount) {
      assert.equal(held.shape.cells[cell], 'count' satisfies CellKind, `cell ${cell} holds no count`);
      assert.ok(Number.isSafeInteger(amount), `amount ${amount} of cell ${cell} is no integer`);
      held.cells[2 * cell]! += amount;
    },
    sum(cell, value) {
      assert.equal(held.shape.cells[cell], 'sum' satisfies CellKind, `cell ${cell} holds no sum`);
      assert.ok(Number.isFinite(value), `value ${value} of cell ${cell} is not finite`);
      addSum(held.cells, 2 * cell, Math.floor(value), unitsOf(value));
    },
    entry(breakdown, key, subkey, column, amount) {
      const width = held.shape.breakdowns[breakdown];
      assert.ok(width !== undefined, `no breakdown ${breakdown}`);
      assert.ok(column >= 0 && column < width, `breakdown ${breakdown} has no column ${column}`);
      assert.ok(Number.isSafeInteger(amount), `amount ${amount} of breakdown ${breakdown} is no integer`);
      const subkeys = held.breakdowns[breakdown]!;
      if (!subkeys.has(key)) subkeys.set(key, new Map());
      const entries = subkeys.get(key)!;
      if (!entries.has(subkey)) entries.set(subkey, new Array<number>(width).fill(0));
      entries.get(subkey)![column]! += amount;
    },
    attribute(cell, ...attributed) {
      assert.equal(held.shape.cells[cell], 'count' satisfies CellKind, `cell ${cell} holds no count`);
      const key = JSON.stringify([cell, ...attributed]);
      held.attributions.set(key, (held.attributions.get(key) ?? 0) + 1);
    },
  };
}

function readerOf(held: Held, breakdowns: boolean): TallyReader {
  return {
    count(cell) {
      assert.equal(held.shape.cells[cell], 'count' satisfies CellKind, `cell ${cell} holds no count`);
      return held.cells[2 * cell]!;
    },
    sum(cell) {
      assert.equal(held.shape.cells[cell], 'sum' satisfies CellKind, `cell ${cell} holds no sum`);
      assert.ok(held.cells[2 * cell + 1]! < unitsPerOne);
      return readSum(held.cells, 2 * cell);
    },
    entries(breakdown) {
      const entries = held.breakdowns[breakdown];
      assert.ok(entries !== undefined, `no breakdown ${breakdown}`);
      return breakdowns ? entriesOf(entries) : undefined;
    },
  };
}

function entriesOf(entries: Map<string, Map<string, number[]>>): BreakdownEntry[] {
  return sorted(entries).flatMap(([key, subkeys]) =>
    sorted(subkeys).map(([subkey, columns]) => ({ key, subkey, columns: [...columns] })),
  );
}

/** Entries by key in code unit order. */
function sorted<V>(map: Map<string, V>): [string, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
