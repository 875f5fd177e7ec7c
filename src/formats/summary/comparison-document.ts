import { programName } from '../../name.ts';
import type { Change, Comparand, Compared } from '../../view/compare.ts';
import type { Flip } from '../../view/flips.ts';

/** The result of `assay compare`: a JSON file, and the data of its page. */
export interface ComparisonDocument {
  readonly format: `${typeof programName}.comparison/1`;
  readonly version: string;
  /** Level of the intervals and tests. */
  readonly level: 0.95;
  readonly reference: NamedSide;
  readonly candidates: readonly ComparedCandidate[];
}

export interface NamedSide {
  readonly file: string;
  readonly slice: Readonly<Record<string, string>>;
}

export interface ComparedCandidate extends NamedSide {
  /** Events scored by both; null where the two are compared as different samples. */
  readonly paired: number | null;
  /** True if an example was scored several times: the runs of one example are alike, so the intervals are too narrow. */
  readonly repeated: boolean;
  readonly metrics: readonly Change[];
  readonly left_out: readonly string[];
  /** Events that became worse on the whole or better, and the worst of all that changed; null where they are not paired. */
  readonly flips: { readonly total: number; readonly worst: readonly Flip[] } | null;
}

/** Changed events that are listed. */
const flipsMax = 1000;

/** The document of a reference and its candidates. */
export function comparisonDocument(
  version: string,
  reference: Comparand,
  candidates: readonly (Compared & { readonly of: Comparand; readonly repeated: boolean })[],
): ComparisonDocument {
  return {
    format: `${programName}.comparison/1`,
    version,
    level: 0.95,
    reference: namedSide(reference),
    candidates: candidates.map(({ of, paired, repeated, changes, left_out, flips }) => ({
      ...namedSide(of),
      paired,
      repeated,
      metrics: changes,
      left_out,
      flips: flips && { total: flips.length, worst: flips.slice(0, flipsMax) },
    })),
  };
}

function namedSide({ file, slice }: Comparand): NamedSide {
  return { file, slice: Object.fromEntries(slice) };
}
