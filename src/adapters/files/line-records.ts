import type { LogRecord } from '../../stream/event.ts';

const newline = 10;

/**
 * Lines of NDJSON as records, a batch for each piece of the file: the offset is the line number, from 1. Blank lines are no records, a
 * byte order mark at the start is skipped. Of a line longer than `lineBytesMax` only the beginning is kept, one byte more than that: enough for it to be refused.
 */
export async function* lineRecords(chunks: AsyncIterable<Buffer>, lineBytesMax: number): AsyncGenerator<LogRecord[]> {
  const rest = { bytes: Buffer.alloc(0), line: 1 };
  let isFirst = true;
  for await (const bytes of chunks) {
    const joined = rest.bytes.length === 0 ? bytes : Buffer.concat([rest.bytes, bytes]);
    const records: LogRecord[] = [];
    let start = isFirst ? afterMark(joined) : 0;
    isFirst = false;
    for (let end = joined.indexOf(newline, start); end >= 0; end = joined.indexOf(newline, start)) {
      pushLine(records, joined, start, end, rest.line++);
      start = end + 1;
    }
    rest.bytes = Buffer.from(joined.subarray(start, Math.min(joined.length, start + lineBytesMax + 1)));
    if (records.length > 0) yield records;
  }
  const records: LogRecord[] = [];
  pushLine(records, rest.bytes, 0, rest.bytes.length, rest.line);
  if (records.length > 0) yield records;
}

/** Where the text begins: behind a byte order mark. */
export function afterMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function pushLine(records: LogRecord[], bytes: Buffer, start: number, end: number, line: number): void {
  let last = end;
  if (last > start && bytes[last - 1] === 13) last--;
  let at = start;
  while (at < last && (bytes[at] === 32 || bytes[at] === 9)) at++;
  if (at === last) return;
  records.push({ bytes, start, end: last, offset: line, timestamp: Number.NaN });
}
