/** What a panel shows, before it is a Grafana panel. */
export interface PanelSpec {
  readonly type: 'stat' | 'timeseries' | 'table' | 'statetimeline' | 'bargauge' | 'heatmap';
  readonly title: string;
  /** What is shown, how to read it, what to do when it looks bad. */
  readonly description: string;
  /** Id of a Grafana unit, or `suffix:…`. */
  readonly unit: string;
  readonly thresholds: Thresholds;
  /** Instant for stats, tables and bar gauges. */
  readonly queries: readonly Query[];
  /** Columns of the grid, of 24. */
  readonly width: number;
  /** Rows of the grid. */
  readonly height: number;
  readonly min?: number;
  readonly max?: number;
  readonly decimals?: number;
  /** Columns of a table that is merged from several queries, in their order. */
  readonly columns?: readonly Column[];
  /** Two labels that become the rows and columns of a table with one query. */
  readonly matrix?: { readonly rows: string; readonly columns: string };
  /** Name of the column that a table is sorted by, greatest first. */
  readonly sortBy?: string;
  /** Text where there is no data and that is good. */
  readonly noValue?: string;
  readonly stacked?: boolean;
}

export interface Query {
  readonly expr: string;
  /** Name of a series, with labels as `{{model}}`. */
  readonly legend?: string;
}

/** A column of a table: a label, or the value of one of the queries. */
export interface Column {
  /** Label, or letter of the query (A is the first). */
  readonly from: string;
  readonly title: string;
  readonly unit?: string;
  /** Colours the cells. */
  readonly thresholds?: Thresholds;
}

/** Colour from a value on; the first step has none. */
export type Thresholds = readonly (readonly [from: number | null, color: string])[];

export interface RowSpec {
  readonly title: string;
  readonly panels: readonly PanelSpec[];
}

/** Bands of a score in [0, 1] (docs/reference/scoring.md), worst first. */
export const bands: Thresholds = [
  [null, 'red'],
  [0.5, 'orange'],
  [0.75, 'yellow'],
  [0.9, 'green'],
];

/** Multiples of a budget: within it, over it, and the factors at which a page goes out. */
export const burnSteps: Thresholds = [
  [null, 'green'],
  [1, 'yellow'],
  [3, 'orange'],
  [6, 'red'],
];

/** Anything above zero is wrong. */
export const noneAllowed: Thresholds = [
  [null, 'green'],
  [1e-9, 'red'],
];

/** Two steps: good below `warn`, bad from `bad` on. */
export const upTo = (warn: number, bad: number): Thresholds => [
  [null, 'green'],
  [warn, 'yellow'],
  [bad, 'red'],
];

/** A quantity that is neither good nor bad. */
export const neutral: Thresholds = [[null, 'blue']];
