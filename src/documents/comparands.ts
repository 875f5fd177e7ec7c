import { type FileHandle, open, readFile } from 'node:fs/promises';
import { byteChunks } from '../adapters/files/byte-chunks.ts';
import { lineRecords } from '../adapters/files/line-records.ts';
import { scoreRowsOfArrow } from '../formats/snapshot/read-scores.ts';
import { declarations } from '../scoring/families.ts';
import { isObject, type JsonObject } from '../scoring/json.ts';
import { type Comparand, rowReaders, type Side } from '../view/compare.ts';
import { type ExampleReader, exampleReader } from '../view/examples.ts';
import { findGroup, type SummaryGroups, sliceText } from '../view/summary-lookup.ts';
import { UsageError } from '../errors.ts';

/** Reads a summary, or a file of score rows of the metrics with these paths. What the file is, its beginning says. */
export async function readSide(comparand: Comparand, paths: readonly string[], signal: AbortSignal): Promise<Side> {
  const { file, slice } = comparand;
  const form = formOf(await beginning(file));
  if (form === 'summary') return { kind: 'summary', name: file, group: groupOf(comparand, await summaryOf(file)) };
  const other = [...slice.keys()].find((dimension) => dimension.startsWith('tags.'));
  if (other !== undefined) throw new UsageError(`compare: ${file}: score rows have no ${other}; name model or agent`);
  const reader = exampleReader(slice, rowReaders(paths));
  await (form === 'arrow' ? addArrow(reader, file) : addLines(reader, file, signal));
  const { examples } = reader;
  if (examples.keys.length === 0) throw new UsageError(`compare: ${file} has no score rows of ${sliceText(slice)}`);
  return { kind: 'scores', name: file, examples };
}

/** Returns whether a file can be compared: a summary or score rows, no snapshot of aggregates. */
export async function isComparable(file: string): Promise<boolean> {
  const form = formOf(await beginning(file));
  return form !== 'arrow' || scoreRowsOfArrow(await readFile(file)) !== undefined;
}

/** Enough for a field of a summary's beginning, or for the first row. */
const beginningBytes = 1 << 16;

async function beginning(file: string): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch (error) {
    throw new UsageError(`${file}: cannot be read: ${(error as Error).message}; name a summary or a file of scores`);
  } finally {
    await handle?.close();
  }
}

function formOf(text: string): 'summary' | 'arrow' | 'lines' {
  if (text.startsWith('ARROW1')) return 'arrow';
  return text.includes('"example_id"') && !text.includes('"assay.summary/') ? 'lines' : 'summary';
}

/** A score row has what a family says of it, maybe null; the `tool_calls` of an event are a list. */
function isScored(row: JsonObject): boolean {
  return declarations.some(({ name }) => name in row && !Array.isArray(row[name]));
}

async function addArrow(reader: ExampleReader, file: string): Promise<void> {
  const rows = scoreRowsOfArrow(await readFile(file));
  if (rows === undefined)
    throw new UsageError(`${file}: is no file of scores; make one with assay replay --scores FILE.arrow`);
  for (const row of rows) reader.add(row);
}

async function addLines(reader: ExampleReader, file: string, signal: AbortSignal): Promise<void> {
  const { chunks } = await byteChunks(file, signal);
  for await (const records of lineRecords(chunks, Number.MAX_SAFE_INTEGER)) {
    for (const { bytes, start, end, offset } of records) {
      const row = jsonOf(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8'));
      if (!isObject(row) || !isScored(row) || !reader.add(row))
        throw new UsageError(`${file}:${offset}: is no score row; make them with assay replay --scores FILE.ndjson`);
    }
  }
}

function groupOf({ file, slice }: Comparand, summary: SummaryGroups) {
  const group = findGroup(summary, slice);
  if (group === undefined)
    throw new UsageError(`compare: ${file} has no group ${sliceText(slice)}${groupsOf(summary)}`);
  return group;
}

/** A person who misspelt a name sees those that there are. */
function groupsOf({ groups }: SummaryGroups): string {
  const names = groups
    .filter(({ window, slice }) => window === 'all' && Object.keys(slice).length > 0)
    .map(({ slice }) => sliceText(new Map(Object.entries(slice))));
  if (names.length === 0) return '; it has the total only';
  return `; it has ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
}

async function summaryOf(file: string): Promise<SummaryGroups> {
  const parsed = jsonOf(await readFile(file, 'utf8'));
  const summary = parsed as { readonly format?: unknown; readonly groups?: unknown } | null | undefined;
  if (summary?.format === 'assay.summary/1' && Array.isArray(summary.groups)) return parsed as SummaryGroups;
  throw new UsageError(
    `${file}: is no summary (format assay.summary/1) and no file of scores; make one with assay replay --summary FILE or --scores FILE`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
