import type { TruthTable } from '../scoring/truth.ts';
import { assert } from '../state/containers/assert.ts';
import { dropBlames } from '../state/blames.ts';
import { unreadAt } from '../state/begun.ts';
import { identityOfBytes } from '../state/containers/identity.ts';
import { evictSeen, seenBefore } from '../state/dedupe.ts';
import { evictionTimeOf, watermarkOf } from '../state/event-time.ts';
import { addExpired } from '../state/panes.ts';
import type { PartitionState } from '../state/partition.ts';
import { takeExpired, takePending } from '../state/pending.ts';
import { rejectCodeOf, rejectCodes } from '../state/reject.ts';
import { createDeltaWriter } from '../state/row-delta.ts';
import { evictGroups } from '../state/run-groups/index.ts';
import { evictVerdicts } from '../state/judge-pairs.ts';
import { evictPanes } from '../state/window-sums.ts';
import type { EventBatch, LogRecord, Reader } from './event.ts';
import { note, noteNames, notePassedOver } from './input-notes.ts';
import { joinEvent, type Joining, scoreEvent } from './join.ts';
import { emptyOutput, type FoldOutput } from './output.ts';
import { createSliceCache, uncachedSliceOf } from './slice-cache.ts';
import type { ActiveTruth } from './truth-cache.ts';

/** What folds the log of one partition: its state, a reader, and what is no part of the state. */
export interface Fold extends Joining {
  readonly reader: Reader;
  readonly out: FoldOutput;
}

/** A fold that goes on from a state. */
export function createFold(state: PartitionState, reader: Reader): Fold {
  const { layout, dimensions } = state.settings;
  return {
    state,
    reader,
    out: emptyOutput(),
    sliceCache: createSliceCache(state.slices, dimensions),
    writer: createDeltaWriter(layout),
    accepted: undefined,
  };
}

/**
 * Reads records[from, to) and folds them into the state: one event after the other, in log order. A record below the next offset
 * was applied before and is skipped. How records are cut into batches leaves no trace in the state.
 */
export function foldRecords(
  fold: Fold,
  records: readonly LogRecord[],
  from: number,
  to: number,
  truth: ActiveTruth,
): void {
  for (let start = from; start < to; start += readAtOnce) {
    const end = Math.min(start + readAtOnce, to);
    foldBatch(fold, records, start, end, fold.reader.read(records, start, end), truth);
  }
  rememberLast(fold.state, records, to - 1);
}

/** Records that are read before they are folded: what the reader made of them is still in the processor's cache. */
const readAtOnce = 32;

function foldBatch(
  fold: Fold,
  records: readonly LogRecord[],
  from: number,
  to: number,
  batch: EventBatch,
  truth: ActiveTruth,
): void {
  const { numbers } = fold.state;
  if (batch.passedOver.length > 0) notePassedOver(fold.state, fold.out.input, batch, records);
  let event = 0;
  for (let index = from; index < to; index++) {
    const { offset } = records[index]!;
    const fresh = offset >= numbers.nextOffset;
    for (; event < batch.count && batch.record[event] === index; event++)
      if (fresh) applyEvent(fold, batch, event, offset, truth);
    if (fresh) numbers.nextOffset = offset + 1;
  }
  assert(event === batch.count, 'a reader gave events that belong to no record');
}

/** Numbers of the pending predictions, in log order; what is resolved may be taken out meanwhile, nothing may be added. */
export function pendingNumbers({ state }: Fold): Iterator<number> {
  return state.pending.waiting.keys();
}

/**
 * Scores the pending predictions whose truth is known now, up to `budget` of those that `waiting` has left. Returns whether it has
 * none left. To be run to its end before the partition's next record.
 */
export function resolvePending(fold: Fold, truth: ActiveTruth, waiting: Iterator<number>, budget: number): boolean {
  const { state, reader, out, sliceCache } = fold;
  const { pending, numbers } = state;
  for (let looked = 0; looked < budget; looked++) {
    const { done, value: number } = waiting.next();
    if (done) return true;
    const row = truth.table.find(pending.waiting.get(number)!.exampleId);
    if (row < 0) continue;
    const { text, ts, offset, element } = takePending(pending, number);
    const batch = reader.readText(text);
    out.truthDelaysMs.push(numbers.greatestTs - ts);
    const slice = uncachedSliceOf(sliceCache, batch, 0, unreadAt(state.begun, offset));
    const accepted = { state, notes: out.input, batch, event: 0, ts, offset, element, slice };
    scoreEvent(fold, accepted, batch.prediction(0), truth.row(row));
  }
  return false;
}

/**
 * Makes a version of the truth the one in use from the next offset on; the caller resolves the pending predictions then. Returns
 * whether it is another than before.
 */
export function activateTruth(state: PartitionState, { version, rows }: TruthTable): boolean {
  const { activations, numbers } = state;
  const last = activations.at(-1);
  if (last?.version === version) return false;
  assert(
    last === undefined || last.offset <= numbers.nextOffset,
    'the next offset lies before the last version of the truth',
  );
  activations.push({ version, rows, offset: numbers.nextOffset });
  if (activations.length > activationsKept) activations.shift();
  return true;
}

/** A busy topic of truth gives a version a second, and every checkpoint holds them: the oldest are forgotten. */
const activationsKept = 1_000;

function applyEvent(fold: Fold, batch: EventBatch, event: number, offset: number, truth: ActiveTruth): void {
  const { state } = fold;
  const { numbers } = state;
  numbers.read++;
  if (batch.reject[event]! > 0) {
    reject(fold, batch, event, offset);
    return;
  }
  const given = batch.ts[event]!;
  // Without any time in a file, an event's line is its time: only order is left.
  const ts = Number.isNaN(given) ? Math.max(numbers.greatestTs, offset) : given;
  if (batch.identified[event] === 1) {
    const seen = seenBefore(state.dedupe, batch.event, 4 * event, ts, numbers.greatestTs);
    if (seen === 'duplicate') {
      numbers.duplicates++;
      return;
    }
    if (seen === 'unverified') numbers.unverified++;
  }
  advanceTime(state, ts);
  joinEvent(fold, batch, event, ts, offset, truth);
  if (state.pending.queue.size > 0) expirePending(state, fold.out);
}

/** Everything that event time evicts. No clock does. */
function advanceTime({ numbers, sums, blames, dedupe, runGroups, judgePairs }: PartitionState, ts: number): void {
  if (ts <= numbers.greatestTs) return;
  const before = numbers.greatestTs;
  numbers.greatestTs = ts;
  const evictionMs = evictionTimeOf(ts);
  if (evictionMs <= before) return;
  evictPanes(sums, evictionMs);
  dropBlames(blames);
  evictSeen(dedupe, evictionMs);
  if (runGroups !== undefined) evictGroups(runGroups, evictionMs);
  if (judgePairs !== undefined) evictVerdicts(judgePairs, evictionMs);
}

/** Takes out the predictions that waited too long by event time, and the oldest beyond the limit; each is final. */
function expirePending(state: PartitionState, out: FoldOutput): void {
  const { settings, pending, numbers, panes, limitHits } = state;
  const horizonMs = watermarkOf(state) - settings.truthWaitMs;
  for (;;) {
    const gone = takeExpired(pending, horizonMs, settings.limits.pending);
    if (gone === undefined) return;
    if (gone.ts >= horizonMs) limitHits.pending++;
    numbers.expired++;
    addExpired(panes, gone.ts);
    out.expired.push(gone);
    note({ notes: out.input, ...gone }, 'no_truth', 1, () => gone.exampleId);
  }
}

function reject({ state, out }: Fold, batch: EventBatch, event: number, offset: number): void {
  const code = rejectCodeOf(batch.reject[event]!);
  const [detail, limit] = [batch.rejectDetail(event), batch.rejectLimit(event)];
  state.rejected[rejectCodes.indexOf(code)]! += 1;
  const element = batch.element[event]!;
  const text = element >= 0 ? batch.elementText(event) : undefined;
  const noting = { state, notes: out.input, offset, element };
  note(noting, `rejected.${code}`, 1, () => detail);
  noteNames(noting, batch, event);
  out.rejects.push({ code, detail, limit, record: batch.record[event]!, offset, element, text });
}

/** Keeps a fingerprint of the last record applied that was read: a topic that was recreated or cut shows in it. */
function rememberLast(state: PartitionState, records: readonly LogRecord[], last: number): void {
  const { numbers } = state;
  const record = records[last];
  if (record === undefined || record.offset !== numbers.nextOffset - 1 || record.offset === numbers.lastOffset) return;
  if (record.unread !== undefined) return;
  const words = fingerprint(record);
  numbers.lastOffset = record.offset;
  [numbers.last0, numbers.last1, numbers.last2, numbers.last3] = words as unknown as [number, number, number, number];
}

/** 128-bit identity of a record's value. */
export function fingerprint(record: LogRecord): Uint32Array {
  const words = new Uint32Array(4);
  if (record.start >= 0) identityOfBytes(record.bytes, record.start, record.end, words, 0);
  return words;
}
