import type { BreakdownAddition } from './addition.ts';
import { type AttributedName, namesIn, textOf } from './attribution-set.ts';
import { createHeap, type Heap, popItem, pushItem } from './containers/heap.ts';
import { appendText, createPendingLog, type PendingLog, removeText } from './containers/pending-log.ts';
import type { LimitHits } from './limit-hits.ts';
import type { CompleteGroup } from './run-groups/index.ts';
import type { RevisionPlan } from './settings.ts';

/**
 * Accepted events that feedback, or another version of their truth, may still reach: each as text, with what it added to the state, so that exactly
 * this can be taken away again (docs/reference/feedback.md, "Revision"). Most are never looked at again, so nothing of them is held beside the text.
 */
export interface Revisable {
  /** Undefined: nothing is kept, since no feedback is read. */
  readonly plan: RevisionPlan | undefined;
  /** Three lines: the entry, what was added (empty: it is not scored), and the event as JSON (empty: it is pending). */
  readonly log: PendingLog;
  /** Numbers by event time, then by number. May hold some that are kept no longer. */
  readonly queue: Heap;
  /** Number of an event that waits for its truth, by its number among the pending predictions. */
  readonly waiting: Map<number, number>;
  /** Number of the event that completed a group of runs, by the key of the group. */
  readonly completing: Map<string, number>;
  readonly limitHits: LimitHits;
}

/** An event that can be revised. */
export interface RevisableEntry {
  readonly offset: number;
  readonly element: number;
  readonly ts: number;
  readonly exampleId: string;
  /** Keys by which feedback may name it. */
  readonly about: readonly string[];
  /** Ids of the feedback that was added up. */
  readonly feedback: readonly string[];
  /** More than one expectation was given for it. */
  readonly isContested: boolean;
  /** It came in time for a window. */
  readonly isInTime: boolean;
  /** Its number among the pending predictions, which have its text, while it waits for its truth. */
  readonly pending?: number | undefined;
  /** Hash of the truth that it is scored by; undefined: it is not scored. */
  readonly truth?: number | undefined;
}

/** The addition of an event that is scored. */
export interface KeptAddition {
  readonly moment: 'scored' | 'both';
  /** Code of its finest slice. */
  readonly slice: number;
  /** The cells of its row that are not 0: slot, amount, slot, amount, … */
  readonly cells: readonly number[];
  readonly entries: readonly BreakdownAddition[];
  readonly names: readonly AttributedName[];
  /** Key of the group that has its run; empty where none does, as it repeats another. Undefined: it is not collected. */
  readonly group?: string | undefined;
  /** The group that it completed, as the windows count it at its time. */
  readonly completed?: CompleteGroup | undefined;
}

/** An empty record of kept events, in a log that has no texts, or in one whose texts are indexed next. */
export function createRevisable(
  plan: RevisionPlan | undefined,
  limitHits: LimitHits,
  log: PendingLog = createPendingLog(),
): Revisable {
  const queue = createHeap((number, other) => number < other);
  return { plan, log, queue, waiting: new Map(), completing: new Map(), limitHits };
}

/** Indexes the texts of a restored log; those that are to be kept no longer are dropped by the next eviction. */
export function restoreRevisable(revisable: Revisable): void {
  for (const [number, text] of revisable.log.texts) {
    const { ts, pending, completes } = headOf(text);
    index(revisable, number, ts, pending, completes);
  }
}

/** The entry of a number; undefined where it is kept no longer. */
export function entryAt({ log }: Revisable, number: number): RevisableEntry | undefined {
  const text = log.texts.get(number);
  if (text === undefined) return undefined;
  const { completes: _, ...entry } = headOf(text);
  return entry;
}

/** The addition of the event of a number that is kept; undefined where it is not scored. */
export function additionAt({ log }: Revisable, number: number): KeptAddition | undefined {
  const line = lineOf(log.texts.get(number)!, 1);
  if (line === '') return undefined;
  const [moment, slice, cells, entries, names, group, completed] = JSON.parse(line) as AdditionLine;
  return {
    ...{ moment: moments[moment]!, slice, cells, names: namesIn(names) },
    entries: entries.map(([breakdown, key, subkey, column, amount]) => ({ breakdown, key, subkey, column, amount })),
    ...(group !== null && { group }),
    ...(completed !== null && { completed }),
  };
}

/** The event of a number that is kept and does not wait for its truth, as JSON. */
export function eventTextAt({ log }: Revisable, number: number): string {
  return lineOf(log.texts.get(number)!, 2);
}

/** Keeps an event: the oldest makes room at the limit. */
export function keepRevisable(
  revisable: Revisable,
  entry: RevisableEntry,
  addition: KeptAddition | undefined,
  eventText: string,
): void {
  const { plan, log, limitHits } = revisable;
  const completes = addition?.completed && addition.group;
  const lines = [textOfEntry(entry, completes), addition === undefined ? '' : textOfAddition(addition), eventText];
  index(revisable, appendText(log, lines.join('\n')), entry.ts, entry.pending, completes);
  if (log.texts.size <= plan!.most) return;
  limitHits.revisable++;
  while (log.texts.size > plan!.most) dropFirst(revisable);
}

/** Puts an entry, and what the event added, in the place of another of the same event. */
export function replaceRevisable(
  revisable: Revisable,
  number: number,
  entry: RevisableEntry,
  addition: KeptAddition | undefined,
): void {
  const text = eventTextAt(revisable, number);
  drop(revisable, number);
  keepRevisable(revisable, entry, addition, text);
}

/** Takes the event of a pending prediction out, which waits no longer; undefined where it is kept no longer. */
export function takeWaiting(revisable: Revisable, pending: number): RevisableEntry | undefined {
  const number = revisable.waiting.get(pending);
  if (number === undefined) return undefined;
  revisable.waiting.delete(pending);
  const entry = entryAt(revisable, number);
  if (entry !== undefined) drop(revisable, number);
  return entry;
}

/** Drops the events that are older than they are kept. Called when event time has moved. */
export function evictRevisable(revisable: Revisable, evictionMs: number): void {
  const { plan, queue } = revisable;
  if (plan === undefined) return;
  while (queue.size > 0 && queue.times[0]! < evictionMs - plan.keepMs) dropFirst(revisable);
}

type Line = [
  offset: number,
  element: number,
  ts: number,
  exampleId: string,
  about: readonly string[],
  feedback: readonly string[],
  flags: number,
  pending: number | null,
  truth: number | null,
  /** Key of the group of runs that it completed. */
  completes: string | null,
];

/** The first line of a text. */
function headOf(text: string): RevisableEntry & { readonly completes: string | undefined } {
  const line = JSON.parse(lineOf(text, 0)) as Line;
  const [offset, element, ts, exampleId, about, feedback, flags, pending, truth, completes] = line;
  return {
    ...{ offset, element, ts, exampleId, about, feedback },
    ...{ isContested: (flags & 1) > 0, isInTime: (flags & 2) > 0 },
    ...(pending !== null && { pending }),
    ...(truth !== null && { truth }),
    completes: completes ?? undefined,
  };
}

type AdditionLine = [
  moment: number,
  slice: number,
  cells: number[],
  entries: [breakdown: number, key: string, subkey: string, column: number, amount: number][],
  names: string,
  group: string | null,
  completed: CompleteGroup | null,
];

const moments = ['scored', 'both'] as const;

function textOfEntry(entry: RevisableEntry, completes: string | undefined): string {
  const { offset, element, ts, exampleId, about, feedback, isContested, isInTime, pending, truth } = entry;
  const flags = Number(isContested) + 2 * Number(isInTime);
  const optional = [pending ?? null, truth ?? null, completes ?? null] as const;
  const line: Line = [offset, element, ts, exampleId, about, feedback, flags, ...optional];
  return JSON.stringify(line);
}

function textOfAddition({ moment, slice, cells, entries, names, group, completed }: KeptAddition): string {
  const rows = entries.map(({ breakdown, key, subkey, column, amount }): AdditionLine[3][number] => {
    return [breakdown, key, subkey, column, amount];
  });
  const line: AdditionLine = [
    moments.indexOf(moment),
    slice,
    [...cells],
    rows,
    textOf(names),
    group ?? null,
    completed ?? null,
  ];
  return JSON.stringify(line);
}

/** A line of a text of three, of which the last ends with the text. */
function lineOf(text: string, line: 0 | 1 | 2): string {
  const first = text.indexOf('\n');
  if (line === 0) return text.slice(0, first);
  const second = text.indexOf('\n', first + 1);
  return line === 1 ? text.slice(first + 1, second) : text.slice(second + 1);
}

function index(
  { queue, waiting, completing }: Revisable,
  number: number,
  ts: number,
  pending: number | undefined,
  completes: string | undefined,
): void {
  pushItem(queue, ts, number);
  if (pending !== undefined) waiting.set(pending, number);
  if (completes !== undefined) completing.set(completes, number);
}

/** Takes the first number out of the queue, and drops its event where it is kept. */
function dropFirst(revisable: Revisable): void {
  const { queue, log } = revisable;
  const number = queue.items[0]!;
  popItem(queue);
  if (log.texts.has(number)) drop(revisable, number);
}

function drop(revisable: Revisable, number: number): void {
  const { log, completing } = revisable;
  if (completing.size > 0) {
    const { completes } = headOf(log.texts.get(number)!);
    if (completes !== undefined && completing.get(completes) === number) completing.delete(completes);
  }
  removeText(log, number);
}
