import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportedView, Telemetry } from '../../telemetry.ts';
import { createPageMemory } from './counter-sections.ts';
import { type PageOptions, renderMetrics } from './page.ts';
import { createProcessMetrics } from './process-metrics.ts';

/** The page of this process, rendered at each call. Make one only: it remembers which counter series it has shown. */
export function createMetricsPage(
  telemetry: Telemetry,
  exported: () => Promise<ExportedView>,
  options: PageOptions,
): () => Promise<string> {
  const memory = createPageMemory();
  const processMetrics = createProcessMetrics();
  return async () => {
    const process = await processMetrics();
    const shown = await exported();
    // With thousands of series each of the two takes as long as the loop should be held.
    await nextTurn();
    return renderMetrics(telemetry, shown, memory, options, process);
  };
}
