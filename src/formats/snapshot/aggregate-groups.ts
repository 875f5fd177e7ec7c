import { tableFromIPC } from 'apache-arrow';
import { isObject } from '../../scoring/json.ts';
import { summaryPath } from '../../view/metric-points.ts';
import { parquetHead, parquetRowGroups } from '../files/parquet-rows.ts';
import type { PlainGroup } from '../summary/summary-document.ts';

/** An aggregate snapshot, as far as it is read. */
export interface OpenAggregates {
  /** The partitions that it is of; undefined where it does not say. */
  readonly partitions: readonly string[] | undefined;
  read(): Promise<AggregateGroups>;
}

/** The groups of an aggregate snapshot, as a summary has them; breakdowns are not among them. */
export interface AggregateGroups {
  readonly asOfMs: number;
  readonly groups: readonly PlainGroup[];
}

/**
 * Opens an aggregate snapshot (docs/reference/outputs.md), Arrow or Parquet; undefined where the bytes are none. Its rows come back as groups: one with
 * a numerator is a rate, one with a denominator only a mean, one with an interval only an estimate, any other a number.
 */
export function openAggregates(bytes: Uint8Array): OpenAggregates | undefined {
  try {
    return Buffer.from(bytes.subarray(0, 4)).equals(parquetMagic) ? openParquet(bytes) : openArrow(bytes);
  } catch {
    return undefined;
  }
}

const parquetMagic = Buffer.from('PAR1');
const numbers = ['value', 'lower', 'upper', 'numerator', 'denominator'];
const texts = ['family', 'metric', 'label', 'predicted'];

/** Undefined where there is no such column. */
type Cell = (row: number) => unknown;

interface Rows {
  readonly rows: number;
  column(name: string): Cell;
  slice(row: number): readonly (readonly [dimension: string, value: string])[];
}

/** The names that only one of both forms has. */
interface Names {
  readonly asOf: string;
  readonly window: string;
}

function openArrow(bytes: Uint8Array): OpenAggregates | undefined {
  const table = tableFromIPC(bytes);
  if (!['at', 'window', 'family', 'metric', ...numbers].every((name) => table.getChild(name) !== null))
    return undefined;
  const column = (name: string): Cell => {
    const vector = table.getChild(name);
    return (row) => vector?.get(row) ?? undefined;
  };
  const known = new Set(['at', 'window', ...texts, ...numbers]);
  const dimensions = table.schema.fields.flatMap(({ name }) =>
    known.has(name) ? [] : [[name, column(name)] as const],
  );
  const slice = (row: number) =>
    dimensions.flatMap(([dimension, of]) => (of(row) === undefined ? [] : [[dimension, String(of(row))] as const]));
  return {
    partitions: partitionsIn(table.schema.metadata.get('assay.partitions')),
    read: async () => groupsOf([{ rows: table.numRows, column, slice }], { asOf: 'at', window: 'window' }),
  };
}

function openParquet(bytes: Uint8Array): OpenAggregates | undefined {
  const { names, metadata } = parquetHead(bytes);
  if (!['as_of', 'window_name', 'slice', 'family', 'metric', ...numbers].every((name) => names.includes(name)))
    return undefined;
  return {
    partitions: partitionsIn(metadata.get('assay.partitions')),
    async read() {
      const parts: Rows[] = [];
      for await (const { names, rows, cellOf } of parquetRowGroups(bytes.slice().buffer)) {
        const column = (name: string): Cell => {
          const at = names.indexOf(name);
          return (row) => cellOf(row, at) ?? undefined;
        };
        const slices = column('slice');
        parts.push({ rows, column, slice: (row) => entriesOf(slices(row)) });
      }
      return groupsOf(parts, { asOf: 'as_of', window: 'window_name' });
    },
  };
}

function entriesOf(map: unknown): (readonly [string, string])[] {
  return isObject(map) ? Object.entries(map).map(([dimension, value]) => [dimension, String(value)]) : [];
}

function partitionsIn(text: string | undefined): readonly string[] | undefined {
  return text?.split(',');
}

function groupsOf(parts: readonly Rows[], { asOf, window }: Names): AggregateGroups {
  const groups = new Map<string, MadeGroup>();
  let asOfMs = Number.NaN;
  for (const { rows, column, slice } of parts) {
    const windows = column(window);
    const [family, metric, label, predicted] = texts.map(column) as [Cell, Cell, Cell, Cell];
    const values = numbers.map(column);
    if (rows > 0) asOfMs = Number(column(asOf)(0));
    for (let row = 0; row < rows; row++) {
      const group = groupOf(groups, slice(row), String(windows(row)));
      const point = { metric: String(metric(row)), label: text(label(row)), predicted: text(predicted(row)) };
      put(group, [String(family(row)), ...segments(point)], reading(values.map((of) => numberOf(of(row)))));
    }
  }
  return { asOfMs, groups: [...groups.values()] as PlainGroup[] };
}

type MadeGroup = { [key: string]: unknown };

function groupOf(
  groups: Map<string, MadeGroup>,
  slice: readonly (readonly [string, string])[],
  window: string,
): MadeGroup {
  const key = JSON.stringify([slice, window]);
  const known = groups.get(key);
  if (known !== undefined) return known;
  const made = { slice: Object.fromEntries(slice), window };
  groups.set(key, made);
  return made;
}

interface Named {
  readonly metric: string;
  readonly label: string | undefined;
  readonly predicted: string | undefined;
}

function segments({ metric, label, predicted }: Named): string[] {
  return summaryPath({ metric, label, predicted }).split('.');
}

/** Own fields only: a name such as `__proto__` in a damaged file is a field like any other. */
function put(group: MadeGroup, path: readonly string[], value: unknown): void {
  let at = group;
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(at, key)) Object.defineProperty(at, key, { value: {}, enumerable: true });
    const next = at[key];
    if (typeof next !== 'object' || next === null) return;
    at = next as MadeGroup;
  }
  Object.defineProperty(at, path.at(-1)!, { value, enumerable: true, configurable: true });
}

function reading([value, lower, upper, numerator, denominator]: readonly (number | null)[]): unknown {
  if (numerator != null) return { value, numerator, denominator, lower, upper };
  if (denominator != null) return { value, sum: (value ?? 0) * denominator, count: denominator };
  return lower == null ? value : { value, lower, upper };
}

function numberOf(value: unknown): number | null {
  return value === undefined || value === null ? null : Number(value);
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
