import { type Label, labels } from '../../scoring/label.ts';
import { decodeUtf8, isUtf8Text } from '../bytes/utf8.ts';
import { shortened } from '../json/shortened.ts';
import { cellReader, entryOf, isValid, type ListCells, type TextCells, type TruthBatch } from './cells.ts';
import { acceptProblem, alternativesProblem } from './calls.ts';
import { type Items, jsonProblem, type ReadBatch, truthColumns } from './columns.ts';
import { noLabel } from './content.ts';
import { type TruthError, truthError } from './error.ts';

/** Writes the label code of each row of a batch to `into` from `at` on; a label that is none of the four refuses the table. */
export function readLabels(file: string, firstRow: number, batch: ReadBatch, into: Uint8Array, at: number): void {
  const textAt = cellReader(batch.labels, (bytes, start, end) => decodeUtf8(bytes, start, end) ?? 'no UTF-8');
  for (let row = 0; row < batch.rows; row++) {
    const text = textAt(row);
    const code = text === undefined ? noLabel : labels.indexOf(text as Label);
    if (code < 0) {
      const problem = `is ${shortened(text)}; give one of ${labels.join(', ')}, or null`;
      throw truthError({ file, row: firstRow + row, column: 'label' }, problem);
    }
    into[at + row] = code;
  }
}

/** Checks every cell of an untrusted batch: texts are UTF-8, names are there, JSON parses. */
export function checkCells(file: string, firstRow: number, batch: TruthBatch): void {
  const refused = (column: keyof typeof truthColumns) => (row: number, problem: string) =>
    truthError({ file, row: firstRow + row, column }, problem);
  const { tools, expected_tool_calls: calls, forbidden } = truthColumns;
  checkIds(batch, refused('example_id'));
  checkItems(batch.tools, batch.rows, tools.items, refused('tools'));
  checkItems(batch.expected, batch.rows, calls.items, refused('expected_tool_calls'));
  checkItems(batch.forbidden, batch.rows, forbidden.items, refused('forbidden'));
  checkTexts(batch.reference, batch.rows, jsonProblem, refused('reference'));
  checkTexts(batch.alternatives, batch.rows, alternativesProblem, refused('alternatives'));
}

function checkTexts(
  cells: TextCells | undefined,
  rows: number,
  problemOf: (text: string) => string | undefined,
  refused: Refused,
): void {
  const problemAt = problems(cells, problemOf);
  for (let row = 0; cells !== undefined && row < rows; row++) {
    const problem = problemAt(row);
    if (problem) throw refused(row, problem);
  }
}

const notUtf8 = 'is no UTF-8; write it again as UTF-8 text';

type Refused = (row: number, problem: string) => TruthError;

function checkIds({ ids: { bytes, offsets }, rows }: TruthBatch, refused: Refused): void {
  for (let row = 0; row < rows; row++)
    if (!isUtf8Text(bytes, offsets[row]!, offsets[row + 1]!)) throw refused(row, notUtf8);
}

function checkItems(lists: ListCells | undefined, rows: number, items: Items, refused: Refused): void {
  if (lists === undefined) return;
  const { offsets, valid, names, details, accepts } = lists;
  const nameProblem = problems(names, () => undefined);
  const detailProblem = problems(details, items.problemOf);
  const rulesProblem = problems(accepts, acceptProblem);
  for (let row = 0; row < rows; row++) {
    if (!isValid(valid, row)) continue;
    const first = offsets[row]!;
    for (let item = first; item < offsets[row + 1]!; item++) {
      const nameless = entryOf(names, item) < 0 ? 'is null; give a name, or leave the item out' : nameProblem(item);
      if (nameless) throw refused(row, `item ${item - first}: name ${nameless}`);
      const problem = detailProblem(item);
      if (problem) throw refused(row, `item ${item - first}: ${items.detail} ${problem}`);
      const wrong = rulesProblem(item);
      if (wrong) throw refused(row, `item ${item - first}: ${items.accept}: ${wrong}`);
    }
  }
}

/** Problems of a cell's text, empty or undefined for none. Null is in order. */
function problems(
  cells: TextCells | undefined,
  problemOf: (text: string) => string | undefined,
): (cell: number) => string | undefined {
  return cellReader(cells, (bytes, start, end) => {
    const text = decodeUtf8(bytes, start, end);
    return text === undefined ? notUtf8 : (problemOf(text) ?? '');
  });
}
