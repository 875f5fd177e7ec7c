/** Some rows of a table file, by columns. */
export interface RowGroup {
  readonly names: readonly string[];
  readonly rows: number;
  cellOf(row: number, column: number): unknown;
  /** Part of the file that is read with it, in [0, 1]. */
  readonly share: number;
}
