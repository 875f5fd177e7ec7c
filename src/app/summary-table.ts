import { headlinesOf } from '../scoring/families.ts';

type Group = Readonly<Record<string, unknown>>;
const columns = [{ column: 'n', path: 'decision.n' }, ...headlinesOf()];

/**
 * A summary as a table for people: a line a group, a column for each rate that any group has (rates in percent with the half-width
 * of their interval), and the record counts.
 */
export function summaryTable(document: Readonly<Record<string, unknown>>): string {
  const groups = (document['groups'] as readonly Group[]).filter((group) => group['window'] === 'all');
  const shown = columns.filter(({ path }) => groups.some((group) => text(at(group, path)) !== '–'));
  const rows = [['', ...shown.map(({ column }) => column)]];
  for (const group of groups) rows.push([nameOf(group), ...shown.map(({ path }) => text(at(group, path)))]);
  return [...aligned(rows), '', recordLine(document['records'] as Readonly<Record<string, unknown>>)].join('\n');
}

function nameOf(group: Group): string {
  const slice = Object.entries(group['slice'] as Record<string, string>);
  return slice.length === 0 ? 'total' : slice.map(([name, value]) => `${name}=${printable(value)}`).join(' ');
}

/** Names come from events: nothing in them may move the cursor or colour the terminal. */
function printable(value: string): string {
  const plain = value.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u00b7');
  return plain.length > 40 ? `${plain.slice(0, 39)}…` : plain;
}

function at(group: Group, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Group | null | undefined)?.[key], group);
}

function text(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(4);
  if (typeof value !== 'object' || value === null) return '–';
  const { value: rate, lower, upper } = value as { value: number | null; lower?: number; upper?: number };
  if (rate === null) return '–';
  const percent = `${(100 * rate).toFixed(1)} %`;
  return lower === undefined || upper === undefined
    ? rate.toFixed(4)
    : `${percent} ±${(50 * (upper - lower)).toFixed(1)}`;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

function recordLine(records: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(records).flatMap(([name, count]) => {
    if (typeof count === 'number') return count > 0 || name === 'read' || name === 'scored' ? [`${name} ${count}`] : [];
    return Object.entries(count as Record<string, number>).map(([code, n]) => `rejected ${code} ${n}`);
  });
  return `records: ${parts.join(', ')}`;
}
