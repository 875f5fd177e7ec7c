/** The candidate that a typo most likely meant; undefined where none is near. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    const distance = editDistance(typed.toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The candidates that take the fewest edits, equal ones by name. */
export function nearestOf(typed: string, candidates: readonly string[], most: number): readonly string[] {
  const distances = candidates.map((known) => ({ known, distance: editDistance(known, typed) }));
  distances.sort((a, b) => a.distance - b.distance || (a.known < b.known ? -1 : 1));
  return distances.slice(0, most).map(({ known }) => known);
}

/** Optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  let before = row;
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      // Nothing lies before the first character: a swap has two on either side.
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = swap ? before[j - 2]! + 1 : substituted;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, substituted, swapped));
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
