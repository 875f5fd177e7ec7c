import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import { dashboardIds, windows } from '../settings.ts';
import { modelRows } from './model.ts';
import { overviewRows } from './overview.ts';
import type { RowSpec } from './panel-spec.ts';
import { datasource, panelOf } from './panels.ts';
import { pipelineRows } from './pipeline.ts';

/** The dashboards, as Grafana imports them. */
export function dashboards(): dashboard.Dashboard[] {
  return specs.map(dashboardOf);
}

interface DashboardSpec {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly variables: readonly dashboard.VariableModel[];
  readonly rows: readonly RowSpec[];
}

type AnyVariable = { build(): dashboard.VariableModel };

const source = (): AnyVariable =>
  new dashboard.DatasourceVariableBuilder('datasource').label('Data source').type('prometheus').current(noOption);

const noOption: dashboard.VariableOption = { text: '', value: '' };
const allOption: dashboard.VariableOption = { selected: true, text: ['All'], value: ['$__all'] };

/** A variable with the values of a label. */
function values(name: string, label: string, query: string): dashboard.QueryVariableBuilder {
  return new dashboard.QueryVariableBuilder(name)
    .label(label)
    .datasource(datasource)
    .query({ query, refId: 'StandardVariableQuery' })
    .definition(query)
    .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
    .sort(dashboard.VariableSort.NaturalAsc);
}

const several = (variable: dashboard.QueryVariableBuilder): AnyVariable =>
  variable.multi(true).includeAll(true).allValue('.+').current(allOption);

const jobs = (): AnyVariable => several(values('job', 'Job', 'label_values(assay_build_info, job)'));

const modelsQuery = 'label_values(assay_outcomes_total{job=~"$job"}, model)';

const models = (): AnyVariable => several(values('model', 'Model', modelsQuery));

const model = (): AnyVariable => values('model', 'Model', modelsQuery).multi(false).includeAll(false).current(noOption);

/** Windows of the recorded rates. */
const scoringWindow = (): AnyVariable =>
  new dashboard.CustomVariableBuilder('window')
    .label('Window (time of scoring)')
    .values(windows.join(','))
    .options(windows.map((window) => ({ selected: window === '1h', text: window, value: window })))
    .current({ selected: true, text: '1h', value: '1h' })
    .multi(false)
    .includeAll(false);

/** Windows of event time, as the service is configured. */
const eventWindow = (): AnyVariable =>
  values('window', 'Window (event time)', 'label_values(assay_window_predictions{job=~"$job"}, window)')
    .multi(false)
    .includeAll(false)
    .current({ selected: true, text: '1h', value: '1h' });

const built = (...variables: readonly AnyVariable[]): dashboard.VariableModel[] =>
  variables.map((variable) => variable.build());

const specs: readonly DashboardSpec[] = [
  {
    uid: dashboardIds.overview,
    title: 'Assay / Overview',
    description: 'Is any model or agent hallucinating more than it may, and how well does each decide?',
    variables: built(source(), jobs(), models(), scoringWindow()),
    rows: overviewRows,
  },
  {
    uid: dashboardIds.model,
    title: 'Assay / Model',
    description:
      'One model: what it decides, what it confuses, how its calls go wrong, and whether it decides the same again.',
    variables: built(source(), jobs(), model(), eventWindow()),
    rows: modelRows,
  },
  {
    uid: dashboardIds.pipeline,
    title: 'Assay / Pipeline',
    description: 'Does scoring keep up, is the truth there, and is the state safe?',
    variables: built(source(), jobs(), models(), eventWindow()),
    rows: pipelineRows,
  },
];

function dashboardOf({ uid, title, description, variables, rows }: DashboardSpec): dashboard.Dashboard {
  const builder = new dashboard.DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['assay'])
    .readonly()
    .tooltip(dashboard.DashboardCursorSync.Crosshair)
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .timezone('browser')
    .variables(variables.map((variable) => ({ build: () => variable })))
    .annotations([
      annotation('Alerts', 'red', 'ALERTS{alertname=~"Assay.+", alertstate="firing", job=~"$job"}', '{{alertname}}'),
      annotation('Starts', 'blue', 'changes(process_start_time_seconds{job=~"$job"}[2m]) > 0', '{{instance}} started'),
    ])
    .link(
      new dashboard.DashboardLinkBuilder('Assay')
        .type(dashboard.DashboardLinkType.Dashboards)
        .tags(['assay'])
        .asDropdown(true)
        .includeVars(true)
        .keepTime(true),
    );
  addRows(builder, rows);
  return builder.build();
}

/** Lays panels out from left to right, row by row of the grid; ids count up. */
function addRows(builder: dashboard.DashboardBuilder, rows: readonly RowSpec[]): void {
  let id = 0;
  let y = 0;
  for (const { title, panels } of rows) {
    builder.withRow(new dashboard.RowBuilder(title).id(++id).gridPos({ x: 0, y, w: 24, h: 1 }));
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of panels) {
      if (x + panel.width > 24) {
        y += height;
        x = 0;
        height = 0;
      }
      builder.withPanel(panelOf(panel, ++id, { x, y }));
      x += panel.width;
      height = Math.max(height, panel.height);
    }
    y += height;
  }
}

function annotation(name: string, color: string, expr: string, title: string): dashboard.AnnotationQueryBuilder {
  return new dashboard.AnnotationQueryBuilder()
    .name(name)
    .datasource(datasource)
    .enable(true)
    .hide(false)
    .iconColor(color)
    .expr(expr)
    .titleFormat(title)
    .target(new prometheus.DataqueryBuilder().datasource(datasource).refId('Anno').expr(expr));
}
