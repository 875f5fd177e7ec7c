import type { EventBatch, LogRecord, Reader } from './event.ts';
import { identityOfBytes } from '../state/containers/identity.ts';
import type { Json } from '../scoring/json.ts';
import type { Prediction } from '../scoring/prediction.ts';
import { type RejectCode, rejectCodeOf, rejectCodes } from '../state/reject.ts';
import { type Scored, scoreEvent } from './score.ts';
import { evictSeen, seenBefore } from '../state/dedupe.ts';
import { evictPanes } from '../state/panes.ts';
import { evictionTimeOf } from '../state/event-time.ts';
import type { PartitionState } from '../state/partition.ts';
import {
  addPending,
  expirePending,
  type PendingPrediction,
  pendingPrediction,
  removePending,
} from '../state/pending.ts';
import { sliceOf, uncachedSliceOf } from '../state/slices.ts';
import { toolName } from '../scoring/tool.ts';
import type { TruthTable } from '../scoring/truth.ts';
import type { ActiveTruth } from './truth-cache.ts';

/** What a fold tells besides the state it changes: consumed by the pipeline, cleared by it. */
export interface FoldOutput {
  readonly rejects: RejectedEvent[];
  readonly expired: PendingPrediction[];
  /** Event time that passed between a prediction and its scoring, of those that waited for their truth, in ms. */
  readonly truthDelaysMs: number[];
  /** Calls to a tool that the event itself does not name, by model. */
  readonly unknownCalls: Map<string, number>;
  /** Called for each scored event, if anyone wants score rows. The argument is valid during the call. */
  onScored: ((scored: Scored) => void) | undefined;
}

export interface RejectedEvent {
  readonly code: RejectCode;
  readonly detail: string;
  /** Index in the batch of records that was folded. */
  readonly record: number;
  readonly offset: number;
  /** -1: the whole record. */
  readonly element: number;
  /** The element as JSON; undefined for a whole record, whose bytes the caller has. */
  readonly text: string | undefined;
}

/** An output that nobody has written to. */
export function emptyOutput(): FoldOutput {
  return { rejects: [], expired: [], truthDelaysMs: [], unknownCalls: new Map(), onScored: undefined };
}

/**
 * Reads records[from, to) and folds them into the state: one event after the other, in log order. A record below the next offset
 * was applied before and is skipped. How records are cut into batches leaves no trace in the state.
 */
export function foldRecords(
  state: PartitionState,
  reader: Reader,
  records: readonly LogRecord[],
  from: number,
  to: number,
  truth: ActiveTruth,
  out: FoldOutput,
): void {
  for (let start = from; start < to; start += sliceRecords) {
    const end = Math.min(start + sliceRecords, to);
    foldSlice(state, records, start, end, reader.read(records, start, end), truth, out);
  }
  rememberLast(state, records, to - 1);
}

/** Records that are read before they are folded: what the reader made of them is still in the processor's cache. */
const sliceRecords = 32;

function foldSlice(
  state: PartitionState,
  records: readonly LogRecord[],
  from: number,
  to: number,
  batch: EventBatch,
  truth: ActiveTruth,
  out: FoldOutput,
): void {
  const { numbers } = state;
  let event = 0;
  for (let index = from; index < to; index++) {
    const record = records[index]!;
    const fresh = record.offset >= numbers.nextOffset;
    for (; event < batch.count && batch.record[event] === index; event++)
      if (fresh) applyEvent(state, batch, event, record.offset, truth, out);
    if (fresh) numbers.nextOffset = record.offset + 1;
  }
}

/** Numbers of the pending predictions, in log order; what is resolved may be taken out meanwhile, nothing may be added. */
export function pendingNumbers(state: PartitionState): Iterator<number> {
  return state.derived.pendingQueue.examples.keys();
}

/**
 * Scores the pending predictions whose truth is known now, up to `budget` of those that `waiting` has left. Returns whether it has
 * none left. To be run to its end before the partition's next record.
 */
export function resolvePending(
  state: PartitionState,
  truth: ActiveTruth,
  waiting: Iterator<number>,
  budget: number,
  out: FoldOutput,
): boolean {
  const { examples } = state.derived.pendingQueue;
  for (let looked = 0; looked < budget; looked++) {
    const { done, value: number } = waiting.next();
    if (done) return true;
    const { exampleId, ts, offset, element } = examples.get(number)!;
    const row = truth.table.find(exampleId);
    if (row < 0) continue;
    const { text } = pendingPrediction(state, number);
    const batch = state.settings.pendingReader.readText(text);
    removePending(state, number);
    out.truthDelaysMs.push(state.numbers.greatestTs - ts);
    const slice = uncachedSliceOf(state, batch, 0);
    const placed = { batch, event: 0, prediction: batch.prediction(0), ts, offset, element, slice };
    scoreEvent(state, placed, truth.row(row), out.onScored);
  }
  return false;
}

/**
 * Makes a version of the truth the one in use from the next offset on; the caller resolves the pending predictions then. Returns
 * whether it is another than before.
 */
export function activateTruth(state: PartitionState, { version, rows }: TruthTable): boolean {
  if (state.activations.at(-1)?.version === version) return false;
  state.activations.push({ version, rows, offset: state.numbers.nextOffset });
  if (state.activations.length > activationsKept) state.activations.shift();
  return true;
}

/** A busy topic of truth gives a version a second, and every checkpoint holds them: the oldest are forgotten. */
const activationsKept = 1_000;

function applyEvent(
  state: PartitionState,
  batch: EventBatch,
  event: number,
  offset: number,
  truth: ActiveTruth,
  out: FoldOutput,
): void {
  const { numbers } = state;
  numbers.read++;
  if (batch.reject[event]! > 0) {
    reject(state, batch, event, offset, rejectCodeOf(batch.reject[event]!), batch.rejectDetail(event), out);
    return;
  }
  let ts = batch.ts[event]!;
  if (Number.isNaN(ts)) ts = numbers.greatestTs;
  if (ts === Number.NEGATIVE_INFINITY) {
    const detail = 'the event has no ts, and no event before it had one: give it a ts';
    reject(state, batch, event, offset, 'bad_timestamp', detail, out);
    return;
  }
  if (batch.identified[event] === 1) {
    const seen = seenBefore(state, batch.event, 4 * event, ts);
    if (seen === 'duplicate') {
      numbers.duplicates++;
      return;
    }
    if (seen === 'unverified') numbers.unverified++;
  }
  advanceTime(state, ts);
  placeEvent(state, batch, event, ts, offset, truth, out);
  if (state.derived.pendingQueue.heap.length > 0) expirePending(state, out.expired);
}

/** Scores an accepted event, or keeps it until its truth comes. */
function placeEvent(
  state: PartitionState,
  batch: EventBatch,
  event: number,
  ts: number,
  offset: number,
  truth: ActiveTruth,
  out: FoldOutput,
): void {
  const element = batch.element[event]!;
  const exampleId = batch.exampleId(event);
  const prediction = batch.prediction(event);
  const unknown = unknownCalls(prediction);
  if (unknown > 0) addUnknown(out, batch.names.text(batch.model[event]!), unknown);
  const row = truth.find(batch.example, 4 * event, exampleId);
  if (row < 0) {
    addPending(state, { exampleId, ts, offset, element }, batch.pendingText(event, ts));
    return;
  }
  const slice = sliceOf(state, batch, event);
  scoreEvent(state, { batch, event, prediction, ts, offset, element, slice }, truth.row(row), out.onScored);
}

/** Calls to none of the tools that the event itself names: needs no truth. */
function unknownCalls({ calls, tools }: Prediction): number {
  if (calls === undefined || tools === undefined) return 0;
  let unknown = 0;
  for (let i = 0; i < calls.length; i++) if (!names(tools, calls[i]!.name)) unknown++;
  return unknown;
}

function names(tools: readonly Json[], name: string | undefined): boolean {
  if (name === undefined) return false;
  for (let i = 0; i < tools.length; i++) if (toolName(tools[i]!) === name) return true;
  return false;
}

function addUnknown(out: FoldOutput, model: string, calls: number): void {
  out.unknownCalls.set(model, (out.unknownCalls.get(model) ?? 0) + calls);
}

/** Everything that event time drives: expiry, eviction, horizons. No clock does. */
function advanceTime(state: PartitionState, ts: number): void {
  const { numbers, derived, settings } = state;
  if (ts <= numbers.greatestTs) return;
  const before = numbers.greatestTs;
  numbers.greatestTs = ts;
  const now = evictionTimeOf(state);
  if (now <= before) return;
  evictPanes(state);
  evictSeen(state);
  if (derived.groupIndex !== undefined)
    settings.stability!.evict(state.groups, derived.groupIndex, now, derived.histograms);
}

function reject(
  state: PartitionState,
  batch: EventBatch,
  event: number,
  offset: number,
  code: RejectCode,
  detail: string,
  out: FoldOutput,
): void {
  state.rejected[rejectCodes.indexOf(code)]! += 1;
  const element = batch.element[event]!;
  const text = element >= 0 ? batch.elementText(event) : undefined;
  out.rejects.push({ code, detail, record: batch.record[event]!, offset, element, text });
}

/** Keeps a fingerprint of the last record applied: a topic that was recreated or cut shows in it. */
function rememberLast(state: PartitionState, records: readonly LogRecord[], last: number): void {
  const { numbers } = state;
  const record = records[last];
  if (record === undefined || record.offset !== numbers.nextOffset - 1 || record.offset === numbers.lastOffset) return;
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
