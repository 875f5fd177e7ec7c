import type { RowPart } from '../scoring/metric.ts';
import type { Slice } from './summary-lookup.ts';

/** A file of score rows, as far as a comparison needs it. */
export interface Examples {
  /** By row: example, run, and which of several such rows it is. Rows of one key are one event that two files scored. */
  readonly keys: readonly string[];
  /** By path of the metric: what each row says of it, NaN where it says nothing. */
  readonly columns: ReadonlyMap<string, readonly number[]>;
  /** True if some example has several rows: they are not independent. */
  readonly hasRepeats: boolean;
}

/** Collects score rows of a slice. */
export interface ExampleReader {
  /** False: it is no score row. */
  add(row: RowPart): boolean;
  readonly examples: Examples;
}

/** Reads what some metrics need. The dimensions of the slice are `model` and `agent`: a score row has no tags. */
export function exampleReader(
  slice: Slice,
  readers: ReadonlyMap<string, (row: RowPart) => number | undefined>,
): ExampleReader {
  const seen = new Map<string, number>();
  const ids = new Set<string>();
  const keys: string[] = [];
  const columns = new Map([...readers].map(([path]) => [path, [] as number[]]));
  return {
    add(row) {
      const { example_id: id, run, scored } = row;
      if (typeof id !== 'string') return false;
      if (![...slice].every(([dimension, value]) => row[dimension] === value)) return true;
      // An event that had to wait for its truth has two rows, each with families of its own.
      const event = JSON.stringify([id, run == null ? null : Number(run), ...(scored === false ? ['waits'] : [])]);
      const before = seen.get(event) ?? 0;
      seen.set(event, before + 1);
      ids.add(scored === false ? `${id} waits` : id);
      keys.push(`${event}${before}`);
      for (const [path, read] of readers) columns.get(path)!.push(read(row) ?? Number.NaN);
      return true;
    },
    get examples() {
      return { keys, columns, hasRepeats: ids.size < keys.length };
    },
  };
}

/** Example and run of a key. */
export function exampleOf(key: string): { readonly example_id: string; readonly run: number | null } {
  const [id, run] = JSON.parse(key.slice(0, key.lastIndexOf(']') + 1)) as [string, number | null];
  return { example_id: id, run };
}

/** Rows of two files that are one event: their places. */
export interface Matched {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** The events that both files scored; undefined where they are less than half of either: then the files are two samples. */
export function matchExamples(a: Examples, b: Examples): Matched | undefined {
  const places = new Map(b.keys.map((key, place) => [key, place]));
  const matched = { a: [] as number[], b: [] as number[] };
  a.keys.forEach((key, place) => {
    const other = places.get(key);
    if (other === undefined) return;
    matched.a.push(place);
    matched.b.push(other);
  });
  const common = matched.a.length;
  return common > 0 && 2 * common >= Math.max(a.keys.length, b.keys.length) ? matched : undefined;
}
