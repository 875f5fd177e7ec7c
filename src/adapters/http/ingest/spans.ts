import { requestOf, packed, type Encoding, type Item, type Signal, sizeOf } from '../../../formats/otlp/request.ts';
import { itemsOf } from '../../../formats/otlp/request-items.ts';
import type { IntakeRecord } from '../../../ports.ts';
import { getOrPut } from '../../../state/containers/get-or-put.ts';
import { isRejected, type Rejected } from '../../../stream/event.ts';
import { pacing, type Problem, type Reading, recordOf, runRecord } from './taken.ts';

/** Records of a request of OTLP, how many spans or log records they hold, and the codes of those that they do not. */
export interface TakenSpans {
  readonly records: readonly IntakeRecord[];
  readonly accepted: number;
  readonly rejected: readonly string[];
  /** The first of these. */
  readonly first: { readonly code: string; readonly detail: string } | undefined;
}

/** A request of OTLP in one of its encodings. */
export interface SpanRequest {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly signal: Signal;
}

/**
 * Cuts a request into records in its own encoding, each with spans of one run, whose key is the key of the record: the trace id, or without one what
 * `runs.by` names. A span that the reader refuses is left out.
 */
export async function takeSpans(request: SpanRequest, reading: Reading): Promise<TakenSpans | Problem> {
  const found = itemsOf(request.bytes, request.encoding, request.signal);
  if ('problem' in found) return { status: found.isTooLarge ? 413 : 400, problem: `the body ${found.problem}` };
  const cut: Cut = { ...{ request, reading, records: [], rejected: [], first: undefined, bytes: 0 } };
  const traces = new Map<string, Item[]>();
  for (const item of found.items) getOrPut(traces, item.traceId, () => []).push(item);
  const pace = pacing();
  for (const [traceId, items] of traces)
    for (const group of groupsOf(items, reading)) {
      await pace();
      if (!takeGroup(cut, group, traceId)) return tooMuch;
    }
  return { ...cut, accepted: found.items.length - cut.rejected.length };
}

interface Cut {
  readonly request: SpanRequest;
  readonly reading: Reading;
  readonly records: IntakeRecord[];
  readonly rejected: string[];
  first: Rejected | TakenSpans['first'];
  /** Bytes that were written. */
  bytes: number;
}

/** Bytes written for a request at most: each record repeats resource and scope of its spans, which may be large. */
const bytesMax = 64 * 2 ** 20;

const tooMuch: Problem = {
  status: 413,
  problem: `the spans of the body, each with its resource and scope, have more than ${bytesMax} bytes; send fewer in a request, or smaller resources`,
};

/** Takes a group of spans of one trace, as one record where nothing speaks against it. False where too much was written. */
function takeGroup(cut: Cut, items: readonly Item[], traceId: string): boolean {
  const read = readItems(cut, items);
  if (read === undefined) return false;
  if (read.rejected === undefined && read.runs.length <= 1) {
    cut.records.push(runRecord(read.runs[0] ?? traceId, read.bytes));
    return true;
  }
  return items.length === 1 ? refuse(cut, read.rejected!) : takeEach(cut, items, traceId);
}

/** Takes the spans that can be read each by itself, by their runs. */
function takeEach(cut: Cut, items: readonly Item[], traceId: string): boolean {
  const runs = new Map<string, Item[]>();
  for (const item of items) {
    const read = readItems(cut, [item]);
    if (read === undefined) return false;
    if (read.rejected !== undefined) refuse(cut, read.rejected);
    else getOrPut(runs, read.runs[0] ?? traceId, () => []).push(item);
  }
  for (const [run, ofRun] of runs)
    for (const group of groupsOf(ofRun, cut.reading)) {
      const bytes = written(cut, group);
      if (bytes === undefined) return false;
      cut.records.push(runRecord(run, bytes));
    }
  return true;
}

function refuse(cut: Cut, { code, detail }: NonNullable<TakenSpans['first']>): true {
  cut.rejected.push(code);
  cut.first ??= { code, detail };
  return true;
}

interface ReadItems {
  readonly bytes: Uint8Array;
  /** The first refusal. */
  readonly rejected: NonNullable<TakenSpans['first']> | undefined;
  /** Keys of the runs that they are steps of. */
  readonly runs: readonly string[];
}

/** Reads spans as the record that they would be; undefined where too much was written. */
function readItems(cut: Cut, items: readonly Item[]): ReadItems | undefined {
  const { reader, recordBytes, nowMs } = cut.reading;
  const size = sizeOf(items[0]!);
  // A group of its own, which is not written: it may repeat a large resource.
  if (size > recordBytes) {
    const detail = `has some ${size} bytes with its resource, and limits.record_bytes is ${recordBytes}; record less of it, or raise the limit`;
    return { bytes: new Uint8Array(0), rejected: { code: 'too_large', detail }, runs: [] };
  }
  const bytes = written(cut, items);
  if (bytes === undefined) return undefined;
  const { events, steps = [] } = reader.read(recordOf(bytes, nowMs));
  return { bytes, rejected: events.find(isRejected), runs: [...new Set(steps.map(({ run }) => run))] };
}

function written(cut: Cut, items: readonly Item[]): Uint8Array | undefined {
  const bytes = requestOf(items, cut.request.encoding, cut.request.signal);
  cut.bytes += bytes.length;
  return cut.bytes > bytesMax ? undefined : bytes;
}

function groupsOf(items: readonly Item[], { recordBytes, elements }: Reading): readonly (readonly Item[])[] {
  return packed(items, recordBytes, elements);
}
