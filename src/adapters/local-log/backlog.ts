import type { Mark } from './scan.ts';

/** Positions of some offsets of a log, in bytes that its partition has had: how much of it lies behind an offset. */
export interface Positions {
  /** Ascending; the last is the end. */
  readonly marks: Mark[];
}

/** Marks that are kept: beyond, every other one goes. */
const marksMax = 4_096;

/** Notes where the log ends now. */
export function addMark({ marks }: Positions, mark: Mark): void {
  marks.push(mark);
  if (marks.length > marksMax) marks.splice(0, marks.length, ...marks.filter((_, at) => at % 2 === 1));
}

/** Bytes of the log from an offset on: exact at a mark, and in proportion between two. Marks below it are forgotten. */
export function bytesFrom({ marks }: Positions, offset: number): number {
  const after = marks.findIndex((mark) => mark.offset > offset);
  if (after < 0) return 0;
  if (after > 1) marks.splice(0, after - 1);
  const [before, next] = after === 0 ? [marks[0]!, marks[0]!] : [marks[0]!, marks[1]!];
  const share = next.offset === before.offset ? 0 : (offset - before.offset) / (next.offset - before.offset);
  return marks.at(-1)!.bytes - (before.bytes + share * (next.bytes - before.bytes));
}
