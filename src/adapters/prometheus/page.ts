import type { Steps } from '../../state/steps.ts';
import { type ExportedView, limitReached, type Telemetry } from '../../telemetry.ts';
import { exportedModels, modelMetrics } from './model-counters.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { sectionOf } from './read-metric.ts';
import { serviceMetrics } from './service-metrics.ts';
import { pageText, type Section } from './text.ts';
import { viewSections } from './view-gauges.ts';
import { watchSections } from './watch-gauges.ts';

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
}

/** A page that has shown nothing yet. */
export function createPageMemory(): PageMemory {
  return { shown: new Set(), models: new Map() };
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
 * A page in text format 0.0.4, in steps; counters are read in the first. Where there are more than `options.series`, whole metrics (of window
 * gauges: whole families) are left out from the end; `assay_series_dropped` says how many series. `process` are sections about the process, made
 * elsewhere; `exported` is the view to show.
 */
export function* renderMetrics(
  telemetry: Telemetry,
  exported: ExportedView,
  memory: PageMemory,
  options: PageOptions,
  process: readonly Section[] = [],
): Steps<string> {
  const { records } = exported.view;
  const models = exportedModels(telemetry.models, memory.models, options.models);
  const state = { ...telemetry, records, models, dropped: 0 };
  const [droppedMetric, ...metrics] = serviceMetrics;
  const sections = [
    ...metrics.map((metric) => sectionOf(metric, state)),
    ...process,
    ...modelMetrics.map((metric) => sectionOf(metric, state)),
    ...(yield* watchSections(exported.view)),
    ...(yield* viewSections(exported)),
  ];
  const { kept, dropped } = bounded(sections, options.series - 1);
  if (dropped > 0) limitReached(telemetry, 'series');
  return yield* pageText([sectionOf(droppedMetric!, { ...state, dropped }), ...kept], memory.shown);
}

/** The longest run of sections from the first on that has at most `limit` series. */
function bounded(sections: readonly Section[], limit: number): { readonly kept: Section[]; readonly dropped: number } {
  const kept: Section[] = [];
  let series = 0;
  let dropped = 0;
  for (const section of sections) {
    if (dropped === 0 && series + section.series.length <= limit) {
      kept.push(section);
      series += section.series.length;
    } else dropped += section.series.length;
  }
  return { kept, dropped };
}
