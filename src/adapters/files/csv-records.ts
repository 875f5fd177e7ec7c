import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import { rowText } from '../../formats/files/row-text.ts';
import type { LogRecord } from '../../stream/event.ts';

/** A quote that is never closed would make one row of the rest. */
const rowCharactersMax = 2 ** 24;
const rowsAtOnce = 500;

/**
 * Rows of CSV as records (RFC 4180), 500 at a time; the first row names the columns. The offset is the line where the row begins, from 1.
 * An empty cell is absent, an empty one in quotes is an empty text. Throws where a row has more or fewer cells than there are columns, naming the line.
 */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  separator: string,
  path: string,
): AsyncGenerator<LogRecord[]> {
  const parser = parse({
    bom: true,
    delimiter: separator,
    info: true,
    cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    max_record_size: rowCharactersMax,
    // Each line by its own end: programs that add lines to a file mix them.
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
  });
  const source = Readable.from(chunks);
  source.on('error', (error) => parser.destroy(error));
  let names: readonly string[] | undefined;
  let records: LogRecord[] = [];
  let [lines, blank] = [0, 0];
  try {
    for await (const row of source.pipe(parser)) {
      const { record: cells, info } = row as { readonly record: (string | null)[]; readonly info: Info };
      if (names === undefined) names = columnsOf(cells, path);
      else records.push(recordOf(names, cells, lines + info.empty_lines - blank + 1));
      [lines, blank] = [info.lines, info.empty_lines];
      if (records.length === rowsAtOnce) {
        yield records;
        records = [];
      }
    }
  } catch (error) {
    throw error instanceof CsvError ? refusal(error, path) : error;
  } finally {
    source.destroy();
  }
  if (records.length > 0) yield records;
}

function recordOf(names: readonly string[], cells: readonly (string | null)[], line: number): LogRecord {
  const bytes = Buffer.from(rowText(names, (column) => cells[column]));
  return { bytes, start: 0, end: bytes.length, offset: line, timestamp: Number.NaN };
}

function columnsOf(cells: readonly (string | null)[], path: string): readonly string[] {
  const names = cells.map((name) => (name ?? '').trim());
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) < at);
  if (twice !== undefined) throw new Error(`${path}:1: column ${twice} is there twice; rename one of the two`);
  return names;
}

function refusal(error: CsvError, path: string): Error {
  const message = error.code.startsWith('CSV_RECORD_INCONSISTENT')
    ? 'has another number of cells than the first line names columns'
    : `is no CSV (${error.message})`;
  return new Error(
    `${path}:${String(error['lines'])}: ${message}; put cells that hold separators, quotes or line ends into quotes, with quotes in them doubled`,
    { cause: error },
  );
}
