import { beginFilling, endFilling, fill, type IdColumns } from '../../state/containers/id-filling.ts';
import { clearIdChanges, enter, forgetBelow, type Ids, segmentOf, takenSegments } from '../../state/containers/ids.ts';
import { createSegment, isTaken, listed, type IdSegment, slotsIn, timeIn } from '../../state/containers/id-segment.ts';
import type { Steps } from '../../state/steps.ts';
import { putFloat, putUint32, type Reader, takeFloat, takeUint32, type Writer } from '../bytes/byte-io.ts';
import { blockRows, blocksOf, putBlocks, takeBlock, tileStride } from '../bytes/columns.ts';
import { gathered } from './key-order.ts';

/** Four words and a time. */
const columns = 5;

/**
 * Writes the floor, then ids and times as rows: all that are remembered, in their order, or those met since the last cut, gathered
 * by their highest bits.
 */
export function* putIds(writer: Writer, ids: Ids, full: boolean): Steps<void> {
  putFloat(writer, ids.floor);
  if (full || ids.changedAll) yield* putAll(writer, ids);
  else yield* putChanges(writer, ids.changes);
  clearIdChanges(ids);
}

/**
 * Ids that are being read from files. Those of changes come in no order, each to a place of its own in a memory that is larger than any
 * cache: so they are gathered, and then entered segment by segment.
 */
export interface IdsBeingRead {
  readonly ids: Ids;
  /** By segment: those that are still to be entered. */
  readonly waiting: (IdSegment | undefined)[];
  waitingCount: number;
}

/** So many wait at most: 24 MB of them. */
const waitingMax: number = 1 << 20;

/** Ids that nothing was read of yet. */
export function idsBeingRead(ids: Ids): IdsBeingRead {
  return { ids, waiting: [], waitingCount: 0 };
}

/** Reads what `putIds` wrote, of a full state or of changes. */
export function takeIds(reader: Reader, full: boolean, read: IdsBeingRead): void {
  const { ids } = read;
  forgetBelow(ids, takeFloat(reader));
  const rows = takeUint32(reader);
  const blocks = blocksOf(rows, columns);
  const tile = columnsOf(blocks.tile);
  if (!full) {
    while (takeBlock(reader, blocks)) wait(read, tile, blocks.count);
    return;
  }
  const filling = beginFilling(ids, rows);
  while (takeBlock(reader, blocks)) fill(filling, tile, blocks.count);
  endFilling(filling);
}

/** Enters what waits. To be called after the last file. */
export function enterWaiting(read: IdsBeingRead): void {
  for (const list of read.waiting) {
    if (list === undefined) continue;
    for (let slot = 0; slot < list.used; slot++) enter(read.ids, list.words, 6 * slot, timeIn(list, slot));
  }
  read.waiting.length = 0;
  read.waitingCount = 0;
}

function wait(read: IdsBeingRead, [first, second, third, fourth, times]: IdColumns, count: number): void {
  const words = new Uint32Array(4);
  for (let row = 0; row < count; row++) {
    words[0] = first[row]!;
    words[1] = second[row]!;
    words[2] = third[row]!;
    words[3] = fourth[row]!;
    const number = segmentOf(words[0]!);
    read.waiting[number] = listed(read.waiting[number] ?? createSegment(0), words, 0, times[row]!);
  }
  read.waitingCount += count;
  if (read.waitingCount >= waitingMax) enterWaiting(read);
}

function columnsOf(tile: Float64Array): IdColumns {
  const column = (at: number): Float64Array => tile.subarray(at * tileStride, at * tileStride + blockRows);
  return [column(0), column(1), column(2), column(3), column(4)];
}

function* putChanges(writer: Writer, changes: IdSegment): Steps<void> {
  const { used, words } = changes;
  const first = new Float64Array(used);
  for (let slot = 0; slot < used; slot++) first[slot] = words[6 * slot]!;
  const order = gathered(first);
  putUint32(writer, used);
  yield* putBlocks(writer, used, columns, (tile, from, count) => {
    for (let i = 0; i < count; i++) fillRow(tile, i, changes, order[from + i]!);
  });
}

type Counts = (slots: IdSegment, slot: number) => boolean;

function* putAll(writer: Writer, ids: Ids): Steps<void> {
  const counts: Counts = (slots, slot) => isTaken(slots, slot, ids.floor);
  yield* putSlots(writer, takenSegments(ids), ids.size, counts);
}

/** Writes the first `rows` slots that count. */
function* putSlots(writer: Writer, all: readonly IdSegment[], rows: number, counts: Counts): Steps<void> {
  putUint32(writer, rows);
  let number = 0;
  let slot = 0;
  yield* putBlocks(writer, rows, columns, (tile, _from, count) => {
    for (let i = 0; i < count; slot++) {
      const slots = all[number]!;
      if (slot === slotsIn(slots)) {
        number++;
        slot = -1;
        continue;
      }
      if (!counts(slots, slot)) continue;
      fillRow(tile, i++, slots, slot);
    }
  });
}

function fillRow(tile: Float64Array, row: number, slots: IdSegment, slot: number): void {
  for (let c = 0; c < 4; c++) tile[c * tileStride + row] = slots.words[6 * slot + c]!;
  tile[4 * tileStride + row] = timeIn(slots, slot);
}
