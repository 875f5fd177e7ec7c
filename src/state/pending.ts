import { paneOf } from './windows.ts';
import { addBlob, removeBlob } from './containers/pending-log.ts';
import { tallyExpired } from './panes.ts';
import { watermarkOf } from './event-time.ts';
import { hitLimit } from './limit-hits.ts';
import type { PartitionState, PendingEntry, PendingQueue } from './partition.ts';

/** Predictions that wait for their truth (spec: semantics, "Truth that comes late"). Kept as text: a line of index, a line of event. */
export interface PendingPrediction extends PendingEntry {
  /** The event as JSON of the fields that are known. */
  readonly text: string;
}

/** Keeps a prediction until its truth comes. */
export function addPending(state: PartitionState, entry: PendingEntry, eventText: string): void {
  const index = JSON.stringify([entry.offset, entry.element, entry.ts, entry.exampleId]);
  enqueue(state, addBlob(state.pending, `${index}\n${eventText}`), entry);
}

/** A pending prediction by its number. */
export function pendingPrediction(state: PartitionState, number: number): PendingPrediction {
  const blob = state.pending.texts.get(number)!;
  return { ...state.derived.pendingQueue.examples.get(number)!, text: blob.slice(blob.indexOf('\n') + 1) };
}

/** Takes a prediction out: it was scored, or it expired. */
export function removePending(state: PartitionState, number: number): void {
  const { examples } = state.derived.pendingQueue;
  removeBlob(state.pending, number);
  countPane(state, examples.get(number)!.ts, -1);
  examples.delete(number);
}

/** Takes out what waited too long by event time, and the oldest beyond the limit; each is final. */
export function expirePending(state: PartitionState, expired: PendingPrediction[]): void {
  const { heap, examples } = state.derived.pendingQueue;
  const horizon = watermarkOf(state) - state.settings.truthWaitMs;
  while (heap.length > 0) {
    const { ts, number } = heap[0]!;
    const gone = !examples.has(number);
    const full = examples.size > state.settings.limits.pending;
    if (!gone && ts >= horizon && !full) return;
    pop(heap);
    if (gone) continue;
    if (ts >= horizon) hitLimit(state, 'pending');
    expired.push(pendingPrediction(state, number));
    removePending(state, number);
    state.numbers.expired++;
    tallyExpired(state, ts);
  }
}

/** Makes the queue again after a restore. */
export function indexPending(state: PartitionState): void {
  const { pendingQueue } = state.derived;
  pendingQueue.heap.length = 0;
  pendingQueue.examples.clear();
  for (const panes of pendingQueue.panes) panes.clear();
  for (const [number, blob] of state.pending.texts) {
    const [offset, element, ts, exampleId] = JSON.parse(blob.slice(0, blob.indexOf('\n'))) as [
      number,
      number,
      number,
      string,
    ];
    enqueue(state, number, { offset, element, ts, exampleId });
  }
}

function enqueue(state: PartitionState, number: number, entry: PendingEntry): void {
  const { heap, examples } = state.derived.pendingQueue;
  examples.set(number, entry);
  countPane(state, entry.ts, 1);
  let at = heap.push({ ts: entry.ts, number }) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!before(heap[at]!, heap[parent]!)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function countPane(state: PartitionState, ts: number, change: 1 | -1): void {
  state.settings.windows.tiers.forEach((tier, index) => {
    const panes = state.derived.pendingQueue.panes[index]!;
    const pane = paneOf(tier, ts);
    const count = (panes.get(pane) ?? 0) + change;
    if (count === 0) panes.delete(pane);
    else panes.set(pane, count);
  });
}

type Heap = PendingQueue['heap'];

function pop(heap: Heap): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  heap[0] = last;
  for (let at = 0; ; ) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const child = left + 1 < heap.length && before(heap[left + 1]!, heap[left]!) ? left + 1 : left;
    if (!before(heap[child]!, heap[at]!)) return;
    swap(heap, at, child);
    at = child;
  }
}

/** By event time, then by arrival. */
function before(a: Heap[number], b: Heap[number]): boolean {
  return a.ts < b.ts || (a.ts === b.ts && a.number < b.number);
}

function swap(heap: Heap, a: number, b: number): void {
  const held = heap[a]!;
  heap[a] = heap[b]!;
  heap[b] = held;
}
