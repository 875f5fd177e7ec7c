import type { EventBatch, LogRecord, Reader } from '../../stream/event.ts';
import { identityOfText } from '../../state/containers/identity.ts';
import type { LabelCode } from '../../scoring/label.ts';
import { type RejectCode, rejectCodeOf, rejectNumber } from '../../state/reject.ts';
import { addRow, type EventColumns, eventColumns } from './event-columns.ts';
import { mayNestDeeper, nestsDeeper } from '../json/json-depth.ts';
import { elementSpans } from '../json/json-elements.ts';
import { type NameTable, nameTable } from './names.ts';
import { pendingText } from './pending-text.ts';
import { labelOf, predictionOf } from './content.ts';
import { isEvent, type RawEvent } from './schema.ts';
import { type RecordLimits, rejectDetail } from './reject-detail.ts';
import { inRange, readTimestamp } from './timestamp.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';

export interface ReaderOptions {
  /** Names of the tags that the configuration slices by, in column order. */
  readonly tags: readonly string[];
  /** How far an event time may lie after its record's; undefined where the rule does not apply (`replay`). */
  readonly maxFutureMs: number | undefined;
  readonly limits: RecordLimits;
}

/**
 * The reader of prediction events as JSON (docs/reference/events.md). Never throws. What it returns is overwritten by its next
 * `read` or `readText`; texts and predictions taken from it stay good. The column `record` holds indexes into the whole
 * list of records: the first is `from`. A pending text is not measured again: it was accepted, under limits that may have changed since,
 * and written out, an event may be longer than it was.
 */
export function predictionReader(options: ReaderOptions): Reader {
  const state = emptyState(options);
  const pending = emptyState({ ...options, maxFutureMs: undefined, limits: noLimits });
  return {
    read: (records, from, to) => readBatch(state, records, from, to),
    readText: (text) => readOne(pending, text),
  };
}

const noLimits: RecordLimits = {
  recordBytes: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  elements: Number.POSITIVE_INFINITY,
  calls: Number.POSITIVE_INFINITY,
};

/** `values` and `texts` hold the parsed event and the record's text of each row. */
interface State {
  readonly options: ReaderOptions;
  readonly names: NameTable;
  readonly unknown: { code: number };
  readonly batch: EventColumns & EventBatch;
  records: readonly LogRecord[];
  readonly values: unknown[];
  readonly texts: string[];
  readonly exampleIds: string[];
}

const unknownName = 'unknown';

function readBatch(state: State, records: readonly LogRecord[], from: number, to: number): EventBatch {
  startBatch(state, records);
  for (let index = from; index < to; index++) readRecord(state, records[index]!, index);
  return endBatch(state);
}

function startBatch(state: State, records: readonly LogRecord[]): void {
  state.names.renew();
  state.unknown.code = state.names.codeOf(unknownName);
  state.records = records;
  state.batch.count = 0;
}

/** Lets go of what a larger batch before this one left behind. */
function endBatch(state: State): EventBatch {
  const { batch, values, texts, exampleIds } = state;
  if (values.length > batch.count) {
    values.length = batch.count;
    texts.length = batch.count;
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

const withoutRecord: LogRecord = {
  bytes: new Uint8Array(0),
  start: 0,
  end: 0,
  key: null,
  offset: 0,
  timestamp: Number.NaN,
};

function readRecord(state: State, record: LogRecord, index: number): void {
  const { limits } = state.options;
  const sized = record.start >= 0 && record.end - record.start <= limits.recordBytes;
  const absent = record.start < 0 && record.unread === undefined;
  const text = sized ? decodeUtf8(record.bytes, record.start, record.end) : undefined;
  if (text === undefined) {
    const code = sized ? 'not_utf8' : absent ? 'not_json' : 'too_large';
    refuse(state, addRow(state.batch), index, -1, code, undefined, '');
    return;
  }
  readWhole(state, record, index, text);
}

function readWhole(state: State, record: LogRecord, index: number, text: string): void {
  const { limits } = state.options;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse(state, addRow(state.batch), index, -1, 'not_json', undefined, text);
    return;
  }
  const suspect = mayNestDeeper(text, limits.depth);
  if (!Array.isArray(value)) readEvent(state, record, index, -1, value, text, suspect);
  else if (value.length === 0) refuse(state, addRow(state.batch), index, -1, 'schema', value, text);
  else if (value.length > limits.elements)
    refuse(state, addRow(state.batch), index, -1, 'too_many_elements', value, text);
  else for (let at = 0; at < value.length; at++) readEvent(state, record, index, at, value[at], text, suspect);
}

/** Adds the row of one event: a whole record (`at` -1), or an element of an array, which is refused alone. */
function readEvent(
  state: State,
  record: LogRecord,
  index: number,
  at: number,
  value: unknown,
  text: string,
  suspect: boolean,
): void {
  const row = addRow(state.batch);
  // An array is depth 1 itself.
  const deep = suspect && nestsDeeper(value, at < 0 ? state.options.limits.depth : state.options.limits.depth - 1);
  const code = deep ? 'too_deep' : isEvent(value) ? fillRow(state, row, value, record) : 'schema';
  if (code !== undefined) {
    refuse(state, row, index, at, code, value, text);
    return;
  }
  keepRow(state, row, index, at, value, text);
  state.batch.reject[row] = 0;
}

/** Fills the columns of a row that concern the event's content, unless it is to be refused. */
function fillRow(state: State, row: number, event: RawEvent, record: LogRecord): RejectCode | undefined {
  const { batch, names, options } = state;
  const calls = event.tool_calls;
  if (calls && calls.length > options.limits.calls) return 'too_many_calls';
  const exampleId = event.example_id ?? idOfKey(record.key);
  if (exampleId === undefined) return 'no_example_id';
  const ts = timeOf(event.ts, record.timestamp);
  if (ts === undefined) return 'bad_timestamp';
  if (options.maxFutureMs !== undefined && ts > record.timestamp + options.maxFutureMs) return 'future_timestamp';
  batch.ts[row] = ts;
  batch.run[row] = event.run == null ? -1 : event.run + 0;
  batch.label[row] = labelOf(event);
  batch.model[row] = event.model ? names.codeOf(event.model) : state.unknown.code;
  batch.agent[row] = event.agent ? names.codeOf(event.agent) : state.unknown.code;
  if (batch.tagCount > 0) fillTags(state, row, event);
  fillIds(state, row, exampleId, event.event_id);
  return undefined;
}

function fillIds(state: State, row: number, exampleId: string, eventId: string | null | undefined): void {
  const { batch } = state;
  state.exampleIds[row] = exampleId;
  identityOfText(exampleId, batch.example, 4 * row);
  batch.identified[row] = eventId == null ? 0 : 1;
  if (eventId != null) identityOfText(eventId, batch.event, 4 * row);
}

function fillTags(state: State, row: number, event: RawEvent): void {
  const { batch, names, options } = state;
  for (let tag = 0; tag < batch.tagCount; tag++) {
    batch.tags[row * batch.tagCount + tag] = names.codeOf(tagText(event, options.tags[tag]!));
  }
}

function tagText(event: RawEvent, tag: string): string {
  const tags = event.tags;
  if (tags == null || !Object.hasOwn(tags, tag)) return '';
  const value = tags[tag];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Event time in ms, NaN where neither the event nor its record has one; undefined where it is no time of 2000 to 2100. */
function timeOf(given: string | number | null | undefined, recordTime: number): number | undefined {
  if (given == null && Number.isNaN(recordTime)) return recordTime;
  const ms = typeof given === 'string' ? readTimestamp(given) : Math.floor(given ?? recordTime);
  return inRange(ms) ? ms : undefined;
}

function idOfKey(key: Uint8Array | null): string | undefined {
  const id = key === null ? undefined : decodeUtf8(key, 0, key.length);
  return isId(id, idCharactersMax) ? id : undefined;
}

function refuse(
  state: State,
  row: number,
  index: number,
  at: number,
  code: RejectCode,
  value: unknown,
  text: string,
): void {
  keepRow(state, row, index, at, value, text);
  state.batch.reject[row] = rejectNumber(code);
  state.exampleIds[row] = '';
}

function keepRow(state: State, row: number, index: number, at: number, value: unknown, text: string): void {
  state.batch.record[row] = index;
  state.batch.element[row] = at;
  state.values[row] = value;
  state.texts[row] = text;
}

function emptyState(options: ReaderOptions): State {
  const names = nameTable();
  const values: unknown[] = [];
  const texts: string[] = [];
  const exampleIds: string[] = [];
  const textOf = elementTexts(texts);
  const batch: EventColumns & EventBatch = {
    ...eventColumns(options.tags.length),
    names,
    exampleId: (row) => exampleIds[row]!,
    eventId: (row) => (values[row] as RawEvent).event_id ?? undefined,
    prediction: (row) => predictionOf(values[row] as RawEvent, batch.label[row] as LabelCode),
    rejectDetail: (row) => {
      const record = state.records[batch.record[row]!]!;
      const code = rejectCodeOf(batch.reject[row]!);
      return rejectDetail({ code, record, value: values[row], text: texts[row]! }, options.limits);
    },
    elementText: (row) => (batch.element[row]! < 0 ? texts[row]! : textOf(row, batch.element[row]!)),
    pendingText: (row, tsMs) => pendingText(batch, row, values[row] as RawEvent, tsMs, options.tags),
  };
  const state: State = { options, names, unknown: { code: 0 }, batch, records: [], values, texts, exampleIds };
  return state;
}

/** Source text of an element; remembers where the elements of the last asked record lie, so that many cost one scan. */
function elementTexts(texts: readonly string[]): (row: number, at: number) => string {
  const last = { text: '', spans: [] as number[] };
  return (row, at) => {
    const text = texts[row]!;
    if (last.text !== text) {
      last.text = text;
      last.spans = elementSpans(text);
    }
    return text.slice(last.spans[2 * at], last.spans[2 * at + 1]);
  };
}
