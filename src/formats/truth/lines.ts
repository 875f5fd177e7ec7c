import { identityOfText } from '../../state/containers/identity.ts';
import { chunkOf, createTable, findRow, insertRow, valuesAt } from '../../state/containers/table.ts';
import { shortened } from '../json/shortened.ts';
import type { TruthBuilder } from './builder.ts';
import { readTruthRecord } from './record.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';

/** Puts NDJSON truth into a builder, line by line, over any number of files. */
export interface TruthLines {
  /** All lines of a file; a byte order mark at its start and blank lines are skipped. */
  addFile(file: string, bytes: Uint8Array): void;
  /** Takes the lines of a file one by one: in order, and before those of any other file. Blank ones are skipped. */
  openFile(file: string): (line: number, text: string | undefined) => void;
}

/**
 * Reads truth records (docs/reference/truth.md). A line that is invalid, or whose id came before, is not added: `refused` is
 * told of it, and may throw. Lines count from 1.
 */
export function truthLines(
  builder: TruthBuilder,
  refused: (file: string, line: number, problem: string) => void,
): TruthLines {
  const seen = idPlaces();
  const files: { readonly name: string; readonly firstPlace: number }[] = [];
  let places = 0;
  return { addFile, openFile };

  function addFile(name: string, bytes: Uint8Array): void {
    const addLine = openFile(name);
    let start = startsWithMark(bytes) ? 3 : 0;
    for (let line = 1; start < bytes.length; line++) {
      const newline = bytes.indexOf(0x0a, start);
      const end = newline < 0 ? bytes.length : newline;
      addLine(line, decodeUtf8(bytes, start, end));
      start = end + 1;
    }
  }

  function openFile(name: string): (line: number, text: string | undefined) => void {
    const firstPlace = places;
    files.push({ name, firstPlace });
    return (line, text) => {
      places = firstPlace + line;
      const problem = add(text);
      if (problem !== undefined) refused(name, line, problem);
    };
  }

  function add(text: string | undefined): string | undefined {
    if (text === undefined) return 'is no UTF-8; write it as UTF-8 text';
    if (text.trim() === '') return undefined;
    const record = readTruthRecord(text);
    if ('problem' in record) return record.problem;
    const earlier = seen.firstAt(record.example_id, places);
    if (earlier >= 0)
      return `example_id: ${shortened(record.example_id)} is already at ${placeText(earlier)}; keep one of the two`;
    builder.add(record);
    return undefined;
  }

  function placeText(place: number): string {
    const file = files.findLast(({ firstPlace }) => firstPlace < place)!;
    return `${file.name}, line ${place - file.firstPlace}`;
  }
}

function startsWithMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Ids by their 128-bit identity, with the place where each was seen first. (A Map of ids would end at 2^24.) */
function idPlaces(): { firstAt(id: string, place: number): number } {
  const table = createTable(1);
  const words = new Uint32Array(4);
  return {
    /** Place where the id was seen before, else -1: it is remembered at `place` then. */
    firstAt(id, place) {
      identityOfText(id, words, 0);
      const known = findRow(table, words[0]!, words[1]!, words[2]!, words[3]!);
      if (known >= 0) return chunkOf(table, known)[valuesAt(table, known)]!;
      const row = insertRow(table, words[0]!, words[1]!, words[2]!, words[3]!);
      chunkOf(table, row)[valuesAt(table, row)] = place;
      return -1;
    },
  };
}
