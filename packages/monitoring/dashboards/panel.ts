/** A dashboard as data: rows of panels by their titles. */
export interface DashboardSpec {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** True if the variable `model` has one value or several. */
  readonly model: 'one' | 'several';
  /** True if there is a variable `agent`, of several values. */
  readonly withAgents?: true;
  /** Where a panel leads that is about no single model or agent. */
  readonly deeper: Link;
  /** True if one chooses a window of the recorded rates, or of event time as the service is configured. */
  readonly window: 'scoring' | 'event';
  readonly rows: Readonly<Record<string, Row>>;
}

/** A title, and an address as Grafana fills it in. */
export type Link = readonly [title: string, url: string];

/** Panels by title, and the size of those that name none. */
export interface Row {
  readonly size: Size;
  readonly panels: Readonly<Record<string, Panel>>;
}

/** Columns (of 24) and rows of the grid. */
export type Size = readonly [width: number, height: number];

export interface Panel {
  readonly kind: 'stat' | 'bars' | 'lines' | 'areas' | 'states' | 'heatmap' | 'table' | 'matrix';
  /** The panel's content, how to read it, what to do when it looks bad. */
  readonly help: string;
  readonly scale: Scale;
  readonly queries: readonly Query[];
  readonly size?: Size;
  /** The columns of a table, in their order. */
  readonly columns?: readonly Column[];
  /** Title of the column that a table is sorted by, greatest first. */
  readonly sortBy?: string;
}

export interface Query {
  readonly expr: string;
  /** Name of a series, with labels as `{{model}}`. */
  readonly legend?: string;
}

/** A column of a table: a label, or with a scale the value of the next query. */
export interface Column {
  readonly title: string;
  readonly label?: string;
  readonly scale?: Scale;
}

/** How numbers are written, and which are good. */
export interface Scale {
  /** Id of a Grafana unit, or `suffix:…`. */
  readonly unit: string;
  readonly steps: Steps;
  readonly max?: number;
  readonly decimals?: number;
}

/** Colour from a value on; the first step has none. */
export type Steps = readonly (readonly [from: number | null, color: string])[];

/** The first colour, and those from a value on. */
export const steps = (first: string, ...others: readonly (readonly [from: number, color: string])[]): Steps => [
  [null, first],
  ...others,
];
/** Good below `warn`, bad from `bad` on. */
export const upTo = (warn: number, bad: number): Steps => steps('green', [warn, 'yellow'], [bad, 'red']);
/** Anything above zero is wrong. */
export const noneAllowed = steps('green', [1e-9, 'red']);
/** Neither good nor bad. */
export const neutral = steps('blue');

/** A score, a fraction as on the web page of the service, by its bands (docs/reference/scoring.md). */
export const score: Scale = {
  unit: 'none',
  max: 1,
  decimals: 3,
  steps: steps('red', [0.5, 'orange'], [0.75, 'yellow'], [0.9, 'green']),
};
/** A share of which more is better, in percent as on the web page of the service, by the same bands. */
export const goodShare: Scale = { ...score, unit: 'percentunit', decimals: 1 };
/** Coverage: the share of the predictions that are scored. */
export const coverage: Scale = { ...goodShare, steps: steps('red', [0.5, 'yellow'], [0.9, 'green']) };
/** Multiples of a budget: within it, over it, and the factor of the first ticket. */
export const multiple: Scale = {
  unit: 'suffix:×',
  decimals: 1,
  steps: steps('green', [1, 'yellow'], [3, 'red']),
};
/** True if a watch fires. */
export const alarm: Scale = { unit: 'bool_on_off', steps: noneAllowed };
/** The statistic of a watch, of its threshold. */
export const ofThreshold: Scale = { unit: 'percentunit', decimals: 0, steps: upTo(0.5, 1) };
/** A share of which less is better, or neither. */
export const share = (colours = neutral): Scale => ({ unit: 'percentunit', steps: colours, decimals: 1 });
/** A number of things. */
export const amount = (colours = neutral): Scale => ({ unit: 'short', steps: colours });
/** Things a second. */
export const perSecond = (colours = neutral): Scale => ({ unit: 'cps', steps: colours });
/** A time. */
export const seconds = (warn: number, bad: number): Scale => ({ unit: 's', steps: upTo(warn, bad) });

/** Panels side by side. */
export const row = (width: number, height: number, panels: Row['panels']): Row => ({ size: [width, height], panels });

/** Panels of a kind; the queries are one, or some by their legends. */
const panelsOf =
  (kind: Panel['kind']) =>
  (help: string, scale: Scale, queries: string | Readonly<Record<string, string>>, size?: Size): Panel => ({
    kind,
    help,
    scale,
    queries:
      typeof queries === 'string'
        ? [{ expr: queries }]
        : Object.entries(queries).map(([legend, expr]) => ({ expr, legend })),
    ...(size && { size }),
  });
export const stat = panelsOf('stat');
export const bars = panelsOf('bars');
/** Over time; a line whose legend begins with `budget` is dashed. */
export const lines = panelsOf('lines');
/** Over time, one on the other. */
export const areas = panelsOf('areas');
/** Colours over time. */
export const states = panelsOf('states');
export const heatmap = panelsOf('heatmap');
/** A table of one query by the labels `gold` and `predicted`. */
export const matrix = panelsOf('matrix');

/**
 * A row for each combination of labels that the queries share. A column is a label, or a query with the scale of its values; queries
 * under `joined` only bring labels.
 */
export function table(
  help: string,
  columns: Readonly<Record<string, string | readonly [expr: string, scale: Scale]>>,
  { joined = [], ...shape }: Pick<Panel, 'sortBy' | 'size'> & { readonly joined?: readonly string[] } = {},
): Panel {
  const values = Object.values(columns).filter((column) => typeof column !== 'string');
  return {
    kind: 'table',
    help,
    scale: { unit: values[0]?.[1].unit ?? 'short', steps: neutral },
    queries: [...values.map(([expr]) => expr), ...joined].map((expr) => ({ expr })),
    columns: Object.entries(columns).map(([title, column]) =>
      typeof column === 'string' ? { title, label: column } : { title, scale: column[1] },
    ),
    ...shape,
  };
}
