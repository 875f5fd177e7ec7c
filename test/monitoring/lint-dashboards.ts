import { parseQuery } from '../support/promql.ts';
import { selectorProblems } from './known-series.ts';

type KnownSeries = Parameters<typeof selectorProblems>[1];

/** A dashboard as Grafana reads it, as far as the linter and the checker ask. */
export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly description?: string;
  readonly editable?: boolean;
  readonly templating: { readonly list: readonly Variable[] };
  readonly annotations: { readonly list: readonly { readonly name: string; readonly expr?: string }[] };
  readonly panels: readonly Panel[];
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query?: unknown;
  readonly refresh?: number;
  readonly multi?: boolean;
  readonly allValue?: string;
}

export interface Panel {
  readonly id?: number;
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly datasource?: { readonly uid?: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: {
    readonly defaults: {
      readonly unit?: string;
      readonly links?: readonly { readonly url?: string }[];
      readonly thresholds?: { readonly steps: readonly { readonly value: number | null }[] };
    };
  };
  readonly targets?: readonly Target[];
}

interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly datasource?: { readonly uid?: string };
}

/** Panels that show something: rows are headings. */
export function shown({ panels }: Dashboard): readonly Panel[] {
  return panels.filter(({ type }) => type !== 'row');
}

/** What is against the rules of dashboard-linter and of this project: one line each. */
export function lintDashboard(dashboard: Dashboard, known: KnownSeries): string[] {
  return [
    ...frameProblems(dashboard),
    ...variableProblems(dashboard),
    ...layoutProblems(dashboard),
    ...shown(dashboard).flatMap((panel) =>
      [...panelProblems(panel), ...(panel.targets ?? []).flatMap((target) => queryProblems(target.expr, known))].map(
        (problem) => `${panel.title}: ${problem}`,
      ),
    ),
    ...dashboard.annotations.list.flatMap(({ name, expr }) =>
      expr === undefined ? [] : queryProblems(expr, known).map((problem) => `annotation ${name}: ${problem}`),
    ),
  ];
}

/** Lines for what does not hold. */
function failing(checks: readonly (readonly [holds: boolean, problem: string])[]): string[] {
  return checks.filter(([holds]) => !holds).map(([, problem]) => problem);
}

function frameProblems({ uid, title, description, editable }: Dashboard): string[] {
  return failing([
    [/^[a-z-]{1,40}$/.test(uid), 'has no stable uid of at most 40 characters'],
    [title.startsWith('Assay / '), 'is not titled Assay / …'],
    [(description ?? '') !== '', 'has no description'],
    [editable === false, 'can be edited: changes would be lost'],
  ]);
}

function variableProblems(dashboard: Dashboard): string[] {
  const { list } = dashboard.templating;
  const names = list.map(({ name }) => name);
  const text = JSON.stringify([dashboard.panels, list.map(({ query }) => query)]);
  return [
    ...failing([
      [/^datasource,job,model,(agent,)?window(,page)?$/.test(names.join()), `has the variables ${names.join(', ')}`],
      [list[0]?.type === 'datasource' && list[0].query === 'prometheus', 'has no variable for the data source'],
    ]),
    ...list.flatMap(({ name, type, refresh, multi, allValue }) =>
      failing([
        [type !== 'query' || refresh === 2, `$${name} is not refreshed with the time range`],
        [multi !== true || allValue === '.+', `$${name} has no value for all`],
        [text.includes(`$${name}`) || text.includes(`\${${name}`), `$${name} is used by nothing`],
      ]),
    ),
  ];
}

function layoutProblems({ panels }: Dashboard): string[] {
  const ids = panels.map(({ id }) => id);
  const overlaps = panels.flatMap((a, index) =>
    panels
      .slice(index + 1)
      .filter((b) => meet(a.gridPos, b.gridPos))
      .map((b) => `${a.title} lies over ${b.title}`),
  );
  return [
    ...failing([
      [ids.every((id) => id !== undefined), 'has panels without id'],
      [new Set(ids).size === ids.length, 'has an id twice'],
    ]),
    ...overlaps,
    ...panels.filter(({ gridPos: { x, w } }) => x < 0 || x + w > 24).map(({ title }) => `${title} leaves the grid`),
  ];
}

function meet(a: Panel['gridPos'], b: Panel['gridPos']): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function panelProblems({ title, description, datasource, fieldConfig, targets = [] }: Panel): string[] {
  const { unit, thresholds, links } = fieldConfig?.defaults ?? {};
  const refIds = targets.map(({ refId }) => refId);
  return failing([
    [(title ?? '') !== '', 'has no title'],
    [(description ?? '').length > 20, 'has no description'],
    [(unit ?? '') !== '', 'has no unit'],
    [(thresholds?.steps.length ?? 0) > 0 && thresholds?.steps[0]?.value === null, 'has no thresholds'],
    [(links?.length ?? 0) > 0 && links!.every(({ url }) => url !== ''), 'leads nowhere'],
    [targets.length > 0, 'asks nothing'],
    [new Set(refIds).size === refIds.length, 'has a refId twice'],
    [datasource?.uid === '$datasource', 'has a data source of its own'],
    [targets.every((target) => target.datasource?.uid === '$datasource'), 'has a query with a data source of its own'],
  ]);
}

function queryProblems(expr: string, known: KnownSeries): string[] {
  const { valid, selectors } = parseQuery(withoutVariables(expr));
  if (!valid) return [`is no PromQL: ${expr}`];
  return selectors.flatMap((selector) => {
    const problems = selectorProblems(selector, known);
    const counts = ['rate', 'increase'].includes(selector.over ?? '');
    if (known.get(selector.name)?.counter === true && !counts)
      problems.push(`${selector.name} is a counter: take its rate`);
    if (counts && selector.range !== rateInterval)
      problems.push(`${selector.name} over ${selector.range}: use $__rate_interval`);
    return problems;
  });
}

const rateInterval = '4m';

/** Values for what Grafana would fill in. `$window` in a name is one of the recorded windows. */
function withoutVariables(expr: string): string {
  return expr.replaceAll('$__rate_interval', rateInterval).replaceAll('$window', '1h');
}
