import { sharedDoubles } from './shared-arrays.ts';

/**
 * A binary heap of items under times: the least time comes first, and of equal times the item that `isBefore` puts first. The order is
 * total, so what comes first does not depend on the order in which items were added.
 */
export interface Heap {
  times: Float64Array;
  items: Float64Array;
  size: number;
  readonly isBefore: (item: number, other: number) => boolean;
}

const startLength = 16;

/** A heap without items. */
export function createHeap(isBefore: Heap['isBefore']): Heap {
  return { times: sharedDoubles(startLength), items: sharedDoubles(startLength), size: 0, isBefore };
}

/** Bytes of a heap of so many items, which grows by doubling. */
export function heapBytes(items: number): number {
  return 16 * 2 ** Math.ceil(Math.log2(Math.max(startLength, items)));
}

/** Adds an item. */
export function pushItem(heap: Heap, time: number, item: number): void {
  if (heap.size === heap.items.length) {
    heap.times = doubled(heap.times);
    heap.items = doubled(heap.items);
  }
  const { times, items } = heap;
  let position = heap.size++;
  while (position > 0) {
    const parent = (position - 1) >> 1;
    if (!comesBefore(heap, time, item, times[parent]!, items[parent]!)) break;
    put(heap, position, times[parent]!, items[parent]!);
    position = parent;
  }
  put(heap, position, time, item);
}

/** Removes the first item. */
export function popItem(heap: Heap): void {
  const last = --heap.size;
  siftDown(heap, heap.times[last]!, heap.items[last]!);
}

/** Gives the first item a later time. */
export function delayFirst(heap: Heap, time: number): void {
  siftDown(heap, time, heap.items[0]!);
}

/** Puts an item in the place of the first one, and from there to where it belongs. */
function siftDown(heap: Heap, time: number, item: number): void {
  const { times, items, size } = heap;
  let position = 0;
  for (let child = 1; child < size; child = 2 * position + 1) {
    const other = child + 1;
    if (other < size && comesBefore(heap, times[other]!, items[other]!, times[child]!, items[child]!)) child = other;
    if (!comesBefore(heap, times[child]!, items[child]!, time, item)) break;
    put(heap, position, times[child]!, items[child]!);
    position = child;
  }
  put(heap, position, time, item);
}

function doubled(doubles: Float64Array): Float64Array {
  const longer = sharedDoubles(2 * doubles.length);
  longer.set(doubles);
  return longer;
}

function comesBefore(heap: Heap, time: number, item: number, otherTime: number, other: number): boolean {
  return time < otherTime || (time === otherTime && heap.isBefore(item, other));
}

function put({ times, items }: Heap, position: number, time: number, item: number): void {
  times[position] = time;
  items[position] = item;
}
