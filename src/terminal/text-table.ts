/** Rows of cells as lines: the first column, and others by their index, to the left, the rest to the right. */
export function textTable(
  rows: readonly (readonly string[])[],
  { gap = '  ', left = [] }: { readonly gap?: string; readonly left?: readonly number[] } = {},
): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const padded = (cell: string, column: number): string =>
    column === 0 || left.includes(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return rows.map((row) => row.map(padded).join(gap).trimEnd()).join('\n');
}
