import {
  clearIdChanges,
  enter,
  forgetBelow,
  type Ids,
  isRemembered,
  reserveIds,
  type Slots,
  slotsIn,
  takenSegments,
  timeIn,
} from '../core/state/ids.ts';
import { putFloat, putUint32, type Reader, takeFloat, takeUint32, type Writer } from './byte-io.ts';
import { type Head, unfit } from './checkpoint-head.ts';
import { putBlocks, takeBlocks, tileStride } from './columns.ts';
import type { Steps } from '../core/steps.ts';

/** Four words and a time. */
const columns = 5;

/** Writes the floor, then ids and times as rows: all that are remembered, in their order, or those met since the last cut. */
export function* putIds(writer: Writer, ids: Ids, full: boolean): Steps<void> {
  putFloat(writer, ids.floor);
  if (full || ids.changedAll) yield* putAll(writer, ids);
  else yield* putSlots(writer, [ids.changes], ids.changes.used, () => true);
  clearIdChanges(ids);
}

/** Reads what `putIds` wrote; throws where a full state meets ids. */
export function* takeIds(reader: Reader, head: Head, name: string, ids: Ids): Steps<void> {
  if (head.parent === undefined && takenSegments(ids).length > 0) unfit(head, `ids ${name} are not empty`);
  forgetBelow(ids, takeFloat(reader));
  const rows = takeUint32(reader);
  reserveIds(ids, rows);
  const words = new Uint32Array(4);
  yield* takeBlocks(reader, rows, columns, (tile, _from, count) => {
    for (let i = 0; i < count; i++) {
      for (let c = 0; c < 4; c++) words[c] = tile[c * tileStride + i]!;
      enter(ids, words, 0, tile[4 * tileStride + i]!);
    }
  });
}

type Counts = (slots: Slots, slot: number) => boolean;

function* putAll(writer: Writer, ids: Ids): Steps<void> {
  const taken = takenSegments(ids);
  let rows = 0;
  for (const segment of taken) {
    for (let slot = 0; slot < slotsIn(segment); slot++) if (isRemembered(ids, segment, slot)) rows++;
    yield;
  }
  yield* putSlots(writer, taken, rows, (slots, slot) => isRemembered(ids, slots, slot));
}

/** Writes the first `rows` slots that count. */
function* putSlots(writer: Writer, all: readonly Slots[], rows: number, counts: Counts): Steps<void> {
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
      for (let c = 0; c < 4; c++) tile[c * tileStride + i] = slots.words[6 * slot + c]!;
      tile[4 * tileStride + i] = timeIn(slots, slot);
      i++;
    }
  });
}
