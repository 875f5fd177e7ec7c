import type { LabelCode } from '../../scoring/label.ts';
import type { RejectCode } from '../../state/reject.ts';
import type { LogRecord } from '../../stream/event.ts';
import { idCharactersMax } from '../bytes/unicode.ts';
import { addRow } from './event-columns.ts';
import { readEvent, refuse } from './event-rows.ts';
import type { EventTable, TableReading, TextColumn, UsualColumns } from './event-table.ts';
import { timeOf } from './event-values.ts';
import { mixOutput } from './form-rows.ts';
import type { KnownHashes } from './known-hashes.ts';
import { keepRow, type State } from './reader-state.ts';
import { isName, isRun } from './schema.ts';
import { suspicionsOf } from './sizes.ts';

/** Whether the value of a record is a table: JSON begins otherwise, a stream of Arrow with -1, a file with its name. */
export function isTable({ bytes, start, end }: LogRecord): boolean {
  if (end - start < 8) return false;
  const first = bytes[start];
  if (first !== 0xff && first !== 0x41) return false;
  for (let at = 1; at < 4; at++) if (bytes[start + at] !== (first === 0xff ? 0xff : arrowMagic[at])) return false;
  return true;
}

const arrowMagic = [0x41, 0x52, 0x52, 0x4f];

/**
 * Adds the rows of a record whose value is a table: the same as of a JSON array of its rows. A row of usual columns, with a content of which one was
 * accepted before, is not parsed.
 */
export function readTable(
  state: State,
  record: LogRecord,
  index: number,
  open: TableReading,
  readArray: (text: string) => void,
): void {
  const { limits, input } = state.options;
  const refuseWhole = (code: RejectCode, detail: string): void => {
    const row = addRow(state.batch);
    state.details.set(row, detail);
    refuse(state, row, index, -1, code, undefined, '');
  };
  const tables = open(record.bytes.subarray(record.start, record.end));
  if (typeof tables === 'string') {
    refuseWhole('not_json', tables);
    return;
  }
  const last = tables.at(-1);
  const rows = last === undefined ? 0 : last.first + last.rows;
  if (rows === 0) refuseWhole('schema', 'the Arrow table has no rows; send at least one event in it');
  else if (rows > limits.elements)
    refuseWhole(
      'too_many_elements',
      `the Arrow table has ${rows} rows, more than ${limits.elements}; send several records, or raise limits.elements`,
    );
  else if (input !== undefined) readArray(`[${tables.flatMap(textsOf).join()}]`);
  else for (const table of tables) for (let at = 0; at < table.rows; at++) readRow(state, record, index, table, at);
}

function textsOf(table: EventTable): string[] {
  return Array.from({ length: table.rows }, (_, at) => table.textOf(at));
}

function readRow(state: State, record: LogRecord, index: number, table: EventTable, at: number): void {
  const { batch, knownRows: known, options } = state;
  const row = addRow(batch);
  const { usual } = table;
  const isHashed = usual !== undefined && hashContent(state, usual, at, row);
  if (isHashed && fillRow(state, usual, at, row, record)) {
    keepRow(state, row, index, table.first + at, table, '');
    state.origins[row] = 'table';
    batch.reject[row] = 0;
  } else {
    batch.count--;
    const text = table.textOf(at);
    // As an element of an array, which is depth 1 itself.
    const suspect = suspicionsOf(text, { ...options.limits, depth: options.limits.depth - 1 });
    readEvent(state, record, index, table.first + at, JSON.parse(text), '', suspect);
    if (!isHashed || batch.reject[row] !== 0) return;
    known.contents.put(batch.content, 8 * row, batch.label[row]!);
  }
  if (!isHashed) return;
  batch.hashed[row] = 1;
  state.outputRead[row] = 0;
}

/** False: a content so large that it may hold more values than it may is not told by its hash. */
function hashContent({ batch, options }: State, usual: UsualColumns, at: number, row: number): boolean {
  const bytes = usual.content(at, batch.content, 8 * row);
  if (options.decisionOf !== undefined) mixOutput(batch.content, 8 * row);
  return bytes < 2 * options.limits.values;
}

/** Fills the columns of a row. False: its text is to be parsed. */
function fillRow(state: State, usual: UsualColumns, at: number, row: number, record: LogRecord): boolean {
  const { batch, options, knownRows: known } = state;
  const label = known.contents.find(batch.content, 8 * row);
  if (label < 0) return false;
  const example = usual.example.identity(at, batch.example, 4 * row);
  const event = usual.event === undefined ? -1 : usual.event.identity(at, batch.event, 4 * row);
  // Fewer bytes than an id may have characters: such an id is one.
  if (example < 1 || example > idCharactersMax || event === 0 || event > idCharactersMax) return false;
  const ts = timeOf(usual.ts(at) as string | number | undefined, record.timestamp);
  if (ts === undefined || (options.maxFutureMs !== undefined && ts > record.timestamp + options.maxFutureMs))
    return false;
  const run = usual.run(at);
  const model = nameOf(state, usual.model, at);
  const agent = nameOf(state, usual.agent, at);
  if ((run !== undefined && !isRun(run)) || model === undefined || agent === undefined) return false;
  batch.identified[row] = event < 0 ? 0 : 1;
  batch.ts[row] = ts;
  batch.run[row] = (run ?? -1) + 0;
  batch.label[row] = label as LabelCode;
  batch.model[row] = model;
  batch.agent[row] = agent;
  for (let tag = 0; tag < batch.tagCount; tag++)
    batch.tags[row * batch.tagCount + tag] = codeOf(state, known.tags, usual.tag(options.tags[tag]!), at)!;
  return true;
}

/** Code of a model or agent; undefined: it cannot be one. */
function nameOf(state: State, column: TextColumn | undefined, at: number): number | undefined {
  const code = codeOf(state, state.knownRows.names, column, at, isName);
  return code === emptyName ? state.unknown.code : code;
}

const emptyName = 0;

/** Code of a name, which is looked up once for all rows that share it. */
function codeOf(
  state: State,
  known: KnownHashes,
  column: TextColumn | undefined,
  at: number,
  canBe: (name: string) => boolean = () => true,
): number | undefined {
  const { dictionary } = column ?? {};
  if (column === undefined) return emptyName;
  if (dictionary === undefined) return lookUp(state, known, column, at, canBe);
  const text = dictionary.of(at);
  if (text < 0) return emptyName;
  const code = dictionary.codes[text]!;
  if (code >= 0) return code;
  const found = lookUp(state, known, column, at, canBe);
  if (found !== undefined) dictionary.codes[text] = found;
  return found;
}

function lookUp(
  { names, knownRows }: State,
  known: KnownHashes,
  column: TextColumn,
  at: number,
  canBe: (name: string) => boolean,
): number | undefined {
  if (column.identity(at, nameWords, 0) < 1) return emptyName;
  if (knownRows.generation !== names.generation) {
    knownRows.names.clear();
    knownRows.tags.clear();
    knownRows.generation = names.generation;
  }
  const code = known.find(nameWords, 0);
  if (code >= 0) return code;
  const text = column.text(at);
  if (!canBe(text)) return undefined;
  const fresh = names.codeOf(text);
  known.put(nameWords, 0, fresh);
  return fresh;
}

const nameWords: Uint32Array = new Uint32Array(4);
