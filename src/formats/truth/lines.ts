import { hash128OfText } from '../../state/containers/hash128.ts';
import { chunkOf, createTable, rowOf, valuesAt } from '../../state/containers/table.ts';
import { shortened } from '../json/shortened.ts';
import type { TruthBuilder } from './builder.ts';
import { type TruthReader, truthReader } from './record.ts';
import { countRecord, noRecords, type TruthCounts } from './counts.ts';

/** Puts NDJSON truth into a builder, line by line, over any number of files. */
export interface TruthLines {
  /**
   * Takes the records of a file one by one, each with its number: in order, and before those of any other file. Blank ones are skipped, undefined
   * is no UTF-8.
   */
  openFile(file: string, unit?: RecordUnit): (number: number, text: string | undefined) => void;
  /** The content of the rows so far, in numbers. */
  readonly counts: TruthCounts;
}

/** The unit of record numbers. */
export type RecordUnit = 'line' | 'element' | 'row';

/** Called for a record that is not added. */
export type Refused = (file: string, number: number, problem: string, unit: RecordUnit) => void;

/**
 * Reads truth records (docs/reference/truth.md). A line that is invalid, or whose id came before, is not added: `refused` is
 * called with it, and may throw. Lines count from 1.
 */
export function truthLines(builder: TruthBuilder, refused: Refused, reader: TruthReader = truthReader()): TruthLines {
  // Ids by their 128-bit identity, with the place where each was seen first. (A Map of ids would end at 2^24.)
  const seen = createTable(1);
  const words = new Uint32Array(4);
  const files: { readonly name: string; readonly unit: RecordUnit; readonly firstPlace: number }[] = [];
  let places = 0;
  const counts = noRecords();
  return {
    openFile,
    counts,
  };

  function openFile(name: string, unit: RecordUnit = 'line'): (number: number, text: string | undefined) => void {
    // Rows count from 0, and no place is 0.
    const firstPlace = places + 1;
    files.push({ name, unit, firstPlace });
    return (number, text) => {
      places = firstPlace + number;
      const problem = add(text);
      if (problem !== undefined) refused(name, number, problem, unit);
    };
  }

  function add(text: string | undefined): string | undefined {
    if (text === undefined) return 'is no UTF-8; write it as UTF-8 text';
    if (text.trim() === '') return undefined;
    const record = reader.read(text);
    if ('problem' in record) return record.problem;
    hash128OfText(record.example_id, words, 0);
    const row = rowOf(seen, words[0]!, words[1]!, words[2]!, words[3]!);
    const chunk = chunkOf(seen, row);
    const earlier = chunk[valuesAt(seen, row)]!;
    if (earlier > 0) {
      const { name, unit, firstPlace } = files.findLast((file) => file.firstPlace <= earlier)!;
      const place = `${name}, ${unit} ${earlier - firstPlace}`;
      return `example_id: ${shortened(record.example_id)} is already at ${place}; keep one of the two`;
    }
    chunk[valuesAt(seen, row)] = places;
    builder.add(record);
    countRecord(counts, record);
    return undefined;
  }
}
