import { systemClock } from '../../adapters/system-clock.ts';
import type { Log } from '../../ports.ts';
import type { Telemetry } from '../../telemetry.ts';
import { inputTexts } from '../../view/input-report.ts';

const lookEveryMs = 5_000;
const lineEveryMs = 60_000;

/** Warns of feedback that reached no event, once a minute at most, while there are records that no line has named. */
export async function watchFeedback({ truth }: Telemetry, log: Log, signal: AbortSignal): Promise<void> {
  const reported = new Set<string>();
  while (!signal.aborted) {
    await systemClock.sleep(lookEveryMs, signal);
    const { unmatched = new Map<string, string>() } = truth;
    for (const id of reported) if (!unmatched.has(id)) reported.delete(id);
    const fresh = [...unmatched].find(([id]) => !reported.has(id));
    if (fresh === undefined) continue;
    for (const id of unmatched.keys()) reported.add(id);
    const { what, remedy } = inputTexts.feedback_unmatched;
    log.warn({ records: unmatched.size, id: fresh[0], about: fresh[1] }, `${what}: ${unmatched.size}; ${remedy}`);
    await systemClock.sleep(lineEveryMs - lookEveryMs, signal);
  }
}
