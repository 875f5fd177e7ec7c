import { eventLines } from './event-lines.ts';

/** A line of a text file and its number, from 1. */
export interface TextLine {
  readonly text: string;
  readonly line: number;
}

/** No line of text is longer than a string can be. */
const lineBytesMax = 2 ** 29 - 32;

/** The lines of a UTF-8 file, `-` is standard input; blank lines are left out. Rejects where a line is not UTF-8. */
export async function* textLines(path: string): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const { records } of eventLines(path, lineBytesMax))
    for (const { bytes, start, end, offset } of records) {
      try {
        yield { text: decoder.decode(bytes.subarray(start, end)), line: offset };
      } catch (error) {
        throw new Error(`${path}:${offset}: not UTF-8; save the file as UTF-8`, { cause: error });
      }
    }
}
