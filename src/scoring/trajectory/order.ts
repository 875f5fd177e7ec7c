/**
 * Length of the longest common subsequence of two lists of names. A predicted name that is undefined equals none.
 * Linear in memory; equal beginnings and ends cost nothing extra.
 */
export function commonLength(gold: readonly string[], predicted: readonly (string | undefined)[]): number {
  let start = 0;
  let goldEnd = gold.length;
  let predictedEnd = predicted.length;
  while (start < goldEnd && start < predictedEnd && gold[start] === predicted[start]) start++;
  while (goldEnd > start && predictedEnd > start && gold[goldEnd - 1] === predicted[predictedEnd - 1]) {
    goldEnd--;
    predictedEnd--;
  }
  const aside = start + gold.length - goldEnd;
  return aside + tableLength(gold.slice(start, goldEnd), predicted.slice(start, predictedEnd));
}

/** The textbook table, one row of it at a time. */
function tableLength(gold: readonly string[], predicted: readonly (string | undefined)[]): number {
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
