import { exampleOf, type Examples, type Matched } from './examples.ts';

/** An event that two sides scored differently. */
export interface Flip {
  readonly example_id: string;
  readonly run: number | null;
  /** Paths of the metrics that became worse, and better. */
  readonly worse: readonly string[];
  readonly better: readonly string[];
}

/** A value that is compared event by event. */
export interface Directed {
  readonly path: string;
  readonly better: 'higher' | 'lower';
}

/**
 * Events of which some metric is not the same on both sides, those that became worst first: by what they lost over all metrics, less what they
 * gained. Equal ones keep the order of the first file.
 */
export function flipsOf(a: Examples, b: Examples, matched: Matched, metrics: readonly Directed[]): Flip[] {
  const columns = metrics.map(({ path, better }) => ({
    path,
    sign: better === 'higher' ? 1 : -1,
    a: a.columns.get(path)!,
    b: b.columns.get(path)!,
  }));
  const flips: { readonly flip: Flip; readonly gain: number }[] = [];
  matched.a.forEach((placeA, at) => {
    const placeB = matched.b[at]!;
    const changes = columns
      .map(({ path, sign, a: before, b: after }) => ({ path, gain: sign * (after[placeB]! - before[placeA]!) }))
      .filter(({ gain }) => gain < 0 || gain > 0);
    if (changes.length === 0) return;
    const paths = (wanted: boolean): string[] =>
      changes.filter(({ gain }) => gain > 0 === wanted).map(({ path }) => path);
    const gain = changes.reduce((total, change) => total + change.gain, 0);
    flips.push({ gain, flip: { ...exampleOf(a.keys[placeA]!), worse: paths(false), better: paths(true) } });
  });
  return flips.sort((one, other) => one.gain - other.gain).map(({ flip }) => flip);
}
