import { tableFromIPC } from 'apache-arrow';
import { summaryPath } from '../../view/metric-points.ts';
import type { PlainGroup } from '../summary/summary-document.ts';

/** The groups of an aggregate snapshot, as a summary has them; breakdowns are not among them. */
export interface AggregateGroups {
  readonly asOfMs: number;
  readonly groups: readonly PlainGroup[];
}

/**
 * Reads an aggregate snapshot (docs/reference/outputs.md) back into groups; undefined where the bytes are no such file. A row with a
 * numerator is a rate, one with a denominator only a mean, any other a number.
 */
export function aggregateGroups(bytes: Uint8Array): AggregateGroups | undefined {
  const table = tableOf(bytes);
  if (table === undefined) return undefined;
  const column = (name: string): ((row: number) => unknown) => {
    const vector = table.getChild(name);
    return (row) => vector?.get(row) ?? undefined;
  };
  const known = new Set(['at', 'window', 'family', 'metric', 'label', 'predicted', ...numbers]);
  const dimensions = table.schema.fields.map(({ name }) => name).filter((name) => !known.has(name));
  const slices = dimensions.map((dimension) => [dimension, column(dimension)] as const);
  const texts = { window: column('window'), family: column('family'), metric: column('metric') };
  const labels = { label: column('label'), predicted: column('predicted') };
  const values = numbers.map(column);
  const groups = new Map<string, MadeGroup>();
  for (let row = 0; row < table.numRows; row++) {
    const slice = slices.flatMap(([dimension, of]) =>
      of(row) === undefined ? [] : [[dimension, String(of(row))] as const],
    );
    const window = String(texts.window(row));
    const group = groupOf(groups, slice, window);
    const point = {
      metric: String(texts.metric(row)),
      label: text(labels.label(row)),
      predicted: text(labels.predicted(row)),
    };
    const path = [String(texts.family(row)), ...segments(point)];
    put(group, path, reading(values.map((of) => numberOf(of(row)))));
  }
  const at: unknown = table.numRows === 0 ? undefined : table.getChild('at')?.get(0);
  return { asOfMs: at === undefined ? Number.NaN : Number(at), groups: [...groups.values()] as PlainGroup[] };
}

const numbers = ['value', 'lower', 'upper', 'numerator', 'denominator'];

type MadeGroup = { [key: string]: unknown };

function tableOf(bytes: Uint8Array) {
  try {
    const table = tableFromIPC(bytes);
    return ['at', 'window', 'family', 'metric', ...numbers].every((name) => table.getChild(name) !== null)
      ? table
      : undefined;
  } catch {
    return undefined;
  }
}

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
  return denominator == null ? value : { value, sum: (value ?? 0) * denominator, count: denominator };
}

function numberOf(value: unknown): number | null {
  return value === undefined || value === null ? null : Number(value);
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}
