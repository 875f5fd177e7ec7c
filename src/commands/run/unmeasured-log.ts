import type { Check } from '../../adapters/http/routes.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { rateOf, settingsOf } from '../../config/settings.ts';
import type { Log } from '../../ports.ts';
import type { ReadModel } from '../../service/read-model.ts';
import type { Telemetry } from '../../telemetry.ts';
import { unmeasuredEvents } from '../../view/unmeasured.ts';

const everyMs = 5_000;
const remedy =
  'their truth rows have no field that a configured family reads: look at a row with assay truth inspect, name its keys in truth.fields, or turn on the family that scores it (metrics)';

/** Looks again and again until the signal aborts whether scored events have any number: a warning when none has, and a line when they do again. */
export async function watchUnmeasured(model: ReadModel, log: Log, signal: AbortSignal): Promise<void> {
  const { config, states, telemetry } = model;
  const settings = settingsOf(config, undefined);
  while (!signal.aborted) {
    await systemClock.sleep(everyMs, signal);
    const before = telemetry.unmeasured;
    telemetry.unmeasured = unmeasuredEvents(
      [...states.values()].map(({ state }) => state),
      settings,
      rateOf(config),
    );
    if (telemetry.unmeasured > 0 && before === 0)
      log.warn(
        { events: telemetry.unmeasured },
        `events are scored, but no metric that needs truth has a value: ${remedy}`,
      );
    else if (telemetry.unmeasured === 0 && before > 0) log.info({}, 'metrics of truth have values');
  }
}

/** Readiness says it, and stays: a restart would change nothing. */
export function measuredCheck({ unmeasured }: Telemetry): Check {
  return {
    name: 'metrics',
    ok: true,
    detail: unmeasured === 0 ? 'have values' : `none of truth has a value over ${unmeasured} scored events; ${remedy}`,
  };
}
