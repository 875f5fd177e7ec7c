import type { BreakdownAddition } from './addition.ts';
import type { AttributedName } from './attribution-set.ts';
import { createHeap, type Heap, popItem, pushItem } from './containers/heap.ts';
import { appendText, createPendingLog, type PendingLog, removeText } from './containers/pending-log.ts';
import type { LimitHits } from './limit-hits.ts';
import type { CompleteGroup } from './run-groups/index.ts';
import type { RevisionPlan } from './settings.ts';

/**
 * Accepted events that feedback, or another version of their truth, may still reach: each as text, with what it added to the state, so that exactly
 * this can be taken away again (docs/reference/feedback.md, "Revision").
 */
export interface Revisable {
  /** Undefined: nothing is kept, since no feedback is read. */
  readonly plan: RevisionPlan | undefined;
  /** A line with the entry, then the event as JSON. */
  readonly log: PendingLog;
  /** By number. */
  readonly kept: Map<number, RevisableEntry>;
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
  readonly isContested?: true;
  /** It came in time for a window. */
  readonly isInTime: boolean;
  /** Its number among the pending predictions, which have its text, while it waits for its truth. */
  readonly pending?: number | undefined;
  /** Undefined: it is not scored. */
  readonly scored: ScoredEntry | undefined;
}

/** An event that is scored: by which truth, and what that added. */
export interface ScoredEntry {
  /** Hash of the truth. */
  readonly truth: number;
  readonly moment: 'scored' | 'both';
  /** Code of its finest slice. */
  readonly slice: number;
  /** The cells of its row that are not 0, as [slot, amount]. */
  readonly cells: readonly (readonly [number, number])[];
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
  return { plan, log, kept: new Map(), queue, waiting: new Map(), completing: new Map(), limitHits };
}

/** Indexes the texts of a restored log; those that are to be kept no longer are dropped by the next eviction. */
export function restoreRevisable(revisable: Revisable): void {
  for (const [number, text] of revisable.log.texts)
    index(revisable, number, JSON.parse(text.slice(0, text.indexOf('\n'))) as RevisableEntry);
}

/** Keeps an event: the oldest makes room at the limit. */
export function keepRevisable(revisable: Revisable, entry: RevisableEntry, eventText: string): void {
  const { plan, kept, log, limitHits } = revisable;
  index(revisable, appendText(log, `${JSON.stringify(entry)}\n${eventText}`), entry);
  if (kept.size <= plan!.most) return;
  limitHits.revisable++;
  while (kept.size > plan!.most) dropFirst(revisable);
}

/** Puts an entry in the place of another of the same event. */
export function replaceRevisable(revisable: Revisable, number: number, entry: RevisableEntry): void {
  const text = eventTextOf(revisable, number);
  drop(revisable, number);
  index(revisable, appendText(revisable.log, `${JSON.stringify(entry)}\n${text}`), entry);
}

/** Takes the event of a pending prediction out, which waits no longer; undefined where it is kept no longer. */
export function takeWaiting(revisable: Revisable, pending: number): RevisableEntry | undefined {
  const number = revisable.waiting.get(pending);
  if (number === undefined) return undefined;
  const entry = revisable.kept.get(number);
  drop(revisable, number);
  return entry;
}

/** The text of an event that is kept and does not wait for its truth. */
export function eventTextOf({ log }: Revisable, number: number): string {
  const text = log.texts.get(number)!;
  return text.slice(text.indexOf('\n') + 1);
}

/** Drops the events that are older than they are kept. Called when event time has moved. */
export function evictRevisable(revisable: Revisable, evictionMs: number): void {
  const { plan, queue } = revisable;
  if (plan === undefined) return;
  while (queue.size > 0 && queue.times[0]! < evictionMs - plan.keepMs) dropFirst(revisable);
}

function index({ kept, queue, waiting, completing }: Revisable, number: number, entry: RevisableEntry): void {
  kept.set(number, entry);
  if (entry.pending !== undefined) waiting.set(entry.pending, number);
  pushItem(queue, entry.ts, number);
  const { group, completed } = entry.scored ?? {};
  if (completed !== undefined) completing.set(group!, number);
}

/** Takes the first number out of the queue, and drops its event where it is kept. */
function dropFirst(revisable: Revisable): void {
  const { queue, kept } = revisable;
  const number = queue.items[0]!;
  popItem(queue);
  if (kept.has(number)) drop(revisable, number);
}

function drop({ kept, log, waiting, completing }: Revisable, number: number): void {
  const { pending, scored } = kept.get(number)!;
  const { group } = scored ?? {};
  if (pending !== undefined) waiting.delete(pending);
  if (group !== undefined && completing.get(group) === number) completing.delete(group);
  kept.delete(number);
  removeText(log, number);
}
