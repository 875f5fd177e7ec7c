import type { Buffer } from 'node:buffer';
import { valuesOfText } from '../json/json-values.ts';
import { readAlternatives } from './calls.ts';
import { cellReader, type ListCells, listLength, type Memo, type TruthBatch } from './cells.ts';
import { truthError } from './error.ts';

/** Bounds of a truth row (configuration: `limits.calls`, `limits.values`). */
export interface RowLimits {
  /** Expected calls. */
  readonly calls: number;
  /** JSON values in all its cells together, each tool and call being one. */
  readonly values: number;
}

/** The refusal of a row with more expected calls than `limits.calls`. */
export function tooManyCalls(calls: number, limits: RowLimits): string {
  return `holds ${calls} calls, limits.calls allows ${limits.calls}; split the example, or raise the limit`;
}

/** The refusal of a row with more JSON values than `limits.values`. */
export function tooManyValues({ values }: RowLimits): string {
  return `holds more JSON values than limits.values allows, ${values}; make it smaller, or raise the limit`;
}

/** Refuses a row that exceeds the limits: scoring against it would take too long. */
export function checkRows(file: string, batches: readonly TruthBatch[], limits: RowLimits): void {
  const memo: Memo<number> = new Map();
  let row = 0;
  for (const batch of batches) {
    // A value takes two bytes: few rows need to be counted.
    const bytesAt = sumOf(batch, 2, (_, start, end) => end - start);
    const listsAt = cellReader(batch.alternatives, (bytes, start, end) =>
      readAlternatives(bytes.toString('utf8', start, end)),
    );
    const valuesAt = sumOf(batch, 1, (bytes, start, end) => valuesOfCell(bytes, start, end, limits), memo);
    for (let at = 0; at < batch.rows; at++, row++) {
      const calls = listLength(batch.expected, at);
      if (calls > limits.calls)
        throw truthError({ file, row, column: 'expected_tool_calls' }, tooManyCalls(calls, limits));
      if (bytesAt(at) > 2 * limits.values && valuesAt(at) > limits.values)
        throw truthError({ file, row }, tooManyValues(limits));
      const lists = listsAt(at) ?? [];
      const most = Math.max(lists.length, ...lists.map((list) => list.length));
      if (most > limits.calls) throw truthError({ file, row, column: 'alternatives' }, tooManyCalls(most, limits));
    }
  }
}

function valuesOfCell(bytes: Buffer, start: number, end: number, { values }: RowLimits): number {
  return valuesOfText(bytes.toString('utf8', start, end), values);
}

/** Sums over the JSON cells of a row, and so much for each tool and call. */
function sumOf(
  { tools, expected, reference, alternatives }: TruthBatch,
  item: number,
  read: (bytes: Buffer, start: number, end: number) => number,
  memo?: Memo<number>,
): (row: number) => number {
  const listed = (list: ListCells | undefined): ((row: number) => number) => {
    const detailAt = cellReader(list?.details, read, memo);
    const acceptAt = cellReader(list?.accepts, read, memo);
    return (row) => {
      let sum = 0;
      const first = list?.offsets[row] ?? 0;
      for (let at = first; at < first + listLength(list, row); at++)
        sum += item + (detailAt(at) ?? 0) + (acceptAt(at) ?? 0);
      return sum;
    };
  };
  const [toolsAt, expectedAt] = [tools, expected].map(listed);
  const [referenceAt, alternativesAt] = [reference, alternatives].map((cells) => cellReader(cells, read, memo));
  return (row) => toolsAt!(row) + expectedAt!(row) + (referenceAt!(row) ?? 0) + (alternativesAt!(row) ?? 0);
}
