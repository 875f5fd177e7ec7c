import { byteChunks, headOf, wholeOf } from '../adapters/files/byte-chunks.ts';
import { lineRecords } from '../adapters/files/line-records.ts';
import { scoreRowsOfArrow } from '../formats/snapshot/read-scores.ts';
import { programName } from '../name.ts';
import { declarations } from '../scoring/families.ts';
import { isObject, type JsonObject } from '../scoring/json.ts';
import { type Comparand, rowReaders, type Side } from '../view/compare.ts';
import { type ExampleReader, exampleReader } from '../view/examples.ts';
import { findGroup, type SummaryGroups, sliceText } from '../view/summary-lookup.ts';
import { UsageError } from '../errors.ts';

/** Reads a summary, or a file of score rows of the metrics with these paths. What the file is, its beginning says. */
export async function readSide(comparand: Comparand, paths: readonly string[], signal: AbortSignal): Promise<Side> {
  const { file, slice } = comparand;
  const { form, chunks } = await openComparand(file, signal);
  const whole = () => wholeOf(chunks, documentBytesMax, `${file}: is longer than ${documentBytesMax} bytes`);
  if (form === 'summary')
    return { kind: 'summary', name: file, group: groupOf(comparand, summaryOf(file, Buffer.from(await whole()))) };
  const other = [...slice.keys()].find((dimension) => dimension.startsWith('tags.'));
  if (other !== undefined) throw new UsageError(`compare: ${file}: score rows have no ${other}; name model or agent`);
  const reader = exampleReader(slice, rowReaders(paths));
  if (form === 'arrow') addArrow(reader, file, await whole());
  else await addLines(reader, file, chunks);
  const { examples } = reader;
  if (examples.keys.length === 0) throw new UsageError(`compare: ${file} has no score rows of ${sliceText(slice)}`);
  return { kind: 'scores', name: file, examples };
}

/** Returns whether a file can be compared: a summary or score rows, no snapshot of aggregates. */
export async function isComparable(file: string, signal: AbortSignal): Promise<boolean> {
  const { form, chunks, close } = await openComparand(file, signal);
  if (form === 'arrow')
    return scoreRowsOfArrow(await wholeOf(chunks, documentBytesMax, `${file}: is too long`)) !== undefined;
  close();
  return true;
}

/** A summary, a table of score rows: no string can be longer. */
export const documentBytesMax = 2 ** 29 - 32;

/** Enough for a field of a summary's beginning, or for the first row. */
const beginningBytes = 1 << 16;

async function openComparand(file: string, signal: AbortSignal) {
  const { chunks, close } = await byteChunks(file, signal).catch((error: Error) => {
    throw new UsageError(`${error.message}: a summary, or a file of scores`);
  });
  const head = await headOf(chunks, (bytes, ended) =>
    ended || bytes.length >= beginningBytes ? formOf(bytes.toString('utf8', 0, beginningBytes)) : undefined,
  );
  return { form: head.found, chunks: head.chunks, close };
}

function formOf(text: string): 'summary' | 'arrow' | 'lines' {
  if (text.startsWith('ARROW1')) return 'arrow';
  return text.includes('"example_id"') && !text.includes(`"${programName}.summary/`) ? 'lines' : 'summary';
}

/** A score row has what a family says of it, maybe null; the `tool_calls` of an event are a list. */
function isScored(row: JsonObject): boolean {
  return declarations.some(({ name }) => name in row && !Array.isArray(row[name]));
}

function addArrow(reader: ExampleReader, file: string, bytes: Uint8Array<ArrayBuffer>): void {
  const rows = scoreRowsOfArrow(bytes);
  if (rows === undefined)
    throw new UsageError(`${file}: is no file of scores; make one with assay replay --scores FILE.arrow`);
  for (const row of rows) reader.add(row);
}

async function addLines(reader: ExampleReader, file: string, chunks: AsyncIterable<Buffer>): Promise<void> {
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

function summaryOf(file: string, bytes: Buffer): SummaryGroups {
  const parsed = jsonOf(bytes.toString('utf8'));
  const summary = parsed as { readonly format?: unknown; readonly groups?: unknown } | null | undefined;
  if (summary?.format === `${programName}.summary/1` && Array.isArray(summary.groups)) return parsed as SummaryGroups;
  throw new UsageError(
    `${file}: is no summary (format ${programName}.summary/1) and no file of scores; make one with assay replay --summary FILE or --scores FILE`,
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
