import type { Steps } from '../../state/steps.ts';
import type { ExportedView, Telemetry } from '../../telemetry.ts';
import { createPageMemory } from './counter-sections.ts';
import { type PageOptions, renderMetrics } from './page.ts';
import { createProcessMetrics } from './process-metrics.ts';

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
