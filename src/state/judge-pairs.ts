import { codeOf, type Dictionary } from './containers/dictionary.ts';
import { fillHeap, heapOfRows, takeOldest } from './containers/aged-rows.ts';
import { type Heap, pushItem } from './containers/heap.ts';
import { chunkOf, createTable, findRow, markRow, removeRow, rowOf, type Table, valuesAt } from './containers/table.ts';
import type { LimitHits } from './limit-hits.ts';
import type { Settings } from './settings.ts';

/**
 * The first verdicts on a prediction under a name, so that later ones of other judges can be compared with them. What a prediction that is dropped
 * came to stays counted where the pairs are counted.
 */
export interface JudgePairs {
  readonly keepMs: number;
  readonly most: number;
  readonly limitHits: LimitHits;
  /** (name, prediction) as 4 words -> time, verdicts. */
  readonly table: Table;
  /** Rows by time; ties go by key, so what is dropped does not depend on where rows lie. */
  readonly byTime: Heap;
  /** Names of judges, shared with the breakdowns that the pairs are counted in. */
  readonly names: Dictionary;
  readonly namesMax: number;
}

/** A verdict by one judge of a prediction. */
export interface OneVerdict {
  readonly by: string;
  readonly passes: boolean;
}

/** Two judges of one prediction, by code unit of their names. */
export type Pair = readonly [OneVerdict, OneVerdict];

/** Verdicts that a prediction is compared by; a further judge is compared with these. */
const verdictsMost = 4;

/** Index of a row's time; its verdicts lie behind it. */
const timeAt = 0;

/** The table that verdicts lie in. */
export function createVerdictTable(): Table {
  return createTable(1 + verdictsMost);
}

/** Verdicts of a table that has no rows, or of one whose rows are indexed next. */
export function createJudgePairs(
  { keepGroupsMs, limits }: Pick<Settings, 'keepGroupsMs' | 'limits'>,
  limitHits: LimitHits,
  names: Dictionary,
  table: Table,
): JudgePairs {
  const { groups: most, names: namesMax } = limits;
  return { keepMs: keepGroupsMs, most, limitHits, table, byTime: heapOfRows(table), names, namesMax };
}

/** Indexes the rows of a restored table. */
export function restoreJudgePairs({ table, byTime }: JudgePairs): void {
  fillHeap(byTime, table, timeAt);
}

/** Keeps a verdict on the prediction of a key (4 words), and returns the pairs that it makes with the verdicts of others. */
export function addVerdict(pairs: JudgePairs, key: Uint32Array, ts: number, verdict: OneVerdict): readonly Pair[] {
  const { table, byTime, names, most, namesMax, limitHits } = pairs;
  if (!names.codes.has(verdict.by) && names.list.length >= namesMax) {
    limitHits.names++;
    return [];
  }
  const known = findRow(table, key[0]!, key[1]!, key[2]!, key[3]!) >= 0;
  if (!known && table.size >= most) {
    dropOldest(pairs, Number.POSITIVE_INFINITY);
    limitHits.stability_groups++;
  }
  const row = rowOf(table, key[0]!, key[1]!, key[2]!, key[3]!);
  const [cells, at] = [chunkOf(table, row), valuesAt(table, row)];
  markRow(table, row);
  if (!known) {
    cells[at] = ts;
    pushItem(byTime, ts, row);
  }
  const held = verdictsIn(pairs, cells, at + 1);
  if (held.some(({ by }) => by === verdict.by)) return [];
  if (held.length < verdictsMost)
    cells[at + 1 + held.length] = 1 + 2 * codeOf(names, verdict.by) + Number(verdict.passes);
  return held.map((other) => (other.by < verdict.by ? [other, verdict] : [verdict, other]));
}

/** Drops what is older than verdicts are kept. Called when event time has moved, before what moved it is added. */
export function evictVerdicts(pairs: JudgePairs, evictionMs: number): void {
  while (dropOldest(pairs, evictionMs - pairs.keepMs));
}

function dropOldest({ table, byTime }: JudgePairs, beforeMs: number): boolean {
  const row = takeOldest(byTime, table, timeAt, beforeMs);
  if (row >= 0) removeRow(table, row);
  return row >= 0;
}

function verdictsIn({ names }: JudgePairs, cells: Float64Array, at: number): OneVerdict[] {
  const verdicts: OneVerdict[] = [];
  for (let i = 0; i < verdictsMost && cells[at + i]! > 0; i++) {
    const packed = cells[at + i]! - 1;
    verdicts.push({ by: names.list[Math.floor(packed / 2)]!, passes: packed % 2 === 1 });
  }
  return verdicts;
}
