import { paneOf, type Tier, type WindowPlan } from '../state/windows.ts';

/** Panes of one tier, first to last. */
export interface Segment {
  readonly tier: number;
  readonly paneMs: number;
  readonly first: number;
  readonly last: number;
}

const dayMs = 86_400_000;

/**
 * The panes of the last 24 hours up to T, the oldest first: the finest as far as they are kept, before them those of the next tier, and so on.
 * Where one tier ends and the next begins is a border of both; a tier whose panes have no such border in its newer half is left out.
 */
export function segmentsAt({ tiers }: WindowPlan, asOfMs: number): Segment[] {
  const segments: Segment[] = [];
  let endMs = Number.POSITIVE_INFINITY;
  for (let tier = 0; tier < tiers.length; tier++) {
    const { paneMs } = tiers[tier]!;
    const newest = paneOf(tiers[tier]!, asOfMs);
    const last = Math.min(newest, endMs / paneMs - 1);
    const oldestMs = Math.max(
      (newest - tiers[tier]!.panes + 1) * paneMs,
      Math.ceil((asOfMs - dayMs) / paneMs) * paneMs,
    );
    const next = tiers.findIndex((other, index) => index > tier && joins(tiers[tier]!, other));
    const borderMs = next < 0 ? oldestMs : roundedTo(oldestMs, commonMs(paneMs, tiers[next]!.paneMs));
    segments.unshift({ tier, paneMs, first: borderMs / paneMs, last });
    if (next < 0 || borderMs <= asOfMs - dayMs) break;
    endMs = borderMs;
    tier = next - 1;
  }
  return segments;
}

function joins(fine: Tier, coarse: Tier): boolean {
  return commonMs(fine.paneMs, coarse.paneMs) <= (fine.panes * fine.paneMs) / 2;
}

function roundedTo(ms: number, unitMs: number): number {
  return Math.ceil(ms / unitMs) * unitMs;
}

/** Least common multiple. */
export function commonMs(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return (a / x) * b;
}
