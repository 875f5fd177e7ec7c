import { invalid, type LabelCode, labels, toolCall } from '../../scoring/label.ts';
import type { Output, Prediction } from '../../scoring/prediction.ts';
import { readUsualTimestamp } from '../../scoring/timestamp.ts';
import { identityOfText } from '../../state/containers/identity.ts';
import type { LogRecord } from '../../stream/event.ts';
import { outputOf, predictionOf } from './content.ts';
import { tagText, timeOf } from './event-values.ts';
import { at, fieldText, fieldValue, isText, parsedRecord, typeIs, usualFields, wholeNumber } from './fields.ts';
import { type FormRows, formRows } from './form-rows.ts';
import { type KnownHashes, knownHashes } from './known-hashes.ts';
import type { NearName } from './near-names.ts';
import type { NameTable } from './names.ts';
import type { ReaderOptions } from './reader-options.ts';
import { codeAt, copyWords, isIdAt, type RowTarget, type Scanned } from './scanned.ts';
import { createScanner, word } from './scanner.ts';
import type { RawEvent } from './schema.ts';

/**
 * The rows of a batch that are read from bytes: those of usual events. Whatever is unusual in any way is left to JSON.parse, so what is
 * here need not know what is wrong with an event. A row's bytes are those of its record.
 */
export interface ByteRows extends Scanned {
  /** Hashes of keys of which none is near to a field. */
  readonly nothingNear: KnownHashes;
  /** 1 for hashes of keys that native events have, 0 for those that others may have. */
  readonly native: KnownHashes;
  /** Rows of other forms; undefined where those are always parsed. */
  readonly forms: FormRows | undefined;
  /** Whether records may be native events. */
  readonly readsNative: boolean;
  /** By row: somebody has looked at its output. */
  readonly outputRead: number[];
  /** Generation of the names that `codes` belong to. */
  generation: number;
}

/** No rows; undefined where there is no scanner, or nothing for it to read. */
export function byteRows(options: ReaderOptions): ByteRows | undefined {
  const readsNative = options.input === undefined || options.isNative !== undefined;
  // Where tags that slices are made of lie elsewhere, every record is parsed.
  const plan = options.plan?.hasTags === false && options.tags.length > 0 ? undefined : options.plan;
  if (!readsNative && plan === undefined) return undefined;
  const scanner = createScanner(plan?.fields ?? usualFields, options.limits.depth);
  if (scanner === undefined) return undefined;
  const [codes, nothingNear, native] = [knownHashes(1024), knownHashes(1024), knownHashes(1024)];
  const forms = plan && formRows(plan);
  const outputRead: number[] = [];
  return { scanner, options, codes, nothingNear, native, forms, readsNative, outputRead, generation: -1 };
}

/** Begins a batch, of which `last` is the last record. */
export function beginRows(rows: ByteRows, { generation }: NameTable, last: LogRecord | undefined): void {
  if (generation !== rows.generation) rows.codes.clear();
  rows.generation = generation;
  rows.scanner.begin(last);
}

/** Scans a record into a row. False: JSON.parse is to look at it. */
export function scanRow({ scanner, options, outputRead }: ByteRows, row: number, record: LogRecord): boolean {
  // Shorter, an event cannot hold more values than it may (`mayHoldMore`).
  const isShort = record.end - record.start < 2 * options.limits.values;
  if (row >= scanner.rows || !isShort || !scanner.scan(record, row)) return false;
  outputRead[row] = 0;
  return true;
}

/** Fills the columns of a row that was scanned, and is a native event, which concern its content. False: JSON.parse is to do it. */
export function fillFromBytes(rows: ByteRows, target: RowTarget, row: number, record: LogRecord): boolean {
  const { scanner, options } = rows;
  const { limits, maxFutureMs } = options;
  const { words, rowWords } = scanner;
  const { batch } = target;
  const found = row * rowWords;
  if (!isIdAt(words, found + at.example_id) || !isNativeAt(rows, found + scanner.keys, record)) return false;
  const identified = typeIs(words, found + at.event_id, isText);
  if (identified && !isIdAt(words, found + at.event_id)) return false;
  if (words[found + at.tool_calls + word.elements]! > limits.calls) return false;
  const ts = timeAt(words, found + at.ts, record);
  if (ts === undefined || (maxFutureMs !== undefined && ts > record.timestamp + maxFutureMs)) return false;
  const run = runAt(words, found + at.run, record);
  const label = labelAt(words, found, options);
  const model = codeAt(rows, target, found + at.model, record);
  const agent = codeAt(rows, target, found + at.agent, record);
  if (run === undefined || label === undefined || model === undefined || agent === undefined) return false;
  batch.ts[row] = ts;
  batch.run[row] = run;
  batch.label[row] = label;
  batch.model[row] = model;
  batch.agent[row] = agent;
  if (batch.tagCount > 0) fillTags(rows, target, row, record);
  batch.identified[row] = identified ? 1 : 0;
  copyWords(words, found + at.example_id + word.hash, batch.example, 4 * row, 4);
  if (identified) copyWords(words, found + at.event_id + word.hash, batch.event, 4 * row, 4);
  copyWords(words, found + scanner.groups, batch.content, 8 * row, 8);
  return true;
}

/** The example of a row. */
export function exampleOf({ scanner }: ByteRows, row: number, record: LogRecord): string {
  return fieldText(scanner.words, row * scanner.rowWords + at.example_id, record);
}

/** The event id of a row; undefined where it has none. */
export function eventIdOf({ scanner }: ByteRows, row: number, record: LogRecord): string | undefined {
  const field = row * scanner.rowWords + at.event_id;
  return typeIs(scanner.words, field, isText) ? fieldText(scanner.words, field, record) : undefined;
}

/** A row's event as far as its tags go. */
export function tagsOf({ scanner }: ByteRows, row: number, record: LogRecord): RawEvent {
  return { tags: fieldValue(scanner.words, row * scanner.rowWords + at.tags, record) } as RawEvent;
}

/** The content of a row; its output is parsed when it is looked at. */
export function predictionFrom(rows: ByteRows, row: number, record: LogRecord, label: LabelCode): Prediction {
  const { words, rowWords } = rows.scanner;
  const found = row * rowWords;
  const event = {
    label: fieldValue(words, found + at.label, record),
    tool_calls: fieldValue(words, found + at.tool_calls, record),
    tools: fieldValue(words, found + at.tools, record),
    error: fieldValue(words, found + at.error, record),
    success: fieldValue(words, found + at.success, record),
  } as RawEvent;
  return new OutputLater(predictionOf(event, label), () => {
    rows.outputRead[row] = 1;
    return outputOf(fieldValue(words, found + at.output, record));
  });
}

/** The content of a row whose event was parsed; it is noted when somebody looks at its output. */
export function predictionNoting(outputRead: number[], row: number, event: RawEvent, label: LabelCode): Prediction {
  const prediction = predictionOf(event, label);
  return new OutputLater(prediction, () => {
    outputRead[row] = 1;
    return prediction.output;
  });
}

/** A content whose output is made when somebody looks at it. A class: to make an object with a getter of its own takes some 0.3 us. */
class OutputLater implements Prediction {
  readonly label: Prediction['label'];
  readonly labelStatus: Prediction['labelStatus'];
  readonly calls: Prediction['calls'];
  readonly callsNotRecorded: Prediction['callsNotRecorded'];
  readonly tools: Prediction['tools'];
  readonly error: Prediction['error'];
  readonly success: Prediction['success'];
  readonly #output: () => Output;

  constructor(rest: Omit<Prediction, 'output'>, output: () => Output) {
    this.label = rest.label;
    this.labelStatus = rest.labelStatus;
    this.calls = rest.calls;
    this.callsNotRecorded = rest.callsNotRecorded;
    this.tools = rest.tools;
    this.error = rest.error;
    this.success = rest.success;
    this.#output = output;
  }

  get output(): Output {
    return this.#output();
  }
}

/** What `find` finds near in a row; it is asked once for all events with the same keys. */
export function nearNameOf(
  { scanner, nothingNear }: ByteRows,
  row: number,
  find: (row: number) => NearName | undefined,
): NearName | undefined {
  const keys = row * scanner.rowWords + scanner.keys;
  if (nothingNear.find(scanner.words, keys) >= 0) return undefined;
  const near = find(row);
  if (near === undefined) nothingNear.put(scanner.words, keys, 0);
  return near;
}

/** Whether a record cannot be of another form; the event is parsed once for all with the same keys. */
function isNativeAt({ scanner, options, native }: ByteRows, keys: number, record: LogRecord): boolean {
  const { isNative } = options;
  if (isNative === undefined) return true;
  const known = native.find(scanner.words, keys);
  if (known >= 0) return known === 1;
  const found = isNative(parsedRecord(record));
  native.put(scanner.words, keys, found ? 1 : 0);
  return found;
}

function timeAt(words: Int32Array, field: number, record: LogRecord): number | undefined {
  if (typeIs(words, field, isText)) {
    const usual = readUsualTimestamp(record.bytes, words[field + word.start]!, words[field + word.end]!);
    return timeOf(usual ?? fieldText(words, field, record), record.timestamp);
  }
  const number = wholeNumber(words, field, record);
  return number === undefined ? undefined : timeOf(number ?? undefined, record.timestamp);
}

function runAt(words: Int32Array, field: number, record: LogRecord): number | undefined {
  const number = wholeNumber(words, field, record);
  return number === null ? -1 : number;
}

const labelWords: Uint32Array = new Uint32Array(4 * labels.length);
labels.forEach((label, code) => {
  identityOfText(label, labelWords, 4 * code);
});

/** undefined: the rules of decisions are to say it. */
function labelAt(words: Int32Array, found: number, { decisionOf }: ReaderOptions): LabelCode | undefined {
  if (typeIs(words, found + at.label, isText)) {
    const hash = found + at.label + word.hash;
    for (let code = 0; code < labels.length; code++) if (isLabel(words, hash, 4 * code)) return code as LabelCode;
    return invalid;
  }
  if (words[found + at.tool_calls + word.elements]! > 0) return toolCall;
  return decisionOf === undefined ? invalid : undefined;
}

function isLabel(words: Int32Array, hash: number, label: number): boolean {
  for (let i = 0; i < 4; i++) if (words[hash + i] !== (labelWords[label + i]! | 0)) return false;
  return true;
}

function fillTags(rows: ByteRows, target: RowTarget, row: number, record: LogRecord): void {
  const { batch, names } = target;
  const event = tagsOf(rows, row, record);
  for (let tag = 0; tag < batch.tagCount; tag++)
    batch.tags[row * batch.tagCount + tag] = names.codeOf(tagText(event, rows.options.tags[tag]!));
}
