import { type ChooseGroups, type RecordCounts, recordNames, type View } from '../../view/summary.ts';
import { other } from '../../state/slices.ts';
import { type ExportedView, limitReached, type Telemetry } from '../../telemetry.ts';
import { chooseGroups } from './choose-groups.ts';
import { createModelMemory, exportedModels, type ModelMemory, modelMetrics, outcomesOf } from './model-counters.ts';
import type { PointPlan } from '../../view/metric-points.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { sectionOf } from './read-metric.ts';
import { serviceMetrics } from './service-metrics.ts';
import { metricsText, type MetricsFormat, type Section } from './text.ts';
import { viewSections } from './view-gauges.ts';
import { watchSections } from './watch-gauges.ts';

export interface MetricsOptions {
  /** Most series in the text (`limits.series`), those of the process included. */
  readonly series: number;
  /** Most groups of a set (`limits.groups_exported`). */
  readonly groups: number;
  /** The metrics that are shown of a group. */
  readonly plan: PointPlan;
}

/** The series of earlier metrics texts. */
export interface MetricsMemory {
  /** Counter series, and when they were shown first: seconds. */
  readonly shown: Map<string, number>;
  readonly models: ModelMemory;
  /** The groups of the last text, and the number of series left out of it. */
  groups: ReadonlySet<string>;
  dropped: number;
}

/** No text was made yet. */
export function createMetricsMemory(): MetricsMemory {
  return { shown: new Map(), models: createModelMemory(), groups: new Set(), dropped: 0 };
}

/** Renders the metrics in a format; `scraped`: for a collector of metrics, which sees new counters as 0 first. */
export type MetricsText = (format: MetricsFormat, scraped?: boolean) => Promise<string>;

/**
 * The metrics of this process, rendered at each call. Make one only: it keeps which counter series it has shown. `exported` reads the view with the groups that are chosen.
 */
export function createMetricsText(
  telemetry: Telemetry,
  exported: (choose: ChooseGroups) => ExportedView,
  options: MetricsOptions,
): MetricsText {
  const memory = createMetricsMemory();
  const processMetrics = createProcessMetrics();
  return async (format, scraped = true) => {
    const process = await processMetrics();
    const view = exported(groupChooser(telemetry, memory, options, process));
    return renderMetrics(telemetry, view, memory, options, { format, process, scraped, nowMs: Date.now() });
  };
}

/** Counts of events before any are known, such as those of a checkpoint that is being restored. */
const unknownRecords = {
  ...Object.fromEntries(recordNames.map((name) => [name, Number.NaN])),
  rejected: {},
} as unknown as RecordCounts;

/** Room for the gauges of windows' counts and for a topic or a limit that is new. */
const spareSeries = 100;

/** Chooses the groups of a text, and keeps them for the next. */
export function groupChooser(
  telemetry: Telemetry,
  memory: MetricsMemory,
  { series, groups, plan }: MetricsOptions,
  process: readonly Section[] = [],
): ChooseGroups {
  const state = { ...telemetry, records: unknownRecords, models: [], dropped: 0 };
  const sections = [...serviceMetrics.map((metric) => sectionOf(metric, state)), ...process];
  const room = series - spareSeries - allSeries(sections);
  return (candidates) => {
    const { keys, dropped } = chooseGroups(candidates, { series: room, groups, plan }, memory.groups);
    if (dropped > 0) limitReached(telemetry, 'series');
    Object.assign(memory, { groups: keys, dropped });
    return keys;
  };
}

/** The input of a metrics text besides the state. */
export interface Rendering {
  readonly format: MetricsFormat;
  /** Wall clock. */
  readonly nowMs: number;
  /** A collector of metrics reads it: a counter begins at 0 for it. Default: true. */
  readonly scraped?: boolean;
  /** Sections about the process, made elsewhere. */
  readonly process?: readonly Section[];
}

/**
 * Renders the text. The groups have been chosen so that they fit; where even those that must be there do not, whole metrics
 * are left out from the end.
 */
export function renderMetrics(
  telemetry: Telemetry,
  exported: ExportedView,
  memory: MetricsMemory,
  options: MetricsOptions,
  { format, nowMs, process = [], scraped = true }: Rendering,
): string {
  const { view } = exported;
  const own = ownModels(telemetry, view, memory, options.groups);
  const models = exportedModels(telemetry.models, memory.models, (model) => own.has(model));
  const records = view.records.read === 0 ? unknownRecords : view.records;
  const state = { ...telemetry, records, models, dropped: 0 };
  const [droppedMetric, ...metrics] = serviceMetrics;
  const sections = [
    ...metrics.map((metric) => sectionOf(metric, state)),
    ...process,
    ...modelMetrics.map((metric) => sectionOf(metric, state)),
    ...watchSections(view),
    ...viewSections(exported, options.plan),
  ];
  const { kept, dropped } = bounded(sections, options.series - 1);
  if (dropped > 0) limitReached(telemetry, 'series');
  const all = [sectionOf(droppedMetric!, { ...state, dropped: memory.dropped + dropped }), ...kept];
  return metricsText(all, { format, shown: scraped ? memory.shown : undefined, nowMs });
}

/**
 * The models with counters of their own: those that the view shows; and of those that it does not know, because nothing of them is scored or it has no
 * groups by model, as many as there may be besides.
 */
function ownModels({ models }: Telemetry, { groups }: View, memory: MetricsMemory, most: number): ReadonlySet<string> {
  const byModel = groups.filter(({ dimensions, window }) => window === 'all' && dimensions.join() === 'model');
  const own = new Set(byModel.map(({ values }) => values[0]!));
  const isFolded = own.delete(other);
  const wasOwn = (model: string): number => (memory.models.shown.has(model) ? 1 : 0);
  const waiting = [...models]
    .filter(([model]) => !own.has(model) && model !== other)
    .sort(([a, x], [b, y]) => wasOwn(b) - wasOwn(a) || outcomesOf(y) - outcomesOf(x) || (a < b ? -1 : 1));
  const left = isFolded ? 0 : Math.max(0, most - own.size);
  for (const [model] of waiting.slice(0, left)) own.add(model);
  return own;
}

const allSeries = (sections: readonly Section[]): number =>
  sections.reduce((total, section) => total + section.series.length, 0);

/** The longest run of sections from the first on that has at most `limit` series. */
function bounded(sections: readonly Section[], limit: number): { readonly kept: Section[]; readonly dropped: number } {
  const kept: Section[] = [];
  let series = 0;
  let dropped = 0;
  for (const section of sections) {
    const own = section.series.length;
    if (dropped === 0 && series + own <= limit) {
      kept.push(section);
      series += own;
    } else dropped += own;
  }
  return { kept, dropped };
}
