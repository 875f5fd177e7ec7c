import { type ComparisonDocument, comparisonDocument } from '../formats/summary/comparison-document.ts';
import { compareSides, parseComparand, type Side } from '../view/compare.ts';
import { isProblem } from '../view/summary-lookup.ts';
import { UsageError } from '../errors.ts';
import { readSide } from './comparands.ts';
import { version } from './context.ts';

/** Reads the files and compares each with the first, by some metrics and by those that are required. */
export async function comparisonOfFiles(
  files: readonly string[],
  metrics: readonly string[],
  required: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ComparisonDocument> {
  const comparands = files.map(parseComparand);
  const sides: Side[] = [];
  const paths = [...new Set([...metrics, ...required])];
  for (const one of comparands) sides.push(await readSide(one, paths, signal));
  const [first, ...others] = sides as [Side, ...Side[]];
  const candidates = others.map((side, at) => {
    const compared = compareSides(first, side, paths, required);
    if (isProblem(compared)) throw new UsageError(`compare: ${compared.problem}`);
    return { ...compared, of: comparands[at + 1]!, repeated: hasRepeats(first) || hasRepeats(side) };
  });
  return comparisonDocument(version, comparands[0]!, candidates);
}

function hasRepeats(side: Side): boolean {
  return side.kind === 'scores' && side.examples.hasRepeats;
}
