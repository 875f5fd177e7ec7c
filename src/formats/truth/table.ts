import type { Buffer } from 'node:buffer';
import type { Json, JsonObject } from '../../scoring/json.ts';
import { type LabelCode, labels } from '../../scoring/label.ts';
import { namedTruth, type ToolNaming } from '../../scoring/tool-names.ts';
import type { ExpectedCall, FindingCounts, Truth, TruthTable } from '../../scoring/truth.ts';
import { schemaCheck } from '../json-schema/validator.ts';
import { readJson } from '../json/parsed.ts';
import { buildTruthTable } from './builder.ts';
import { readAlternatives } from './calls.ts';
import { cellReader, entryOf, type ListCells, listLength, type Memo, type TruthBatch } from './cells.ts';
import { noLabel } from './content.ts';
import type { TruthCounts } from './counts.ts';
import { findingsOf } from './findings.ts';
import { batchOf, findText } from './index.ts';
import { type LoadedTruth, openTruth, type TruthFileInfo } from './open.ts';
import type { TruthRecord } from './record.ts';

/** Contradictions in the first rows of a table are counted: checking a row takes longer than loading it. */
export const checkedRows = 100_000;

/** Counts the contradictions within the first `checkedRows` rows of a table; names of tools are compared by `naming`. */
export function countFindings(table: TruthTable, naming: ToolNaming | undefined): FindingCounts {
  const counts = { label: 0, tool: 0, arguments: 0, rules: 0 } satisfies FindingCounts;
  const check = schemaCheck();
  for (let row = 0; row < Math.min(table.rows, checkedRows); row++)
    for (const { kind } of findingsOf(namedTruth(table.read(row), naming), check)) counts[kind]++;
  return counts;
}

/** Access to loaded truth by row. Nothing is copied; texts and JSON are made when a row is read. */
export function truthTable(loaded: LoadedTruth): TruthTable {
  const { index } = loaded;
  const ids = loaded.batches.map((batch) => batch.ids);
  const memos: Memos = { names: new Map(), json: new Map() };
  const readers: (RowReader | undefined)[] = [];
  return {
    version: loaded.version,
    rows: loaded.rows,
    find: (exampleId, hash) => findText(index, ids, exampleId, hash),
    label: (row) => labelAt(loaded, row) ?? -1,
    toolCount: (row) => loaded.toolCounts[row]!,
    read(row) {
      const at = batchOf(index.starts, row);
      const reader = (readers[at] ??= rowReader(loaded.batches[at]!, memos));
      return reader(row - index.starts[at]!, labelAt(loaded, row));
    },
  };
}

/** A table of records in memory. Throws TruthError where an id occurs twice. */
export function truthFromRecords(records: Iterable<TruthRecord>): TruthTable {
  return truthTable(openTruth([{ name: 'records', bytes: buildTruthTable(records) }]));
}

/** A tool as scoring takes it: a name alone where no parameters are recorded; explicit null is recorded. */
export function toolJson(name: string | undefined, parameters: Json | undefined): Json {
  if (parameters === undefined) return name ?? {};
  return name === undefined ? { parameters } : { name, parameters };
}

/** The output of `assay truth inspect`. */
export interface TruthInfo {
  readonly version: string;
  readonly rows: number;
  readonly files: readonly TruthFileInfo[];
  /** Rows by label; `none` are the rows without one. */
  readonly labels: Readonly<Record<string, number>>;
  /** Rows in which the column is not null. */
  readonly tools: number;
  readonly expected_tool_calls: number;
  readonly reference: number;
  readonly alternatives: number;
  readonly forbidden: number;
  /** Keys of records, and columns, that nothing reads. */
  readonly unread: readonly string[];
}

/** The content of loaded truth in numbers. A row counts as scored for each kind of expectation that it has. */
export function countsOf({ rows, labels, ...info }: TruthInfo): TruthCounts {
  const { none = 0 } = labels;
  const { expected_tool_calls: expected, reference, alternatives, forbidden } = info;
  const labelled = rows - none;
  return { rows, labels: labelled, expected, scored: labelled + expected + reference + alternatives + forbidden };
}

/** Counts the rows of loaded truth by what they hold. */
export function truthInfo(loaded: LoadedTruth, unread: readonly string[] = []): TruthInfo {
  const counts = new Uint32Array(256);
  for (const label of loaded.labels) counts[label]! += 1;
  const filled = (has: (batch: TruthBatch, row: number) => boolean): number =>
    loaded.batches.reduce((total, batch) => {
      for (let row = 0; row < batch.rows; row++) if (has(batch, row)) total++;
      return total;
    }, 0);
  return {
    version: loaded.version,
    rows: loaded.rows,
    files: loaded.files,
    labels: { ...Object.fromEntries(labels.map((label, code) => [label, counts[code]!])), none: counts[noLabel]! },
    tools: filled((batch, row) => listLength(batch.tools, row) >= 0),
    expected_tool_calls: filled((batch, row) => listLength(batch.expected, row) >= 0),
    reference: filled((batch, row) => entryOf(batch.reference, row) >= 0),
    alternatives: filled((batch, row) => entryOf(batch.alternatives, row) >= 0),
    forbidden: filled((batch, row) => listLength(batch.forbidden, row) >= 0),
    unread: [
      ...unread,
      ...loaded.files.flatMap(({ columns }) => columns.flatMap(({ name, used }) => (used ? [] : name))),
    ],
  };
}

function labelAt(loaded: LoadedTruth, row: number): LabelCode | undefined {
  const label = loaded.labels[row]!;
  return label === noLabel ? undefined : (label as LabelCode);
}

/** The values read of each column's dictionaries. */
interface Memos {
  readonly names: Memo<string>;
  readonly json: Memo<Json>;
}

type RowReader = (row: number, label: LabelCode | undefined) => Truth;

function rowReader(batch: TruthBatch, { names, json }: Memos): RowReader {
  const { tools, expected, reference, alternatives, forbidden } = batch;
  const [toolName, callName] = [tools, expected].map((lists) => cellReader(lists?.names, asText, names));
  const [parameters, callArguments] = [tools, expected].map((lists) => cellReader(lists?.details, asJson, json));
  const referenceAt = cellReader(reference, asJson, json);
  const acceptAt = cellReader(expected?.accepts, asJson, json);
  const alternativesAt = cellReader(alternatives, (bytes, start, end) => readAlternatives(asText(bytes, start, end)));
  const forbiddenTool = cellReader(forbidden?.names, asText, names);
  return (row, label) => {
    const lists = alternativesAt(row);
    const names = items(forbidden, row, (item) => forbiddenTool(item)!);
    const read = {
      label,
      tools: items(tools, row, (item) => toolJson(toolName!(item), parameters!(item))),
      expected: items(expected, row, (item) => callOf(callName!(item), callArguments!(item), acceptAt(item))),
      reference: referenceAt(row) ?? undefined,
    };
    if (lists === undefined && names === undefined) return read;
    return { ...read, ...(lists && { alternatives: lists }), ...(names && { forbidden: names }) };
  };
}

function items<Item>(
  lists: ListCells | undefined,
  row: number,
  read: (item: number) => Item,
): readonly Item[] | undefined {
  const length = listLength(lists, row);
  if (lists === undefined || length < 0) return undefined;
  const first = lists.offsets[row]!;
  // A loop: Array.from takes longer than the reading.
  const found = new Array<Item>(length);
  for (let at = 0; at < length; at++) found[at] = read(first + at);
  return found;
}

function callOf(name: string | undefined, given: Json | undefined, accept: Json | undefined): ExpectedCall {
  const call = { name: name ?? '', arguments: (given ?? {}) as JsonObject };
  return accept ? { ...call, accept: accept as JsonObject } : call;
}

const asText = (bytes: Buffer, start: number, end: number): string => bytes.toString('utf8', start, end);

const asJson = (bytes: Buffer, start: number, end: number): Json => readJson(asText(bytes, start, end));
