import { isObject } from '../../scoring/json.ts';
import { cannotAnswer, direct, type LabelCode, labels, requestForInfo, toolCall } from '../../scoring/label.ts';
import { shortened } from '../json/shortened.ts';
import { entryOf, isValid, type PairLists, type TextCells, type TextEntries, type TruthBatch } from './cells.ts';
import { argumentsField, parametersField, truthColumns } from './columns.ts';
import { noLabel } from './content.ts';
import { type TruthPlace, truthError } from './error.ts';
import { decodeUtf8, isUtf8Text } from '../bytes/utf8.ts';

/**
 * Writes the label code of each row of a batch to `into` from `at` on; a label that is none of the four refuses the table.
 */
export function readLabels(
  file: string,
  firstRow: number,
  rows: number,
  cells: TextCells | undefined,
  into: Uint8Array,
  at: number,
): void {
  for (let row = 0; row < rows; row++) {
    const entry = entryOf(cells, row);
    if (entry < 0) {
      into[at + row] = noLabel;
      continue;
    }
    const { bytes, offsets } = cells!.entries;
    const code = labelOfBytes(bytes, offsets[entry]!, offsets[entry + 1]!);
    if (code === undefined) {
      const text = decodeUtf8(bytes, offsets[entry]!, offsets[entry + 1]!);
      const place = { file, row: firstRow + row, column: truthColumns.label };
      throw truthError(place, `is ${shortened(text ?? 'no UTF-8')}; give one of ${labels.join(', ')}, or null`);
    }
    into[at + row] = code;
  }
}

/** Checks every cell of a batch that nobody vouches for: texts are UTF-8, names are there, JSON parses. */
export function checkCells(file: string, firstRow: number, batch: TruthBatch): void {
  const place = (row: number, column: string): TruthPlace => ({ file, row: firstRow + row, column });
  checkIds(batch, (row) => place(row, truthColumns.exampleId));
  checkPairs(batch.tools, batch.rows, parametersField, jsonProblem, (row) => place(row, truthColumns.tools));
  checkPairs(batch.expected, batch.rows, argumentsField, objectProblem, (row) => place(row, truthColumns.expected));
  const reference = checker(batch.reference, jsonProblem);
  for (let row = 0; row < batch.rows; row++) {
    const problem = reference(row);
    if (problem !== undefined) throw truthError(place(row, truthColumns.reference), problem);
  }
}

/** The four labels differ in their lengths. */
const labelsByLength: ReadonlyMap<number, LabelCode> = new Map(
  ([direct, toolCall, requestForInfo, cannotAnswer] as const).map((code) => [labels[code].length, code]),
);

function labelOfBytes(bytes: Uint8Array, start: number, end: number): LabelCode | undefined {
  const code = labelsByLength.get(end - start);
  if (code === undefined) return undefined;
  const label = labels[code as 0 | 1 | 2 | 3];
  for (let i = 0; i < label.length; i++) if (bytes[start + i] !== label.charCodeAt(i)) return undefined;
  return code;
}

/** All ids at once, and one by one only where something is wrong. */
function checkIds({ ids, rows }: TruthBatch, place: (row: number) => TruthPlace): void {
  const { bytes, offsets } = ids;
  const first = offsets[0]!;
  const last = offsets[rows]!;
  let whole = isUtf8Text(bytes, first, last);
  // A border within a character: its next byte is a continuation.
  for (let row = 1; whole && row < rows; row++)
    whole = offsets[row]! === last || (bytes[offsets[row]!]! & 0xc0) !== 0x80;
  if (whole) return;
  for (let row = 0; row < rows; row++) {
    if (!isUtf8Text(bytes, offsets[row]!, offsets[row + 1]!)) throw truthError(place(row), notUtf8);
  }
}

const notUtf8 = 'is no UTF-8; write it again as UTF-8 text';

function checkPairs(
  pairs: PairLists | undefined,
  rows: number,
  detail: string,
  detailProblem: (text: string) => string | undefined,
  place: (row: number) => TruthPlace,
): void {
  if (pairs === undefined) return;
  const { lists, names, details } = pairs;
  const nameCheck = checker(names, () => undefined);
  const detailCheck = checker(details, detailProblem);
  for (let row = 0; row < rows; row++) {
    if (!isValid(lists.valid, row)) continue;
    const first = lists.offsets[row]!;
    for (let item = first; item < lists.offsets[row + 1]!; item++) {
      const missing = entryOf(names, item) < 0 ? 'is null; give a name, or leave the item out' : undefined;
      const name = missing ?? nameCheck(item);
      if (name !== undefined) throw truthError(place(row), `item ${item - first}: name ${name}`);
      const problem = detailCheck(item);
      if (problem !== undefined) throw truthError(place(row), `item ${item - first}: ${detail} ${problem}`);
    }
  }
}

/** Checks a cell's text, each entry of a dictionary once. Null is in order. */
function checker(
  cells: TextCells | undefined,
  problemOf: (text: string) => string | undefined,
): (cell: number) => string | undefined {
  if (cells === undefined) return () => undefined;
  const { entries, codes } = cells;
  const good = codes && new Uint8Array(entries.offsets.length);
  return (cell) => {
    const entry = entryOf(cells, cell);
    if (entry < 0 || good?.[entry] === 1) return undefined;
    const text = textOf(entries, entry);
    const problem = text === undefined ? notUtf8 : problemOf(text);
    if (problem === undefined && good !== undefined) good[entry] = 1;
    return problem;
  };
}

function textOf({ bytes, offsets }: TextEntries, entry: number): string | undefined {
  return decodeUtf8(bytes, offsets[entry]!, offsets[entry + 1]!);
}

function jsonProblem(text: string): string | undefined {
  return isJson(text, () => true)
    ? undefined
    : `is ${shortened(text)}, no JSON; write JSON text (a string in quotes), or null`;
}

function objectProblem(text: string): string | undefined {
  return isJson(text, isObject)
    ? undefined
    : `is ${shortened(text)}, no JSON object; write one, such as {"city": "Rome"}, or null`;
}

function isJson(text: string, accepts: (value: unknown) => boolean): boolean {
  try {
    return accepts(JSON.parse(text));
  } catch {
    return false;
  }
}
