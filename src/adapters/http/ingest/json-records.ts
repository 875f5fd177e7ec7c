import { fileKind, headBytes } from '../../../formats/files/kind.ts';
import { pythonProblem, streamProblem } from '../../../formats/inputs/input.ts';
import type { LogRecord } from '../../../stream/event.ts';
import { documentRecords } from '../../files/document-records.ts';
import { lineRecords } from '../../files/line-records.ts';
import { type Problem, recordsMax } from './taken.ts';

/**
 * The records of a body, in order: lines of NDJSON, the elements of a JSON array, or objects one after the other. Of a record with more than
 * `recordBytes` bytes one byte more than that. Calls `take` with each and its index.
 */
export async function eachRecord(
  body: Buffer,
  recordBytes: number,
  take: (record: LogRecord, index: number) => Promise<void>,
): Promise<Problem | undefined> {
  const { kind, ...more } = fileKind(body.subarray(0, headBytes), body.length <= headBytes, () => false)!;
  if (kind !== 'lines' && kind !== 'document')
    return { status: 400, problem: `the body is ${'seems' in more ? more.seems : kindTexts.get(kind)}; ${isRead}` };
  // Objects one after the other may stand in one line: curl -d joins the lines of a file.
  const isLines = kind === 'lines' && body.subarray(0, -1).includes(newline);
  const text = body.toString('utf8', 0, foreignBytes);
  const foreign = isLines ? undefined : (streamProblem(text) ?? pythonProblem(text));
  if (foreign !== undefined) return { status: 400, problem: `the body ${foreign}` };
  const batches = isLines
    ? lineRecords(piecesOf(body), recordBytes)
    : documentRecords(piecesOf(body), recordBytes, 'the body');
  let index = 0;
  try {
    for await (const records of batches)
      for (const record of records) {
        if (index === recordsMax)
          return { status: 413, problem: `the body has more than ${recordsMax} records; send it in several requests` };
        await take(record, index++);
      }
    return index > 0 ? undefined : { status: 400, problem: `the body holds no record; ${isRead}` };
  } catch (error) {
    // The end of a document is found only there.
    if (!isLines && error instanceof Error) return { status: 400, problem: error.message };
    throw error;
  }
}

const isRead = 'send NDJSON (one JSON object a line), a JSON object, or an array of them';

const kindTexts: ReadonlyMap<string, string> = new Map([
  ['empty', 'empty'],
  ['gzip', 'compressed with gzip, which no header says: add content-encoding: gzip'],
  ['zstd', 'compressed with zstd, which no header says: add content-encoding: zstd'],
  ['parquet', 'a Parquet file'],
  ['arrow', 'an Arrow file'],
  ['csv', 'CSV'],
]);

const newline = 0x0a;
/** First bytes that tell texts of other forms. */
const foreignBytes = 1_024;
const pieceBytes = 65_536;

async function* piecesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes);
}
