import { tableFromIPC } from 'apache-arrow';
import { programName } from '../../name.ts';
import { summaryPath } from '../../view/metric-points.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';
import { rowsOf } from '../files/arrow-rows.ts';
import { parquetHead, parquetRowGroups } from '../files/parquet-rows.ts';
import type { RowGroup } from '../files/row-group.ts';
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
    return Buffer.from(bytes.subarray(0, 4)).equals(parquetMagic)
      ? opened(parquetForm, { ...parquetHead(bytes), groups: () => parquetRowGroups(bytes.slice().buffer) })
      : opened(arrowForm, arrowContent(bytes));
  } catch {
    return undefined;
  }
}

const parquetMagic = Buffer.from('PAR1');
const numbers = ['value', 'lower', 'upper', 'numerator', 'denominator'];
const texts = ['family', 'metric', 'label', 'predicted'];

/** The names of the columns that differ between the forms. */
interface Form {
  readonly asOf: string;
  readonly window: string;
  /** Column of the whole slice; undefined where each dimension has a column. */
  readonly slice: string | undefined;
}

const arrowForm: Form = { asOf: 'at', window: 'window', slice: undefined };
const parquetForm: Form = { asOf: 'as_of', window: 'window_name', slice: 'slice' };

interface Content {
  readonly names: readonly string[];
  readonly metadata: ReadonlyMap<string, string>;
  groups(): Iterable<RowGroup> | AsyncIterable<RowGroup>;
}

function arrowContent(bytes: Uint8Array): Content {
  const { schema, batches } = tableFromIPC(bytes);
  const names = schema.fields.map(({ name }) => name);
  return { names, metadata: schema.metadata, groups: () => batches.map((batch) => rowsOf(batch, 1)) };
}

function opened(form: Form, { names, metadata, groups }: Content): OpenAggregates | undefined {
  const required = [...Object.values(form), 'family', 'metric', ...numbers];
  if (!required.every((name) => name === undefined || names.includes(name))) return undefined;
  return {
    partitions: metadata.get(`${programName}.partitions`)?.split(','),
    read: () => groupsOf(groups(), form),
  };
}

async function groupsOf(parts: ReturnType<Content['groups']>, form: Form): Promise<AggregateGroups> {
  const groups = new Map<string, MadeGroup>();
  let asOfMs = Number.NaN;
  for await (const { names, rows, cellOf } of parts) {
    const column = (name: string): Cell => {
      const at = names.indexOf(name);
      return (row) => (at < 0 ? undefined : (cellOf(row, at) ?? undefined));
    };
    const slice = sliceReader(names, column, form);
    const windows = column(form.window);
    const [family, metric, label, predicted] = texts.map(column) as [Cell, Cell, Cell, Cell];
    const values = numbers.map(column);
    if (rows > 0) asOfMs = Number(column(form.asOf)(0));
    for (let row = 0; row < rows; row++) {
      const group = groupOf(groups, slice(row), String(windows(row)));
      const point = { metric: String(metric(row)), label: text(label(row)), predicted: text(predicted(row)) };
      put(
        group,
        [String(family(row)), ...summaryPath(point).split('.')],
        reading(values.map((of) => numberOf(of(row)))),
      );
    }
  }
  return { asOfMs, groups: [...groups.values()] as PlainGroup[] };
}

/** Undefined where a row has no value, or there is no such column. */
type Cell = (row: number) => unknown;

type Slice = readonly (readonly [dimension: string, value: string])[];

function sliceReader(names: readonly string[], column: (name: string) => Cell, form: Form): (row: number) => Slice {
  const known: ReadonlySet<string> = new Set([form.asOf, form.window, ...texts, ...numbers]);
  const dimensions = names.filter((name) => !known.has(name)).map((name) => [name, column(name)] as const);
  const entriesAt = (row: number): (readonly [string, unknown])[] =>
    form.slice === undefined
      ? dimensions.map(([dimension, of]) => [dimension, of(row)])
      : Object.entries(column(form.slice)(row) ?? {});
  return (row) =>
    entriesAt(row).flatMap(([dimension, value]) => (value == null ? [] : [[dimension, String(value)] as const]));
}

type MadeGroup = { [key: string]: unknown };

function groupOf(groups: Map<string, MadeGroup>, slice: Slice, window: string): MadeGroup {
  const key = JSON.stringify([slice, window]);
  return getOrPut(groups, key, () => ({ slice: Object.fromEntries(slice), window }));
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
