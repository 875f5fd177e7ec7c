/**
 * Length of the longest common subsequence of two lists of names: the textbook table, one row of it at a time. A predicted name that is
 * undefined equals none.
 */
export function commonLength(gold: readonly string[], predicted: readonly (string | undefined)[]): number {
  const row = new Int32Array(predicted.length + 1);
  for (const name of gold) {
    let diagonal = 0;
    for (let i = 1; i <= predicted.length; i++) {
      const above = row[i]!;
      if (name === predicted[i - 1]) row[i] = diagonal + 1;
      else if (row[i - 1]! > above) row[i] = row[i - 1]!;
      diagonal = above;
    }
  }
  return row[predicted.length]!;
}
