import type { EventBatch, LogRecord, Opened, Reader } from '../../stream/event.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import type { Form } from '../inputs/form.ts';
import { type Reading, streamProblem } from '../inputs/input.ts';
import { readingOf } from '../inputs/record-parts.ts';
import { beginRows, type ByteRows, byteRows, fillFromBytes, scanRow } from './byte-rows.ts';
import { addRow } from './event-columns.ts';
import { readEvent, refuse } from './event-rows.ts';
import { withoutRecord } from './event-values.ts';
import { fillFromForm, rememberForm } from './form-rows.ts';
import type { ReaderOptions } from './reader-options.ts';
import { emptyState, keepRow, type State } from './reader-state.ts';
import { noLimits, type Suspicions, suspicionsOf, textHoldsMore } from './sizes.ts';
import { isTable, readTable } from './table-rows.ts';

/**
 * The reader of prediction events as JSON (docs/reference/events.md). Never throws. What it returns is overwritten by its next
 * `read` or `readText`; texts and predictions taken from it stay good. The column `record` holds indexes into the whole
 * list of records: the first is `from`. A pending text is not measured again: it was accepted, under limits that may have changed since,
 * and written out, an event may be longer than it was.
 */
export function predictionReader(options: ReaderOptions): Reader {
  return readerWith(options);
}

/**
 * The same reader, but what is usual is read from the bytes (`byte-rows.ts`). The two agree on every event
 * (test/formats/prediction/byte-reader.test.ts).
 */
export function byteReader(options: ReaderOptions): Reader {
  return readerWith(options, byteRows(options));
}

function readerWith(options: ReaderOptions, bytes?: ByteRows): Reader {
  const state = emptyState(options, bytes);
  const pending = emptyState({
    ...options,
    maxFutureMs: undefined,
    limits: noLimits,
    input: undefined,
    isNative: undefined,
    plan: undefined,
    bytes: undefined,
    table: undefined,
  });
  return {
    read: (records, from, to) => readBatch(state, records, from, to),
    readText: (text) => readOne(pending, text),
  };
}

const unknownName = 'unknown';

function readBatch(state: State, records: readonly LogRecord[], from: number, to: number): EventBatch {
  startBatch(state, records);
  if (state.byBytes !== undefined) beginRows(state.byBytes, state.names, records[to - 1]);
  for (let index = from; index < to; index++) readRecord(state, records[index]!, index);
  return endBatch(state);
}

function startBatch(state: State, records: readonly LogRecord[]): void {
  state.names.renew();
  state.unknown.code = state.names.codeOf(unknownName);
  state.records = records;
  state.batch.count = 0;
  state.passedOver.length = 0;
  state.details.clear();
}

/** Lets go of what a larger batch before this one left behind. */
function endBatch(state: State): EventBatch {
  const { batch, values, texts, exampleIds } = state;
  if (values.length > batch.count) {
    values.length = batch.count;
    texts.length = batch.count;
    state.origins.length = batch.count;
    exampleIds.length = batch.count;
  }
  return batch;
}

/** The one event of a text that was made by `pendingText`. */
function readOne(state: State, text: string): EventBatch {
  startBatch(state, [withoutRecord]);
  readWhole(state, withoutRecord, 0, text);
  return endBatch(state);
}

function readRecord(state: State, record: LogRecord, index: number): void {
  const { limits, bytes } = state.options;
  state.hashedRow = -1;
  const sized = record.start >= 0 && record.end - record.start <= limits.recordBytes;
  if (sized && record.opened !== undefined) {
    readOpened(state, record, index, record.opened);
    return;
  }
  const { table } = state.options;
  if (sized && table !== undefined && isTable(record)) {
    readTable(state, record, index, table, (text) => readWhole(state, record, index, text));
    return;
  }
  if (sized && state.byBytes !== undefined && readBytes(state, state.byBytes, record, index)) return;
  const message = sized ? bytes?.(record) : undefined;
  const text = sized && message === undefined ? decodeUtf8(record.bytes, record.start, record.end) : undefined;
  const code = record.unread?.code ?? (sized ? 'not_utf8' : record.start < 0 ? 'not_json' : 'too_large');
  if (message !== undefined) readParts(state, record, index, undefined, message, '', { deep: true, large: true });
  else if (text !== undefined) readWhole(state, record, index, text);
  else refuse(state, addRow(state.batch), index, -1, code, undefined, '');
}

/** A value that was framed for a schema registry: read as the JSON that it stands for. */
function readOpened(state: State, record: LogRecord, index: number, opened: Opened): void {
  if (typeof opened === 'string') {
    readWhole(state, record, index, opened);
    return;
  }
  const row = addRow(state.batch);
  state.details.set(row, opened.detail);
  refuse(state, row, index, -1, opened.code, undefined, '');
}

/** Adds the row of a usual event; false: it is none. */
function readBytes(state: State, byBytes: ByteRows, record: LogRecord, index: number): boolean {
  const { batch } = state;
  const { forms, readsNative } = byBytes;
  const row = addRow(batch);
  const isScanned = scanRow(byBytes, row, record);
  const isNative = isScanned && readsNative && fillFromBytes(byBytes, state, row, record);
  const isOther = isScanned && !isNative && forms !== undefined && fillFromForm(byBytes, forms, state, row, record);
  if (!isNative && !isOther) {
    batch.count--;
    if (isScanned && forms !== undefined) state.hashedRow = row;
    return false;
  }
  keepRow(state, row, index, -1, undefined, '');
  state.origins[row] = isNative ? 'native bytes' : 'bytes';
  batch.hashed[row] = 1;
  batch.reject[row] = 0;
  return true;
}

function readWhole(state: State, record: LogRecord, index: number, text: string): void {
  const { limits, input } = state.options;
  const suspect = suspicionsOf(text, limits);
  if (suspect.large && textHoldsMore(text, input !== undefined, limits)) {
    refuse(state, addRow(state.batch), index, -1, 'too_large', undefined, text);
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuseText(state, index, text);
    return;
  }
  if (Array.isArray(value) && value.length > limits.elements)
    refuse(state, addRow(state.batch), index, -1, 'too_many_elements', value, text);
  else if (input !== undefined)
    readParts(state, record, index, value, readingOf(value, record, input, limits.depth, suspect.deep), text, suspect);
  else if (!Array.isArray(value)) readEvent(state, record, index, -1, value, text, suspect);
  else if (value.length === 0) refuse(state, addRow(state.batch), index, -1, 'schema', value, text);
  else for (let at = 0; at < value.length; at++) readEvent(state, record, index, at, value[at], text, suspect);
}

/** A text that is no JSON. A stream is the one that another form could have had. */
function refuseText(state: State, index: number, text: string): void {
  const row = addRow(state.batch);
  const problem = state.options.input && streamProblem(text);
  if (problem !== undefined) state.details.set(row, `the record ${problem}`);
  refuse(state, row, index, -1, problem === undefined ? 'not_json' : 'schema', undefined, text);
}

/** Adds the rows of a record in another form: one for each event in it, or in the elements of its array. */
function readParts(
  state: State,
  record: LogRecord,
  index: number,
  value: unknown,
  { found, ignored, spansIgnored, form }: Reading,
  text: string,
  suspect: Suspicions,
): void {
  if (ignored > 0) state.passedOver.push({ record: index, kind: 'choices_ignored', number: ignored });
  if (spansIgnored) state.passedOver.push({ record: index, kind: 'spans_ignored', number: spansIgnored });
  if (found.length > state.options.limits.elements) {
    refuse(state, addRow(state.batch), index, -1, 'too_many_elements', found, text);
    return;
  }
  if (found.length === 0 && spansIgnored === undefined)
    refuse(state, addRow(state.batch), index, -1, 'schema', [], text);
  const isPart = found.length > 1 || Array.isArray(value);
  // The event of a span was walked when it was made: a document of spans always looks deep.
  const suspected = spansIgnored === undefined ? suspect : { deep: false, large: suspect.large };
  for (let at = 0; at < found.length; at++) {
    const one = found[at]!;
    const element = isPart ? at : -1;
    // What lay in it as JSON text is walked here for the first time.
    if ('event' in one) {
      readEvent(state, record, index, element, one.event, text, suspected);
    } else {
      const row = addRow(state.batch);
      if (one.detail !== '') state.details.set(row, one.detail);
      refuse(state, row, index, element, one.code, 'origin' in one ? one.origin : value, text);
    }
  }
  rememberReading(state, form);
}

/** Remembers what was parsed of a record whose content has a hash. */
function rememberReading(state: State, form: Form | undefined): void {
  const { batch, byBytes, hashedRow: row } = state;
  if (form === undefined || row !== batch.count - 1 || batch.reject[row] !== 0) return;
  if (rememberForm(byBytes!.forms!, state, row, form)) batch.hashed[row] = 1;
}
