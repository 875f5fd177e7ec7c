import { isObject } from '../../scoring/json.ts';
import type { LabelCode } from '../../scoring/label.ts';
import { identityOfText } from '../../state/containers/identity.ts';
import type { LogRecord } from '../../stream/event.ts';
import { fitted } from '../inputs/fields.ts';
import type { Form } from '../inputs/form.ts';
import { elsewhere, type FormPlan, type ScanPlan } from '../inputs/scan-plan.ts';
import { tagText, timeOf } from './event-values.ts';
import { fieldText, fieldValue, isNull, isNumber, isObjectType, isText, typeIs, wholeNumber } from './fields.ts';
import { type KnownHashes, knownHashes } from './known-hashes.ts';
import { codeAt, copyWords, isIdAt, type RowTarget, type Scanned } from './scanned.ts';
import { fieldWords, word } from './scanner.ts';
import type { RawEvent } from './schema.ts';

/**
 * Rows of records in other forms that are read from their bytes. What such a record says is known where another with the same content was parsed
 * before: then its columns are read from the bytes, and the rest is what that one had. So nothing here knows how a form is read, but where it has
 * what is new in every event.
 */
export interface FormRows {
  readonly plan: ScanPlan;
  /** By hashes of contents: the number of the form, and the label. */
  readonly known: KnownHashes;
  readonly salt: Uint32Array;
  /** Fields that hold others. */
  readonly open: readonly number[];
}

const contentsKnown = 1 << 14;
const labelRoom = 8;

/** No rows of a plan. */
export function formRows(plan: ScanPlan): FormRows {
  const salt = new Uint32Array(4);
  identityOfText(plan.text, salt, 0);
  const open = plan.fields.flatMap((field, index) => (field.isOpen ? [index] : []));
  return { plan, known: knownHashes(contentsKnown), salt, open };
}

/** Fills the columns of a row that was scanned. False: its record is to be parsed; its hash is there all the same. */
export function fillFromForm(
  rows: Scanned,
  forms: FormRows,
  target: RowTarget,
  row: number,
  record: LogRecord,
): boolean {
  const found = row * rows.scanner.rowWords;
  hashContent(rows, forms, target, row);
  const known = forms.known.find(target.batch.content, 8 * row);
  if (known < 0) return false;
  const plan = forms.plan.forms[Math.floor(known / labelRoom)]!;
  if (!isUsual(rows, forms, plan, found)) return false;
  if (!fillIds(rows, plan, target, row) || !fillNumbers(rows, plan, target, row, record)) return false;
  if (!fillNames(rows, plan, target, row, record)) return false;
  target.batch.label[row] = known % labelRoom;
  return true;
}

/** Remembers what a row's record was read as, which was parsed. False: its form is none of the plan, and so the hash is not that of its content. */
export function rememberForm({ known, plan }: FormRows, { batch }: RowTarget, row: number, form: Form): boolean {
  const number = plan.forms.findIndex((one) => one.form === form);
  if (number < 0) return false;
  known.put(batch.content, 8 * row, labelRoom * number + (batch.label[row] as LabelCode));
  return true;
}

function hashContent({ scanner, options }: Scanned, { salt }: FormRows, { batch }: RowTarget, row: number): void {
  const { words, rowWords, groups } = scanner;
  copyWords(words, row * rowWords + groups, batch.content, 8 * row, 8);
  for (let i = 0; i < 4; i++) batch.content[8 * row + i]! ^= salt[i]!;
  if (options.decisionOf !== undefined) mixOutput(batch.content, 8 * row);
}

/** Where decisions are read from words, the label depends on the output, and so does everything. */
export function mixOutput(content: Uint32Array, at: number): void {
  for (let i = 0; i < 4; i++) {
    const output = content[at + 4 + i]!;
    content[at + i]! ^= (output << 7) | (output >>> 25);
  }
}

/** Whether what holds fields is an object, or nothing; and nothing is there that makes a form another. */
function isUsual(
  { scanner: { words } }: Scanned,
  { open }: FormRows,
  { objects, absent }: FormPlan,
  found: number,
): boolean {
  for (const field of open) {
    const at = found + fieldWords * field;
    if (!isNothing(words, at) && !typeIs(words, at, isObjectType)) return false;
  }
  for (const field of objects) if (!typeIs(words, found + fieldWords * field, isObjectType)) return false;
  for (const field of absent) if (!isNothing(words, found + fieldWords * field)) return false;
  return true;
}

function isNothing(words: Int32Array, at: number): boolean {
  return typeIs(words, at, 0) || typeIs(words, at, isNull);
}

const nowhere = -1;
const cannotSay = -2;

/** Where the first field begins that is there. */
function firstOf(words: Int32Array, found: number, fields: readonly number[]): number {
  for (let i = 0; i < fields.length; i++) {
    if (fields[i] === elsewhere) return cannotSay;
    const at = found + fieldWords * fields[i]!;
    if (!isNothing(words, at)) return at;
  }
  return nowhere;
}

function fillIds({ scanner }: Scanned, plan: FormPlan, { batch }: RowTarget, row: number): boolean {
  const { words, rowWords } = scanner;
  const found = row * rowWords;
  const example = firstOf(words, found, plan.example_id);
  if (example < 0 || !isIdAt(words, example)) return false;
  copyWords(words, example + word.hash, batch.example, 4 * row, 4);
  let event = firstOf(words, found, plan.event_id);
  if (event === nowhere) event = firstOf(words, found, plan.own_id);
  if (event === cannotSay || (event >= 0 && !isIdAt(words, event))) return false;
  batch.identified[row] = event >= 0 ? 1 : 0;
  if (event >= 0) copyWords(words, event + word.hash, batch.event, 4 * row, 4);
  return true;
}

function fillNumbers(
  { scanner, options }: Scanned,
  plan: FormPlan,
  { batch }: RowTarget,
  row: number,
  record: LogRecord,
): boolean {
  const { words, rowWords } = scanner;
  const found = row * rowWords;
  const given = timeAt(words, firstOf(words, found, plan.ts), record);
  const ts = given === null ? undefined : timeOf(given, record.timestamp);
  if (ts === undefined || (options.maxFutureMs !== undefined && ts > record.timestamp + options.maxFutureMs))
    return false;
  const at = firstOf(words, found, plan.run);
  const run = at === nowhere ? -1 : at >= 0 && typeIs(words, at, isNumber) ? wholeNumber(words, at, record) : undefined;
  if (run === undefined) return false;
  batch.ts[row] = ts;
  batch.run[row] = run!;
  return true;
}

/** A time as it was given, in the milliseconds of the native event; undefined where there is none, null where it has to be parsed. */
function timeAt(words: Int32Array, at: number, record: LogRecord): number | string | undefined | null {
  if (at === nowhere) return undefined;
  if (at === cannotSay) return null;
  if (typeIs(words, at, isText)) return fitted('ts', fieldText(words, at, record)) as number | string;
  const number = typeIs(words, at, isNumber) ? wholeNumber(words, at, record) : undefined;
  return number === undefined ? null : (fitted('ts', number) as number);
}

function fillNames(rows: Scanned, plan: FormPlan, target: RowTarget, row: number, record: LogRecord): boolean {
  const model = nameAt(rows, target, row, plan.model, record);
  const agent = nameAt(rows, target, row, plan.agent, record);
  if (model === undefined || agent === undefined) return false;
  target.batch.model[row] = model;
  target.batch.agent[row] = agent;
  return target.batch.tagCount === 0 || fillTags(rows, plan, target, row, record);
}

function nameAt(
  rows: Scanned,
  target: RowTarget,
  row: number,
  fields: readonly number[],
  record: LogRecord,
): number | undefined {
  const { words, rowWords } = rows.scanner;
  const at = firstOf(words, row * rowWords, fields);
  if (at === nowhere) return target.unknown.code;
  return at >= 0 && typeIs(words, at, isText) ? codeAt(rows, target, at, record) : undefined;
}

function fillTags(
  { scanner, options }: Scanned,
  plan: FormPlan,
  { batch, names }: RowTarget,
  row: number,
  record: LogRecord,
): boolean {
  const { words, rowWords } = scanner;
  const at = firstOf(words, row * rowWords, plan.tags);
  if (at === cannotSay || (at >= 0 && !typeIs(words, at, isObjectType))) return false;
  const tags = at === nowhere ? undefined : fieldValue(words, at, record);
  if (tags !== undefined && !isObject(tags)) return false;
  const event = { tags } as RawEvent;
  for (let tag = 0; tag < batch.tagCount; tag++)
    batch.tags[row * batch.tagCount + tag] = names.codeOf(tagText(event, options.tags[tag]!));
  return true;
}
