import type { Steps } from '../../state/steps.ts';
import { type ExportedView, limitReached, type Telemetry } from '../../telemetry.ts';
import { modelSections, type PageMemory } from './counter-sections.ts';
import { gauge, serviceSections } from './service-sections.ts';
import { pageText, type Section } from './text.ts';
import { windowSections } from './window-sections.ts';

export interface PageOptions {
  /** Most series on a page (`limits.series`), those of the process included. */
  readonly series: number;
  /** Most models with counters of their own (`limits.groups_exported`). */
  readonly models: number;
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
  const sections = [
    ...serviceSections(telemetry, exported.view.records, memory.shown),
    ...process,
    ...modelSections(telemetry, memory, options.models),
    ...(yield* windowSections(exported, memory.texts)),
  ];
  const { kept, dropped } = bounded(sections, options.series - 1);
  if (dropped > 0) limitReached(telemetry, 'series');
  for (const { firstShown } of kept) for (const series of firstShown) memory.shown.add(series);
  return pageText([gauge('assay_series_dropped', [['', dropped]]), ...kept]);
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
