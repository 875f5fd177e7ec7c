import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dashboards } from '../../packages/monitoring/dashboards/dashboards.ts';
import { knownSeries } from './known-series.ts';
import { type Dashboard, lintDashboard, type Panel, shown } from './lint-dashboards.ts';

const built = (): Dashboard[] => JSON.parse(JSON.stringify(dashboards())) as Dashboard[];

for (const dashboard of built()) {
  test(`${dashboard.title} keeps the conventions`, async () => {
    assert.ok(shown(dashboard).length >= 15);
    assert.deepEqual(lintDashboard(dashboard, await knownSeries()), []);
  });
}

test('every panel leads to the web page at the same time, and to the model or agent that a value is of', () => {
  const [overview, model] = built().map((dashboard) =>
    shown(dashboard).map(({ title, fieldConfig }) => {
      const link = fieldConfig!.defaults.links!.find(
        ({ url }) => url!.startsWith(`\${page}/#`) && url!.includes('from='),
      )!;
      return [title!, new URLSearchParams(link.url!.split('#')[1])] as const;
    }),
  );
  for (const [title, shows] of [...overview!, ...model!]) {
    assert.deepEqual([shows.get('from'), shows.get('until')], [`\${__from}`, `\${__to}`], title);
  }
  const ofOverview = new Map(overview);
  assert.equal(ofOverview.get('Alarms by model')!.get('model'), `\${__field.labels.model}`);
  assert.equal(ofOverview.get('Alarms by agent')!.get('agent'), `\${__field.labels.agent}`);
  assert.equal(ofOverview.get('Due to')!.get('model'), `\${__data.fields.Model}`);
  assert.equal(ofOverview.get('Calls right')!.get('by'), null);
  // Its windows are those of the service: the web page has them too.
  assert.ok(model!.every(([, shows]) => shows.get('window') === `\${window}`));
});

test('the overview has the order and the words of the web page', () => {
  const rows = built()[0]!.panels.filter(({ type }) => type === 'row');
  assert.deepEqual(
    rows.map(({ title }) => title),
    ['Is it right?', 'What is wrong now?', 'Why?', 'Over time', 'Groups'],
  );
});

interface MatrixPanel extends Panel {
  readonly transformations: readonly { readonly id: string; readonly options: Readonly<Record<string, string>> }[];
}

test('the confusion matrix is a coloured table', () => {
  const matrices = built()
    .flatMap(shown)
    .filter(({ title }) => title?.startsWith('Confusion matrix')) as readonly unknown[] as readonly MatrixPanel[];
  assert.equal(matrices.length, 2);
  for (const { type, transformations, fieldConfig } of matrices) {
    assert.equal(type, 'table');
    const { id, options } = transformations[0]!;
    assert.deepEqual([id, options['rowField'], options['columnField']], ['groupingToMatrix', 'gold', 'predicted']);
    assert.match(JSON.stringify(fieldConfig), /"cellOptions":\{"type":"color-background"/);
  }
});

/** A dashboard without fault, with one panel. */
function plain(change: (dashboard: Record<string, unknown>, panel: Record<string, unknown>) => void): Dashboard {
  const dashboard = built()[0]! as unknown as Record<string, unknown>;
  const panel = shown(built()[0]!)[0]! as unknown as Record<string, unknown>;
  const query = (expr: string) => ({ refId: expr.slice(0, 4), expr, datasource: { uid: '$datasource' } });
  panel['targets'] = [
    'up{job=~"$job"}',
    'rate(assay_outcomes_total{model=~"$model"}[$__rate_interval])',
    'job_model:assay_accuracy:ratio_rate$window',
    'assay_watch_firing{agent=~"$agent"}',
  ].map(query);
  dashboard['panels'] = [panel];
  change(dashboard, panel);
  return dashboard as unknown as Dashboard;
}

const asking = (expr: string, uid = '$datasource') => ({ targets: [{ refId: 'Z', expr, datasource: { uid } }] });
const gridPos = { x: 20, y: 0, w: 5, h: 1 };
/** What is planted in the panel. */
const inPanel: readonly (readonly [why: string, problem: RegExp, panel: object])[] = [
  ['no description', /: has no description/, { description: '' }],
  ['no unit', /has no unit/, { fieldConfig: { defaults: {} } }],
  ['no thresholds', /has no thresholds/, { fieldConfig: { defaults: { unit: 's' } } }],
  ['no query', /asks nothing/, { targets: [] }],
  ['a fixed data source', /a data source of its own/, { datasource: { uid: 'abc' } }],
  ['a query with one', /a query with a data source/, asking('up', 'abc')],
  ['wrong PromQL', /is no PromQL/, asking('sum(up')],
  ['a series that nobody has', /is no series/, asking('assay_lag')],
  ['a raw counter', /is a counter/, asking('assay_late_events_total')],
  ['a fixed range', /use \$__rate_interval/, asking('rate(assay_late_events_total[5m])')],
  ['a metric that is never', /label metric is never x/, asking('assay_window_value{metric="x"}')],
  ['a panel off the grid', /leaves the grid/, { gridPos }],
];

type Change = Parameters<typeof plain>[0];
const planted: readonly (readonly [why: string, problem: RegExp, change: Change])[] = [
  ...inPanel.map(([why, problem, own]): [string, RegExp, Change] => [
    why,
    problem,
    (_, panel) => Object.assign(panel, own),
  ]),
  ['an editable dashboard', /can be edited/, (dashboard) => Object.assign(dashboard, { editable: true })],
  ['a missing variable', /has the variables/, (dashboard) => Object.assign(dashboard, { templating: { list: [] } })],
  ['an id twice', /an id twice/, (dashboard, panel) => Object.assign(dashboard, { panels: [panel, panel] })],
  ['an overlap', /lies over/, (dashboard, panel) => Object.assign(dashboard, { panels: [panel, { ...panel, id: 9 }] })],
];

test('the planted dashboard is without fault before something is planted', async () => {
  const unchanged = plain(() => undefined);
  assert.deepEqual(lintDashboard(unchanged, await knownSeries()), []);
});

for (const [why, problem, change] of planted) {
  test(`the linter of dashboards finds ${why}`, async () => {
    assert.match(lintDashboard(plain(change), await knownSeries()).join('\n'), problem);
  });
}
