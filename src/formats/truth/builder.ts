import { Buffer } from 'node:buffer';
import type { Json } from '../../scoring/json.ts';
import { type Label, labelCode } from '../../scoring/label.ts';
import { jsonText } from '../json/json-text.ts';
import { type BuiltBatch, type BuiltTexts, truthFile } from './file.ts';
import type { TruthCall, TruthRecord, TruthTool } from './record.ts';

/** Collects truth records into a table, batch by batch; texts that repeat are kept once. */
export interface TruthBuilder {
  readonly rows: number;
  add(record: TruthRecord): void;
  /** The table as the bytes of an Arrow file, over a SharedArrayBuffer. The builder is done then. */
  finish(): Uint8Array;
}

const batchRows = 65_536;
/** Offsets within a batch are 32-bit. */
const batchBytes = 2 ** 30;

/**
 * A builder without rows. Ids are not compared: one that occurs twice is found when the table is opened (or by
 * `truthLines`).
 */
export function truthBuilder(): TruthBuilder {
  const names = dictionary();
  const parameters = dictionary();
  const callNames = dictionary();
  const batches: BuiltBatch[] = [];
  const builder = { rows: 0, add, finish };
  let open = openBatch();
  return builder;

  function add(record: TruthRecord): void {
    builder.rows++;
    addText(open.ids, record.example_id);
    open.labels.push(record.label === null ? -1 : labelCode(record.label satisfies Label));
    addTools(record.tools);
    addCalls(record.expected_tool_calls);
    if (record.reference === null) addNull(open.references);
    else addText(open.references, jsonText(record.reference));
    const { ids, callArguments, references } = open;
    if (open.labels.length === batchRows || Math.max(ids.size, callArguments.size, references.size) > batchBytes) cut();
  }

  function addTools(tools: readonly TruthTool[] | null): void {
    for (const tool of tools ?? []) {
      open.toolNames.push(tool.name === undefined ? -1 : names.codeOf(tool.name));
      open.toolParameters.push(tool.parameters === undefined ? -1 : parameters.codeOf(jsonText(tool.parameters)));
    }
    open.toolCounts.push(tools === null ? -1 : tools.length);
  }

  function addCalls(calls: readonly TruthCall[] | null): void {
    for (const call of calls ?? []) {
      open.callNames.push(callNames.codeOf(call.name));
      addText(open.callArguments, argumentsText(call.arguments));
    }
    open.callCounts.push(calls === null ? -1 : calls.length);
  }

  function cut(): void {
    batches.push(closed(open));
    open = openBatch();
  }

  function finish(): Uint8Array {
    if (open.labels.length > 0) cut();
    return truthFile(batches, names.texts, parameters.texts, callNames.texts);
  }
}

/** The Arrow file of some records, as `assay truth build` writes it. */
export function buildTruthTable(records: Iterable<TruthRecord>): Uint8Array {
  const builder = truthBuilder();
  for (const record of records) builder.add(record);
  return builder.finish();
}

/** Text that is JSON already stays as it is, unless UTF-8 cannot hold it. */
function argumentsText(given: TruthCall['arguments']): string {
  if (typeof given !== 'string') return jsonText(given);
  return given.isWellFormed() ? given : jsonText(JSON.parse(given) as Json);
}

interface Dictionary {
  readonly texts: readonly string[];
  codeOf(text: string): number;
}

function dictionary(): Dictionary {
  const codes = new Map<string, number>();
  const texts: string[] = [];
  return {
    texts,
    codeOf(text) {
      let code = codes.get(text);
      if (code === undefined) {
        code = texts.length;
        codes.set(text, code);
        texts.push(text);
      }
      return code;
    },
  };
}

/** A batch that still grows; -1 is null. */
interface OpenBatch {
  readonly ids: Texts;
  readonly labels: number[];
  readonly toolCounts: number[];
  readonly toolNames: number[];
  readonly toolParameters: number[];
  readonly callCounts: number[];
  readonly callNames: number[];
  readonly callArguments: Texts;
  readonly references: Texts;
}

/** Texts that still grow. */
interface Texts {
  bytes: Buffer;
  size: number;
  readonly ends: number[];
}

function openBatch(): OpenBatch {
  return {
    ids: emptyTexts(),
    labels: [],
    toolCounts: [],
    toolNames: [],
    toolParameters: [],
    callCounts: [],
    callNames: [],
    callArguments: emptyTexts(),
    references: emptyTexts(),
  };
}

function emptyTexts(): Texts {
  return { bytes: Buffer.alloc(4096), size: 0, ends: [] };
}

function addText(texts: Texts, text: string): void {
  const most = texts.size + 3 * text.length;
  if (most > texts.bytes.length) {
    const grown = Buffer.alloc(Math.max(2 * texts.bytes.length, most));
    grown.set(texts.bytes.subarray(0, texts.size));
    texts.bytes = grown;
  }
  texts.size += texts.bytes.write(text, texts.size, 'utf8');
  texts.ends.push(texts.size);
}

function addNull(texts: Texts): void {
  texts.ends.push(-1 - texts.size);
}

function closed(open: OpenBatch): BuiltBatch {
  const { ids, callArguments, references } = open;
  return {
    ...open,
    rows: open.labels.length,
    ids: closedTexts(ids),
    callArguments: closedTexts(callArguments),
    references: closedTexts(references),
  };
}

function closedTexts({ bytes, size, ends }: Texts): BuiltTexts {
  return { bytes: Uint8Array.from(bytes.subarray(0, size)), ends };
}
