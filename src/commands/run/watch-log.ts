import { systemClock } from '../../adapters/system-clock.ts';
import { type PlainIncident, plainIncident } from '../../formats/summary/incident-document.ts';
import type { Log } from '../../ports.ts';
import { isSameIncident } from '../../statistics/watch-run.ts';
import { alarmsOf, type Incident, incidentsOf, isOpen } from '../../view/incidents.ts';
import type { ReadModel } from '../../service/read-model.ts';

/** Log lines of incidents: a warning when one begins, and a line when it ends, or fires again. */
export interface WatchLog {
  /** Looks now. */
  look(): void;
  /** Looks again and again until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const everyMs = 10_000;

/** Looks at the incidents of a read model. One that goes on at a start is logged again: the line before may have been missed. */
export function watchLog({ views, samples }: Pick<ReadModel, 'views' | 'samples'>, log: Log): WatchLog {
  let open = new Map<string, Incident>();
  const endedMs = new Map<string, number>();
  const look = (): void => {
    const { watches, asOfMs = Number.NaN } = views.watches();
    const incidents = incidentsOf(alarmsOf(watches)).filter(isOpen);
    const now = new Map(incidents.map((incident) => [keyOf(incident), incident]));
    for (const [key, ms] of endedMs) if (!isSameIncident(ms, asOfMs)) endedMs.delete(key);
    for (const [key, incident] of now) {
      if (open.has(key)) continue;
      const { text, ...line } = lineOf(plainIncident(incident, samples.latest));
      if (endedMs.has(key)) log.info(line, `an incident fires again: ${text}`);
      else log.warn(line, text);
    }
    for (const [key, incident] of open) {
      if (now.has(key)) continue;
      const { slice, since } = plainIncident(incident, samples.latest);
      log.info({ slice, since }, 'an incident has ended');
      endedMs.set(key, asOfMs);
    }
    open = now;
  };
  return {
    look,
    async run(signal) {
      while (!signal.aborted) {
        await systemClock.sleep(everyMs, signal);
        if (!signal.aborted) look();
      }
    },
  };
}

function lineOf({ slice, since, text, rates, due_to, also }: PlainIncident) {
  return {
    text,
    slice,
    since,
    rates: rates.map(({ watch, rate, before, baseline }) => ({ watch, rate, before, baseline })),
    causes: due_to.map((cause) => ({
      text: cause.text,
      share: cause.share,
      event: cause.event?.link ?? cause.event?.example_id,
    })),
    also: also.map((group) => group.slice),
  };
}

/** The first rate of an incident stays the first of it. */
function keyOf({ dimensions, values, first }: Incident): string {
  return JSON.stringify([dimensions, values, first]);
}
