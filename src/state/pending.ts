import { assert } from './containers/assert.ts';
import { createHeap, type Heap, popItem, pushItem } from './containers/heap.ts';
import { appendText, createPendingLog, type PendingLog, removeText } from './containers/pending-log.ts';
import type { Settings } from './settings.ts';
import { paneOf, type Tier } from './windows.ts';

/** Predictions that wait for their truth (docs/reference/semantics.md, "Late truth"). */
export interface Pending {
  /** A line with the entry, then the event as JSON. */
  readonly log: PendingLog;
  /** By number, in the order of the log. */
  readonly waiting: Map<number, PendingEntry>;
  /** Numbers by event time, then arrival. May hold some that wait no longer. */
  readonly queue: Heap;
  readonly tiers: readonly Tier[];
  /** By tier: how many have their event time in a pane. */
  readonly byPane: readonly Map<number, number>[];
}

export interface PendingEntry {
  readonly exampleId: string;
  readonly ts: number;
  readonly offset: number;
  readonly element: number;
  /** Keys by which feedback may name it; none where no feedback is read. */
  readonly about?: readonly string[] | undefined;
}

export interface PendingPrediction extends PendingEntry {
  readonly number: number;
  /** The event as JSON of the fields that are known. */
  readonly text: string;
}

/** Pending predictions of a log that has no texts, or of one whose texts are indexed next. */
export function createPending({ windows }: Settings, log: PendingLog = createPendingLog()): Pending {
  const { tiers } = windows;
  const queue = createHeap((number, other) => number < other);
  return { log, waiting: new Map(), queue, tiers, byPane: tiers.map(() => new Map()) };
}

/** Indexes the texts of a restored log. */
export function restorePending(pending: Pending): void {
  for (const [number, text] of pending.log.texts) {
    enqueue(pending, number, entryOf(text));
  }
}

/**
 * Brings the predictions that wait up to date with a log that changed below them. For readers alone: the queue stays as it is, since nothing
 * expires there.
 */
export function refreshPending(pending: Pending): void {
  const { log, waiting } = pending;
  for (const [number, { ts }] of waiting) {
    if (log.texts.has(number)) continue;
    waiting.delete(number);
    countInPanes(pending, ts, -1);
  }
  for (const [number, text] of log.texts) {
    if (waiting.has(number)) continue;
    const entry = entryOf(text);
    waiting.set(number, entry);
    countInPanes(pending, entry.ts, 1);
  }
}

function entryOf(text: string): PendingEntry {
  const line = JSON.parse(text.slice(0, text.indexOf('\n'))) as [number, number, number, string, string[]?];
  const [offset, element, ts, exampleId, about] = line;
  return { offset, element, ts, exampleId, ...(about && { about }) };
}

/** Keeps a prediction until its truth comes; its number. */
export function addPending(pending: Pending, entry: PendingEntry, eventText: string): number {
  const { offset, element, ts, exampleId, about = [] } = entry;
  const line = JSON.stringify([offset, element, ts, exampleId, ...(about.length > 0 ? [about] : [])]);
  const number = appendText(pending.log, `${line}\n${eventText}`);
  enqueue(pending, number, entry);
  return number;
}

/** Removes a prediction that waits, and returns it. */
export function takePending(pending: Pending, number: number): PendingPrediction {
  const { log, waiting } = pending;
  const entry = waiting.get(number);
  assert(entry !== undefined, 'a prediction is taken that does not wait');
  const text = textOfPending(pending, number);
  removeText(log, number);
  waiting.delete(number);
  countInPanes(pending, entry.ts, -1);
  return { number, text, ...entry };
}

/** The event of a prediction that waits, as JSON of the fields that are known. */
export function textOfPending({ log }: Pending, number: number): string {
  const text = log.texts.get(number)!;
  return text.slice(text.indexOf('\n') + 1);
}

/** Removes the oldest prediction, and returns it, if it waited too long by event time or is beyond the limit. */
export function takeExpired(pending: Pending, horizonMs: number, most: number): PendingPrediction | undefined {
  const { queue, waiting } = pending;
  while (queue.size > 0) {
    const number = queue.items[0]!;
    const isWaiting = waiting.has(number);
    if (isWaiting && queue.times[0]! >= horizonMs && waiting.size <= most) return undefined;
    popItem(queue);
    if (isWaiting) return takePending(pending, number);
  }
  return undefined;
}

function enqueue(pending: Pending, number: number, entry: PendingEntry): void {
  pending.waiting.set(number, entry);
  pushItem(pending.queue, entry.ts, number);
  countInPanes(pending, entry.ts, 1);
}

function countInPanes({ tiers, byPane }: Pending, ts: number, change: 1 | -1): void {
  tiers.forEach((tier, index) => {
    const panes = byPane[index]!;
    const pane = paneOf(tier, ts);
    const count = (panes.get(pane) ?? 0) + change;
    if (count === 0) panes.delete(pane);
    else panes.set(pane, count);
  });
}
