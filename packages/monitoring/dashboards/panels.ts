import * as bargauge from '@grafana/grafana-foundation-sdk/bargauge';
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import type { Column, PanelSpec, Thresholds } from './panel-spec.ts';

/** Every panel and query names this variable: one dashboard serves any Prometheus. */
export const datasource: common.DataSourceRef = { type: 'prometheus', uid: '$datasource' };

/** A Grafana panel. `id` must not change between versions: addresses of single panels hold it. */
export function panelOf(
  spec: PanelSpec,
  id: number,
  at: { readonly x: number; readonly y: number },
): Builder<dashboard.Panel> {
  const panel = builders[spec.type](spec);
  panel
    .id(id)
    .title(spec.title)
    .description(spec.description)
    .datasource(datasource)
    .unit(spec.unit)
    .thresholds(thresholdsOf(spec.thresholds))
    .targets(spec.queries.map((_, index) => queryOf(spec, index)))
    .gridPos({ x: at.x, y: at.y, w: spec.width, h: spec.height });
  if (spec.min !== undefined) panel.min(spec.min);
  if (spec.max !== undefined) panel.max(spec.max);
  if (spec.decimals !== undefined) panel.decimals(spec.decimals);
  if (spec.noValue !== undefined) panel.noValue(spec.noValue);
  return panel;
}

/** Letter of a query: A is the first. */
function letter(index: number): string {
  return String.fromCharCode(65 + index);
}

function queryOf({ type, queries }: PanelSpec, index: number): Builder<Dataquery> {
  const { expr, legend } = queries[index]!;
  const query = new prometheus.DataqueryBuilder().datasource(datasource).refId(letter(index)).expr(expr);
  if (legend !== undefined) query.legendFormat(legend);
  if (type === 'table') return query.instant().format(prometheus.PromQueryFormat.Table);
  if (type === 'heatmap') return query.range().format(prometheus.PromQueryFormat.Heatmap);
  return type === 'timeseries' || type === 'statetimeline' ? query.range() : query.instant();
}

function thresholdsOf(steps: Thresholds): Builder<dashboard.ThresholdsConfig> {
  return new dashboard.ThresholdsConfigBuilder()
    .mode(dashboard.ThresholdsMode.Absolute)
    .steps(steps.map(([value, color]) => ({ value, color })));
}

const byThresholds = (): Builder<dashboard.FieldColor> =>
  new dashboard.FieldColorBuilder().mode(dashboard.FieldColorModeId.Thresholds);

type AnyPanelBuilder =
  | bargauge.PanelBuilder
  | heatmap.PanelBuilder
  | stat.PanelBuilder
  | statetimeline.PanelBuilder
  | table.PanelBuilder
  | timeseries.PanelBuilder;

const builders: Readonly<Record<PanelSpec['type'], (spec: PanelSpec) => AnyPanelBuilder>> = {
  stat: () =>
    new stat.PanelBuilder()
      .colorScheme(byThresholds())
      .colorMode(common.BigValueColorMode.Background)
      .graphMode(common.BigValueGraphMode.None)
      .textMode(common.BigValueTextMode.Auto)
      .reduceOptions(lastValue()),
  bargauge: () =>
    new bargauge.PanelBuilder()
      .colorScheme(byThresholds())
      .displayMode(common.BarGaugeDisplayMode.Basic)
      .orientation(common.VizOrientation.Horizontal)
      .reduceOptions(lastValue()),
  heatmap: () => new heatmap.PanelBuilder().showLegend(),
  statetimeline: () =>
    new statetimeline.PanelBuilder()
      .colorScheme(byThresholds())
      .mergeValues(true)
      .showValue(common.VisibilityMode.Never)
      .spanNulls(true),
  timeseries: timeSeries,
  table: tableOf,
};

const lastValue = (): Builder<common.ReduceDataOptions> =>
  new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false);

/** Lines; a series named `budget …` is dashed. */
function timeSeries({ stacked }: PanelSpec): timeseries.PanelBuilder {
  const panel = new timeseries.PanelBuilder()
    .legend(
      new common.VizLegendOptionsBuilder()
        .displayMode(common.LegendDisplayMode.Table)
        .placement(common.LegendPlacement.Bottom)
        .calcs(['lastNotNull', 'max'])
        .showLegend(true),
    )
    .tooltip(
      new common.VizTooltipOptionsBuilder().mode(common.TooltipDisplayMode.Multi).sort(common.SortOrder.Descending),
    )
    .thresholdsStyle(new common.GraphThresholdsStyleConfigBuilder().mode(common.GraphThresholdsStyleMode.Off))
    .lineWidth(2)
    .fillOpacity(stacked === true ? 30 : 0)
    .showPoints(common.VisibilityMode.Never)
    .overrideByRegexp('^budget', [
      { id: 'custom.lineStyle', value: { fill: 'dash', dash: [10, 10] } },
      { id: 'custom.lineWidth', value: 1 },
    ]);
  if (stacked === true) panel.stacking(new common.StackingConfigBuilder().mode(common.StackingMode.Normal).group('A'));
  return panel;
}

function tableOf({ columns, matrix, sortBy, queries }: PanelSpec): table.PanelBuilder {
  const panel = new table.PanelBuilder().colorScheme(byThresholds()).filterable(false).showHeader(true);
  if (matrix !== undefined) {
    panel.colorScheme(new dashboard.FieldColorBuilder().mode(dashboard.FieldColorModeId.ContinuousBlues));
    panel.cellOptions(colouredBackground).withTransformation({
      id: 'groupingToMatrix',
      options: { rowField: matrix.rows, columnField: matrix.columns, valueField: 'Value', emptyValue: 'zero' },
    });
  }
  if (columns !== undefined) addColumns(panel, columns, queries.length);
  if (sortBy !== undefined) panel.sortBy([new common.TableSortByFieldStateBuilder().displayName(sortBy).desc(true)]);
  return panel;
}

const colouredBackground = {
  type: common.TableCellDisplayMode.ColorBackground,
  mode: common.TableCellBackgroundDisplayMode.Basic,
} as common.TableCellOptions;

/** One row for each combination of labels that the queries share; only the given columns are shown. */
function addColumns(panel: table.PanelBuilder, columns: readonly Column[], queries: number): void {
  const fieldOf = ({ from }: Column): string =>
    /^[A-Z]$/.test(from) ? (queries === 1 ? 'Value' : `Value #${from}`) : from;
  panel
    .withTransformation({ id: 'merge', options: {} })
    .withTransformation({ id: 'filterFieldsByName', options: { include: { names: columns.map(fieldOf) } } })
    .withTransformation({
      id: 'organize',
      options: {
        indexByName: Object.fromEntries(columns.map((column, index) => [fieldOf(column), index])),
        renameByName: Object.fromEntries(columns.map((column) => [fieldOf(column), column.title])),
      },
    });
  for (const { title, unit, thresholds } of columns) {
    const properties: dashboard.DynamicConfigValue[] = [];
    if (unit !== undefined) properties.push({ id: 'unit', value: unit });
    if (thresholds !== undefined) {
      properties.push(
        {
          id: 'thresholds',
          value: { mode: 'absolute', steps: thresholds.map(([value, color]) => ({ value, color })) },
        },
        { id: 'custom.cellOptions', value: colouredBackground },
      );
    }
    if (properties.length > 0) panel.overrideByName(title, properties);
  }
}
