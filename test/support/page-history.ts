import { historySize } from '../../src/formats/summary/history.ts';
import type { CountHistory } from '../../src/formats/summary/live-document.ts';
import { decisionCells } from '../../src/scoring/decision/index.ts';

/** Cells with so many calls, of which some to no tool. */
export function cells(unknownCalls: number, calls: number): number[] {
  const made = new Array<number>(historySize).fill(0);
  made[decisionCells.unknownCalls] = unknownCalls;
  made[decisionCells.calls] = calls;
  return made;
}

/** A history of one group, `g`, with a point each second. */
export function historyOf(points: readonly (readonly number[] | null)[], from = 0): CountHistory {
  return {
    kind: 'counts',
    epoch: 'e',
    every_ms: 5000,
    points_max: 8,
    from,
    at: points.map((_, at) => 1000 * (from + at)),
    groups: { g: points },
    marks: [],
    ingest: points.map(() => [10, 0, 0] as const),
  };
}
