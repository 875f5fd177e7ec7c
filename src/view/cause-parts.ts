import type { Cases } from '../statistics/kitagawa.ts';
import type { Cause } from './summary.ts';

/** The change of a rate: its cases since, and before. */
export interface Change {
  readonly since: Cases;
  /** Undefined where there were none, or the rate was no lower: then it had the baseline. */
  readonly before: Cases | undefined;
  readonly baseline: number;
}

/** A part of the bad cases, with its share of the change, and what chance alone would make of it. */
export interface Part extends Cause {
  /** Share of the growth that is to be expected of it where all has grown alike; at most, where that is an estimate. */
  readonly expected: number;
  readonly expectedMost: number;
  /** Bad cases since that it would have without any growth. */
  readonly usual: number;
}

/** A part of a split, and by how much its share of the change exceeds the expected one. */
export interface Candidate {
  readonly excess: number;
  readonly cause: Cause;
}

const causesMost = 3;
/** By how much of the change a part must exceed the share to be expected. */
const excessLeast = 0.1;
/** Standard deviations by which a part must be worse than chance makes it: of a dozen alike, one in a hundred times one is. */
const chanceMost = 3;
/** Share of the bad cases that is nearly all of them. */
const nearlyAll = 0.8;

/** The change of the rate itself. */
export function growthOf({ since, before, baseline }: Change): number {
  return since.bad / since.n - (before === undefined ? baseline : before.bad / before.n);
}

/**
 * Candidates among the parts of a split: those whose share of the change is greater than the expected one by a tenth, and not by chance.
 * Where some have more than all of it, since others became better, the shares of the candidates are brought down to 1 together; `overlapping` parts, of which a case may
 * have several, at most by what is theirs if they are disjoint.
 */
export function candidatesOf(parts: readonly Part[], change: Change, overlapping = false): Candidate[] {
  const { bad } = parts.reduce((sum, { since }) => ({ bad: sum.bad + since.bad }), { bad: 0 });
  const usual = parts.reduce((sum, part) => sum + part.usual, 0);
  const found = parts.flatMap((part) => {
    const { expected, expectedMost, usual: own, ...cause } = part;
    const excess = cause.byRate + cause.byMix - expected;
    return excess < excessLeast || isByChance(part, { bad, usual }, change) ? [] : [{ excess, cause }];
  });
  const all = found.reduce((sum, { cause }) => sum + cause.byRate + cause.byMix, 0);
  const most = overlapping ? change.since.bad / change.since.n / growthOf(change) : Number.POSITIVE_INFINITY;
  const scale = Math.max(1, Math.min(all, most));
  return found.map(({ excess, cause }) => ({
    excess,
    cause: { ...cause, byRate: cause.byRate / scale, byMix: cause.byMix / scale },
  }));
}

/**
 * The greatest share of the growth that may be expected of a name, of which nothing tells in how many good cases it occurs: three standard deviations above its share of
 * the bad cases before. But where nearly all bad cases have one name, that is worth saying however few there were before.
 */
export function mostOfShare(share: number, cases: number): number {
  return Math.max(share, Math.min(nearlyAll, share + chanceMost * Math.sqrt((share * (1 - share)) / (cases + 2))));
}

/** Returns whether a part has no more bad cases than chance makes of its usual ones and the expected share of the growth. */
function isByChance(
  { since, usual, expectedMost }: Part,
  all: { readonly bad: number; readonly usual: number },
  { since: { n }, before }: Change,
): boolean {
  const mean = Math.min(all.bad, usual + expectedMost * Math.max(0, all.bad - all.usual));
  const ofUsual = before === undefined ? 0 : (usual * n) / before.n;
  const deviation = Math.sqrt(mean * (1 - mean / all.bad) + ofUsual);
  return since.bad - mean <= chanceMost * deviation;
}

/**
 * The causes of all splits of a change. The first of each split comes before the second of any: three wrong outcomes of one spike say less than one
 * of them and the tool, model or version that it comes from.
 */
export function strongest(splits: readonly (readonly Candidate[])[]): Cause[] {
  return splits
    .flatMap((candidates) =>
      [...candidates].sort((a, b) => b.excess - a.excess).map((candidate, place) => ({ ...candidate, place })),
    )
    .sort((a, b) => a.place - b.place || b.excess - a.excess)
    .slice(0, causesMost)
    .map(({ cause }) => cause);
}
