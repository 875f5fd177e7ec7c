import * as bargauge from '@grafana/grafana-foundation-sdk/bargauge';
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import { type Column, neutral, type Panel, type Scale, type Steps } from './panel.ts';

/** Every panel and query names this variable: one dashboard serves any Prometheus. */
export const datasource: common.DataSourceRef = { type: 'prometheus', uid: '$datasource' };

/** A Grafana panel. `id` must not change between versions: addresses of single panels hold it. */
export function panelOf(title: string, spec: Panel, id: number, gridPos: dashboard.GridPos): AnyPanelBuilder {
  const { build, format, instant, limits } = kinds[spec.kind];
  const panel = build(spec);
  panel
    .id(id)
    .title(title)
    .description(spec.help)
    .datasource(datasource)
    .unit(spec.scale.unit)
    .thresholds(
      new dashboard.ThresholdsConfigBuilder().mode(dashboard.ThresholdsMode.Absolute).steps(stepsOf(spec.scale.steps)),
    )
    .targets(
      spec.queries.map(({ expr, legend }, index) => {
        const query = new prometheus.DataqueryBuilder().datasource(datasource).refId(letter(index)).expr(expr);
        if (legend !== undefined) query.legendFormat(legend);
        if (instant) query.instant();
        else query.range();
        return format === undefined ? query : query.format(format);
      }),
    )
    .gridPos(gridPos);
  const { min, max, decimals } = limits(spec.scale);
  if (min !== undefined) panel.min(min);
  if (max !== undefined) panel.max(max);
  if (decimals !== undefined) panel.decimals(decimals);
  return panel;
}

/** Letter of a query: A is the first. */
const letter = (index: number): string => String.fromCharCode(65 + index);

const stepsOf = (steps: Steps): dashboard.Threshold[] => steps.map(([value, color]) => ({ value, color }));

type AnyPanelBuilder =
  | bargauge.PanelBuilder
  | heatmap.PanelBuilder
  | stat.PanelBuilder
  | statetimeline.PanelBuilder
  | table.PanelBuilder
  | timeseries.PanelBuilder;

interface Kind {
  build(spec: Panel): AnyPanelBuilder;
  /** Shows the last values, not a course over time. */
  readonly instant: boolean;
  readonly format?: prometheus.PromQueryFormat;
  limits(scale: Scale): {
    readonly min?: number;
    readonly max?: number | undefined;
    readonly decimals?: number | undefined;
  };
}

const coloured = (mode: dashboard.FieldColorModeId): Builder<dashboard.FieldColor> =>
  new dashboard.FieldColorBuilder().mode(mode);
const byThresholds = (): Builder<dashboard.FieldColor> => coloured(dashboard.FieldColorModeId.Thresholds);

const lastValue = (): Builder<common.ReduceDataOptions> =>
  new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false);

const overTime: Pick<Kind, 'instant' | 'limits'> = {
  instant: false,
  limits: ({ max }) => (max === undefined ? { min: 0 } : { max }),
};
const inTable: Pick<Kind, 'instant' | 'format'> = { instant: true, format: prometheus.PromQueryFormat.Table };

const kinds: Readonly<Record<Panel['kind'], Kind>> = {
  stat: {
    build: () =>
      new stat.PanelBuilder()
        .colorScheme(byThresholds())
        .colorMode(common.BigValueColorMode.Background)
        .graphMode(common.BigValueGraphMode.None)
        .textMode(common.BigValueTextMode.Auto)
        .reduceOptions(lastValue()),
    instant: true,
    limits: ({ decimals }) => ({ decimals }),
  },
  bars: {
    build: () =>
      new bargauge.PanelBuilder()
        .colorScheme(byThresholds())
        .displayMode(common.BarGaugeDisplayMode.Basic)
        .orientation(common.VizOrientation.Horizontal)
        .reduceOptions(lastValue()),
    instant: true,
    limits: () => ({ min: 0, max: 1 }),
  },
  heatmap: {
    build: () => new heatmap.PanelBuilder().showLegend(),
    instant: false,
    format: prometheus.PromQueryFormat.Heatmap,
    limits: () => ({}),
  },
  states: {
    build: () =>
      new statetimeline.PanelBuilder()
        .colorScheme(byThresholds())
        .mergeValues(true)
        .showValue(common.VisibilityMode.Never)
        .spanNulls(true),
    instant: false,
    limits: ({ decimals }) => ({ decimals }),
  },
  lines: { build: () => lines(0), ...overTime },
  areas: {
    build: () => lines(30).stacking(new common.StackingConfigBuilder().mode(common.StackingMode.Normal).group('A')),
    ...overTime,
  },
  table: { build: tableOf, ...inTable, limits: () => ({}) },
  matrix: {
    build: () =>
      plainTable()
        .colorScheme(coloured(dashboard.FieldColorModeId.ContinuousBlues))
        .cellOptions(colouredBackground)
        .withTransformation({
          id: 'groupingToMatrix',
          options: { rowField: 'gold', columnField: 'predicted', valueField: 'Value', emptyValue: 'zero' },
        }),
    ...inTable,
    limits: ({ max, decimals }) => (max === undefined ? {} : { min: 0, max, decimals }),
  },
};

/** Lines; a series named `budget …` is dashed. */
function lines(fill: number): timeseries.PanelBuilder {
  return new timeseries.PanelBuilder()
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
    .fillOpacity(fill)
    .showPoints(common.VisibilityMode.Never)
    .overrideByRegexp('^budget', [
      { id: 'custom.lineStyle', value: { fill: 'dash', dash: [10, 10] } },
      { id: 'custom.lineWidth', value: 1 },
    ]);
}

const plainTable = (): table.PanelBuilder =>
  new table.PanelBuilder().colorScheme(byThresholds()).filterable(false).showHeader(true);

const colouredBackground = {
  type: common.TableCellDisplayMode.ColorBackground,
  mode: common.TableCellBackgroundDisplayMode.Basic,
} as common.TableCellOptions;

/** One row for each combination of labels that the queries share; only the given columns are shown. */
function tableOf({ columns = [], sortBy, queries }: Panel): table.PanelBuilder {
  const named = withFields(columns, queries.length);
  const panel = plainTable()
    .withTransformation({ id: 'merge', options: {} })
    .withTransformation({
      id: 'filterFieldsByName',
      options: { include: { names: named.map(({ field }) => field) } },
    })
    .withTransformation({
      id: 'organize',
      options: {
        indexByName: Object.fromEntries(named.map(({ field }, index) => [field, index])),
        renameByName: Object.fromEntries(named.map(({ field, title }) => [field, title])),
      },
    });
  for (const { title, scale } of columns) if (scale !== undefined) panel.overrideByName(title, propertiesOf(scale));
  if (sortBy !== undefined) panel.sortBy([new common.TableSortByFieldStateBuilder().displayName(sortBy).desc(true)]);
  return panel;
}

/** Columns with the names that Grafana gives them: a label, or the letter of the query. */
function withFields(columns: readonly Column[], queries: number): (Column & { readonly field: string })[] {
  let values = 0;
  return columns.map((column) => {
    const value = (): string => (queries === 1 ? 'Value' : `Value #${letter(values++)}`);
    return { ...column, field: column.label ?? value() };
  });
}

function propertiesOf({ unit, steps }: Scale): dashboard.DynamicConfigValue[] {
  if (steps === neutral) return [{ id: 'unit', value: unit }];
  return [
    { id: 'unit', value: unit },
    { id: 'thresholds', value: { mode: 'absolute', steps: stepsOf(steps) } },
    { id: 'custom.cellOptions', value: colouredBackground },
  ];
}
