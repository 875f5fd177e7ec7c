import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import { windows } from '../settings.ts';
import { drillDown, pageLink } from './drill-down.ts';
import { datasource, panelOf } from './grafana.ts';
import { modelDashboard } from './model.ts';
import { overviewDashboard } from './overview.ts';
import type { DashboardSpec } from './panel.ts';
import { pipelineDashboard } from './pipeline.ts';

/** The dashboards, as Grafana imports them. */
export function dashboards(): dashboard.Dashboard[] {
  return [overviewDashboard, modelDashboard, pipelineDashboard].map(dashboardOf);
}

function dashboardOf(spec: DashboardSpec): dashboard.Dashboard {
  const builder = new dashboard.DashboardBuilder(spec.title)
    .uid(spec.uid)
    .description(spec.description)
    .tags(['assay'])
    .readonly()
    .tooltip(dashboard.DashboardCursorSync.Crosshair)
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .timezone('browser')
    .variables([
      source(),
      several(values('job', 'Job', 'assay_build_info')),
      modelOf(spec),
      ...(spec.withAgents ? [several(values('agent', 'Agent', 'assay_watch_firing{job=~"$job", slice="agent"}'))] : []),
      windowOf(spec),
      pageAddress(),
    ])
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
  addRows(builder, spec);
  return builder.build();
}

type Variable = { build(): dashboard.VariableModel };

const source = (): Variable =>
  new dashboard.DatasourceVariableBuilder('datasource').label('Data source').type('prometheus').current(noOption);

const noOption: dashboard.VariableOption = { text: '', value: '' };
const allOption: dashboard.VariableOption = { selected: true, text: ['All'], value: ['$__all'] };
const hour: dashboard.VariableOption = { selected: true, text: '1h', value: '1h' };

/** A variable with the values of a label, which has the variable's name. */
function values(name: string, label: string, series: string): dashboard.QueryVariableBuilder {
  const query = `label_values(${series}, ${name})`;
  return new dashboard.QueryVariableBuilder(name)
    .label(label)
    .datasource(datasource)
    .query({ query, refId: 'StandardVariableQuery' })
    .definition(query)
    .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
    .sort(dashboard.VariableSort.NaturalAsc);
}

const several = (variable: dashboard.QueryVariableBuilder): Variable =>
  variable.multi(true).includeAll(true).allValue('.+').current(allOption);

function modelOf({ model }: DashboardSpec): Variable {
  // What is summed as __other__ is no model: nothing watches it.
  const one = (): dashboard.QueryVariableBuilder =>
    values('model', 'Model', 'assay_outcomes_total{job=~"$job", model!="__other__"}');
  return model === 'several'
    ? several(values('model', 'Model', 'assay_outcomes_total{job=~"$job"}'))
    : one().multi(false).includeAll(false).current(noOption);
}

function windowOf({ window }: DashboardSpec): Variable {
  const variable =
    window === 'event'
      ? values('window', 'Window (event time)', 'assay_window_predictions{job=~"$job"}')
      : new dashboard.CustomVariableBuilder('window')
          .label('Window (time of scoring)')
          .values(windows.join(','))
          .options(windows.map((name) => ({ selected: name === hour.value, text: name, value: name })));
  return variable.multi(false).includeAll(false).current(hour);
}

/** Address of the web page, as the configuration has it. */
const pageAddress = (): Variable =>
  values('page', 'Page', 'assay_links_info{job=~"$job"}').hide(dashboard.VariableHide.HideVariable).current(noOption);

/** Lays panels out from left to right, row by row of the grid; ids count up. */
function addRows(builder: dashboard.DashboardBuilder, { rows, deeper, window }: DashboardSpec): void {
  let id = 0;
  let y = 0;
  for (const [title, { size, panels }] of Object.entries(rows)) {
    builder.withRow(new dashboard.RowBuilder(title).id(++id).gridPos({ x: 0, y, w: 24, h: 1 }));
    y += 1;
    let x = 0;
    let height = 0;
    for (const [title, panel] of Object.entries(panels)) {
      const [w, h] = panel.size ?? size;
      if (x + w > 24) {
        y += height;
        x = 0;
        height = 0;
      }
      builder.withPanel(
        panelOf(title, panel, ++id, { x, y, w, h }).dataLinks([drillDown(panel, deeper), pageLink(panel, window)]),
      );
      x += w;
      height = Math.max(height, h);
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
