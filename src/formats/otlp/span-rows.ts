import { identityOfText } from '../../state/containers/identity.ts';
import type { LogRecord } from '../../stream/event.ts';
import { fitted } from '../inputs/fields.ts';
import { timeOf } from '../prediction/event-values.ts';
import { fieldText, isNumber, isText, typeIs } from '../prediction/fields.ts';
import { mixOutput } from '../prediction/form-rows.ts';
import { type KnownHashes, knownHashes } from '../prediction/known-hashes.ts';
import type { ReaderOptions } from '../prediction/reader-options.ts';
import { codeAt, copyWords, isIdAt, type RowTarget } from '../prediction/scanned.ts';
import { fieldWords, valueTypes, word } from '../prediction/scanner.ts';
import { modelCalls } from './choices.ts';
import { knownPlaces as at } from './known-names.ts';
import { elsewhere, type SpanPlan } from './span-plan.ts';
import { type SpanPlace, type SpanScanner, spanScanner } from './span-scanner.ts';

/**
 * Rows of spans that are read from their bytes, whatever the encoding. What a span says is known where another with the same content was
 * parsed before: then its columns are read from its attributes, and the rest is what that one had.
 */
export interface SpanRows {
  readonly scanner: SpanScanner;
  readonly plan: SpanPlan;
  readonly options: ReaderOptions;
  /** Codes of models and agents, as of the generation of names. */
  readonly codes: KnownHashes;
  generation: number;
  /** By hashes of contents: labels of events that were accepted. */
  readonly labels: KnownHashes;
  readonly salt: Uint32Array;
  /** By row: where the span lies whose event was not parsed. */
  readonly places: SpanPlace[];
}

const contentsKnown = 1 << 14;

/** No rows of a plan; undefined where there is no scanner. */
export function spanRows(plan: SpanPlan, options: ReaderOptions): SpanRows | undefined {
  const scanner = spanScanner(plan.fields, options.limits.depth);
  if (scanner === undefined) return undefined;
  const salt = new Uint32Array(4);
  identityOfText(plan.text, salt, 0);
  return {
    scanner,
    plan,
    options,
    codes: knownHashes(1024),
    generation: -1,
    labels: knownHashes(contentsKnown),
    salt,
    places: [],
  };
}

const operations = new Uint32Array(4 * modelCalls.length);
modelCalls.forEach((name, index) => {
  identityOfText(name, operations, 4 * index);
});

const absent = valueTypes.indexOf('absent');
const isArray = valueTypes.indexOf('array');

/** Whether a usual span holds no event: it is no call of a model, or has no messages. */
export function isPassedOver({ scanner: { words } }: SpanRows): boolean {
  const operation = fieldWords * at.operation;
  if (typeIs(words, operation, absent)) return true;
  if (!typeIs(words, operation, isText)) return false;
  return typeIs(words, fieldWords * at.messages, absent) || !isOperation(words, operation + word.hash);
}

function isOperation(words: Int32Array, hash: number): boolean {
  for (let known = 0; known < operations.length; known += 4) {
    let i = 0;
    while (i < 4 && words[hash + i] === (operations[known + i]! | 0)) i++;
    if (i === 4) return true;
  }
  return false;
}

/** Whether the hash of a usual span that is not passed over is that of its event: it has one message, and its tools are a list. */
export function hasContent({ scanner: { words } }: SpanRows): boolean {
  const messages = fieldWords * at.messages;
  const tools = fieldWords * at.tools;
  return (
    typeIs(words, fieldWords * at.operation, isText) &&
    typeIs(words, messages, isArray) &&
    words[messages + word.elements] === 1 &&
    (typeIs(words, tools, isArray) || typeIs(words, tools, absent))
  );
}

/** Fills the columns of a row with the event of the span; false: it is to be parsed. Its hash is there all the same. */
export function fillFromSpan(rows: SpanRows, target: RowTarget, row: number, record: LogRecord): boolean {
  hashContent(rows, target, row);
  const label = rows.labels.find(target.batch.content, 8 * row);
  if (label < 0 || !fillIds(rows, target, row) || !fillNumbers(rows, target, row, record)) return false;
  if (!fillNames(rows, target, row)) return false;
  target.batch.label[row] = label;
  return true;
}

/** Remembers the label of a row that was parsed, by its hash. */
export function rememberSpan({ labels }: SpanRows, { batch }: RowTarget, row: number): void {
  labels.put(batch.content, 8 * row, batch.label[row]!);
}

function hashContent({ scanner, options, salt }: SpanRows, { batch }: RowTarget, row: number): void {
  const { content } = batch;
  copyWords(scanner.words, scanner.groups, content, 8 * row, 8);
  for (let i = 0; i < 4; i++) content[8 * row + i]! ^= salt[i]!;
  if (options.decisionOf !== undefined) mixOutput(content, 8 * row);
}

const nowhere = -2;

/** Where the first attribute begins that is there. */
function firstOf(words: Int32Array, places: readonly number[]): number {
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    if (place === elsewhere) return elsewhere;
    if (!typeIs(words, place, absent)) return place;
  }
  return nowhere;
}

function fillIds({ scanner, plan }: SpanRows, { batch }: RowTarget, row: number): boolean {
  const { words } = scanner;
  const { example_id: examples, event_id: events } = plan.columns;
  const example = firstOf(words, examples!);
  if (example < 0 || !isIdAt(words, example)) return false;
  copyWords(words, example + word.hash, batch.example, 4 * row, 4);
  const event = events === undefined ? nowhere : firstOf(words, events);
  if (event === elsewhere || (event >= 0 && !isIdAt(words, event))) return false;
  const hash = events === undefined ? scanner.keys : event + word.hash;
  batch.identified[row] = (events === undefined ? scanner.isIdentified() : event >= 0) ? 1 : 0;
  if (batch.identified[row] === 1) copyWords(words, hash, batch.event, 4 * row, 4);
  return true;
}

function fillNumbers(
  { scanner, plan, options }: SpanRows,
  { batch }: RowTarget,
  row: number,
  record: LogRecord,
): boolean {
  const { words } = scanner;
  const { ts: times, run: runs } = plan.columns;
  const given = times === undefined ? endOf(scanner) : timeAt(scanner, firstOf(words, times));
  const ts = given === null ? undefined : timeOf(given, record.timestamp);
  if (ts === undefined || (options.maxFutureMs !== undefined && ts > record.timestamp + options.maxFutureMs))
    return false;
  const run = firstOf(words, runs!);
  if (run === elsewhere || (run >= 0 && !typeIs(words, run, isNumber))) return false;
  batch.ts[row] = ts;
  batch.run[row] = run < 0 ? -1 : words[run + word.elements]!;
  return true;
}

function endOf(scanner: SpanScanner): number | undefined {
  const ms = scanner.endMs();
  return Number.isNaN(ms) ? undefined : ms;
}

/** A time as it was given; undefined where there is none, null where it has to be parsed. */
function timeAt({ words, memory }: SpanScanner, place: number): number | string | undefined | null {
  if (place === nowhere) return undefined;
  if (place === elsewhere || !typeIs(words, place, isText)) return null;
  return fitted('ts', fieldText(words, place, memory)) as number | string;
}

function fillNames(rows: SpanRows, target: RowTarget, row: number): boolean {
  const { names, batch } = target;
  if (rows.generation !== names.generation) rows.codes.clear();
  rows.generation = names.generation;
  const model = nameAt(rows, target, rows.plan.columns.model!);
  const agent = nameAt(rows, target, rows.plan.columns.agent!);
  if (model === undefined || agent === undefined) return false;
  batch.model[row] = model;
  batch.agent[row] = agent;
  return batch.tagCount === 0 || fillTags(rows, target, row);
}

function nameAt(rows: SpanRows, target: RowTarget, places: readonly number[]): number | undefined {
  const { words, memory } = rows.scanner;
  const place = firstOf(words, places);
  if (place === nowhere) return target.unknown.code;
  return place >= 0 && typeIs(words, place, isText) ? codeAt(rows, target, place, memory) : undefined;
}

function fillTags({ scanner, plan, options }: SpanRows, { batch, names }: RowTarget, row: number): boolean {
  const { words, memory } = scanner;
  for (let tag = 0; tag < batch.tagCount; tag++) {
    const place = firstOf(words, plan.tags.get(options.tags[tag]!) ?? []);
    if (place === elsewhere || (place >= 0 && !typeIs(words, place, isText))) return false;
    batch.tags[row * batch.tagCount + tag] = names.codeOf(place < 0 ? '' : fieldText(words, place, memory));
  }
  return true;
}
