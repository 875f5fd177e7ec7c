import type { Steps } from '../../state/steps.ts';
import { type ExportedView, limitReached, type Telemetry } from '../../telemetry.ts';
import { modelSections } from './model-counters.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { serviceMetrics, serviceSection } from './service-metrics.ts';
import { pageText, type Section } from './text.ts';
import { type PointLabels, viewSections } from './view-gauges.ts';

export interface PageOptions {
  /** Most series on a page (`limits.series`), those of the process included. */
  readonly series: number;
  /** Most models with counters of their own (`limits.groups_exported`). */
  readonly models: number;
}

/** What earlier pages have shown. */
export interface PageMemory {
  /** Counter series. */
  readonly shown: Set<string>;
  /** Model to the name that its counters are exported under: its own or `__other__`. */
  readonly models: Map<string, string>;
  readonly labels: PointLabels;
}

/** A page that has shown nothing yet. */
export function createPageMemory(): PageMemory {
  return { shown: new Set(), models: new Map(), labels: new Map() };
}

/**
 * The page of this process, rendered at each call, as `inSlices` does steps. Make one only: it remembers which counter series it has
 * shown.
 */
export function createMetricsPage(
  telemetry: Telemetry,
  exported: () => Promise<ExportedView>,
  options: PageOptions,
  inSlices: (steps: Steps<string>) => Promise<string>,
): () => Promise<string> {
  const memory = createPageMemory();
  const processMetrics = createProcessMetrics();
  return async () => {
    const process = await processMetrics();
    return inSlices(renderMetrics(telemetry, await exported(), memory, options, process));
  };
}

/**
 * A page in text format 0.0.4, in steps; counters are read in the first. A counter series shows 0 in the first page that has it.
 * Where there are more than `options.series`, whole metrics (of window gauges: whole families) are left out from the end;
 * `assay_series_dropped` says how many series. `process` are sections about the process, made elsewhere; `exported` is the view to show.
 */
export function* renderMetrics(
  telemetry: Telemetry,
  exported: ExportedView,
  memory: PageMemory,
  options: PageOptions,
  process: readonly Section[] = [],
): Steps<string> {
  const { shown, models, labels } = memory;
  const state = { ...telemetry, records: exported.view.records };
  const [droppedMetric, ...metrics] = serviceMetrics;
  const sections = [
    ...metrics.map((metric) => serviceSection(metric, { ...state, dropped: 0 }, shown)),
    ...process,
    ...modelSections(telemetry, models, shown, options.models),
    ...(yield* viewSections(exported, labels)),
  ];
  const { kept, dropped } = bounded(sections, options.series - 1);
  if (dropped > 0) limitReached(telemetry, 'series');
  for (const { firstShown } of kept) for (const series of firstShown) shown.add(series);
  return pageText([serviceSection(droppedMetric!, { ...state, dropped }, shown), ...kept]);
}

/** The longest run of sections from the first on that has at most `limit` series. */
function bounded(sections: readonly Section[], limit: number): { readonly kept: Section[]; readonly dropped: number } {
  const kept: Section[] = [];
  let series = 0;
  let dropped = 0;
  for (const section of sections) {
    if (dropped === 0 && series + section.lines.length <= limit) {
      kept.push(section);
      series += section.lines.length;
    } else dropped += section.lines.length;
  }
  return { kept, dropped };
}
