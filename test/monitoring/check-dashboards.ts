import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { windows } from '../../packages/monitoring/settings.ts';
import { query } from '../support/monitoring.ts';
import { type Dashboard, shown } from './lint-dashboards.ts';

const folder = 'deploy/grafana/dashboards';

/** Every panel of every dashboard has data; `empty` names panels that may have nothing to show there. Returns the number of queries. */
export async function dashboardsHaveData(prometheus: string, empty: readonly string[] = []): Promise<number> {
  const { queries, problems } = await checkDashboards(prometheus, empty);
  assert.deepEqual(problems, []);
  assert.ok(queries > 250, `only ${queries} queries`);
  return queries;
}

/** The dashboards as Grafana gets them. */
function writtenDashboards(): Dashboard[] {
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Dashboard);
}

interface Checked {
  /** Queries run: one for each value of `$window` and, where a dashboard shows one model, of `$model`. */
  readonly queries: number;
  readonly problems: readonly string[];
}

/**
 * Runs every query of every panel, as Grafana would, against a Prometheus. A problem is a query that is refused, that returns nothing, or that
 * returns what is no number.
 */
async function checkDashboards(prometheus: string, empty: readonly string[]): Promise<Checked> {
  const problems: string[] = [];
  let queries = 0;
  for (const dashboard of writtenDashboards()) {
    const variables = await variablesOf(prometheus, dashboard);
    for (const { title, targets = [] } of shown(dashboard)) {
      for (const { refId, expr } of targets) {
        for (const text of new Set(variables.map((values) => filledIn(expr, values)))) {
          queries++;
          const problem = await problemOf(prometheus, text);
          const excused = problem === nothing && empty.includes(title!);
          if (problem !== undefined && !excused)
            problems.push(`${dashboard.title}, ${title} ${refId}: ${problem}: ${text}`);
        }
      }
    }
  }
  return { queries, problems };
}

type Values = Readonly<Record<string, string>>;

const nothing = 'returns nothing';

/** Every combination of the variables' values; several at once are one regular expression. */
async function variablesOf(prometheus: string, { templating }: Dashboard): Promise<Values[]> {
  const ofLabel = async (metric: string, label: string): Promise<string[]> =>
    (await query(prometheus, `count by (${label}) (${metric})`)).map((sample) => sample.metric[label]!);
  const variable = (name: string): Dashboard['templating']['list'][number] =>
    templating.list.find((each) => each.name === name)!;
  const windowValues =
    variable('window').type === 'custom' ? windows : await ofLabel('assay_window_predictions', 'window');
  const models =
    variable('model').multi === true
      ? ['.+']
      : some(await ofLabel('assay_outcomes_total{model!="__other__"}', 'model'));
  return windowValues.flatMap((window) => models.map((model) => ({ job: '.+', window, model })));
}

const modelsMax = 4;

/** A few of many: the first, the last, and between. */
function some(models: readonly string[]): readonly string[] {
  const sorted = [...models].sort();
  const step = Math.max(1, (sorted.length - 1) / (modelsMax - 1));
  return [
    ...new Set(
      Array.from({ length: modelsMax }, (_, index) => sorted[Math.min(sorted.length - 1, Math.round(index * step))]!),
    ),
  ];
}

function filledIn(expr: string, { job, window, model }: Values): string {
  return expr
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$job', job!)
    .replaceAll('$window', window!)
    .replaceAll('$agent', '.+')
    .replaceAll('$model', model!.replace(/["\\]/g, '\\$&'));
}

async function problemOf(prometheus: string, text: string): Promise<string | undefined> {
  if (/\$/.test(text.replaceAll('"$1"', ''))) return 'has a variable that is not known';
  try {
    const samples = await query(prometheus, text);
    if (samples.length === 0) return nothing;
    return samples.every(({ value }) => Number.isFinite(value)) ? undefined : 'returns what is no number';
  } catch (error) {
    return (error as Error).message;
  }
}
