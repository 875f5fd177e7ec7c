import { constants, openSync } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import type { LogRecord } from '../../stream/event.ts';

/** A batch of lines of one file, as records: the offset is the line number, from 1. */
export interface LineBatch {
  readonly records: readonly LogRecord[];
  /** Bytes of the file read so far, its blank lines and line ends included. */
  readonly bytesRead: number;
}

const newline = 10;

/**
 * Reads NDJSON by batches of whole lines; `-` is standard input. Blank lines are no records, a byte order mark at the start is
 * skipped. Rejects when `signal` aborts, also while it waits for input. Of a line longer than `lineBytesMax` only the beginning is kept, one byte more than that: enough for it to be refused.
 */
export async function* eventLines(path: string, lineBytesMax: number, signal?: AbortSignal): AsyncGenerator<LineBatch> {
  const stream = path === '-' ? process.stdin : await openFile(path);
  if (signal !== undefined) addAbortSignal(signal, stream);
  const rest = { bytes: Buffer.alloc(0), line: 1 };
  let bytesRead = 0;
  for await (const chunk of stream) {
    const bytes = chunk as Buffer;
    const first = bytesRead === 0;
    bytesRead += bytes.length;
    const joined = rest.bytes.length === 0 ? bytes : Buffer.concat([rest.bytes, bytes]);
    const records: LogRecord[] = [];
    let start = first && rest.bytes.length === 0 ? afterMark(joined) : 0;
    for (let end = joined.indexOf(newline, start); end >= 0; end = joined.indexOf(newline, start)) {
      pushLine(records, joined, start, end, rest.line++);
      start = end + 1;
    }
    rest.bytes = Buffer.from(joined.subarray(start, Math.min(joined.length, start + lineBytesMax + 1)));
    if (records.length > 0) yield { records, bytesRead };
  }
  const records: LogRecord[] = [];
  pushLine(records, rest.bytes, 0, rest.bytes.length, rest.line);
  if (records.length > 0) yield { records, bytesRead };
}

/** The file as a stream; rejects where it cannot be read, naming it. */
async function openFile(path: string): Promise<Readable> {
  try {
    const status = await stat(path);
    if (status.isDirectory()) throw new Error('it is a folder');
    // Such as /dev/zero, which never ends.
    if (status.isBlockDevice() || (status.isCharacterDevice() && !endingDevices.test(await realpath(path))))
      throw new Error('it is a device');
    // A pipe that is read like a file cannot be given up while nothing comes.
    if (status.isFIFO()) return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) });
    const file = await open(path);
    return file.createReadStream({ highWaterMark: 1 << 20 });
  } catch (error) {
    throw new Error(`${path}: cannot be read (${(error as Error).message}); name a file, or - for standard input`, {
      cause: error,
    });
  }
}

const endingDevices = /^\/dev\/(null|tty|pts\/)/;

function afterMark(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function pushLine(records: LogRecord[], bytes: Buffer, start: number, end: number, line: number): void {
  let last = end;
  if (last > start && bytes[last - 1] === 13) last--;
  let at = start;
  while (at < last && (bytes[at] === 32 || bytes[at] === 9)) at++;
  if (at === last) return;
  records.push({ bytes, start, end: last, key: null, offset: line, timestamp: Number.NaN });
}
