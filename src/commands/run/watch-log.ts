import { systemClock } from '../../adapters/system-clock.ts';
import { plainIncident } from '../../formats/summary/incident-document.ts';
import type { Log } from '../../ports.ts';
import { alarmsOf, type Incident, incidentsOf, isOpen } from '../../view/incidents.ts';
import type { ScoringService } from '../../service/running-service.ts';

/** Log lines of incidents: one when it begins, one when it ends. */
export interface WatchLog {
  /** Looks now. */
  look(): Promise<void>;
  /** Looks again and again until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const everyMs = 10_000;

/** Looks at the incidents of a running service. One that goes on at a start is logged again: the line before may have been missed. */
export function watchLog({ live, samples }: Pick<ScoringService, 'live' | 'samples'>, log: Log): WatchLog {
  let open = new Map<string, Incident>();
  const look = async (): Promise<void> => {
    const { watches } = await live.watches();
    const incidents = incidentsOf(alarmsOf(watches)).filter(isOpen);
    const now = new Map(incidents.map((incident) => [keyOf(incident), incident]));
    for (const [key, incident] of now) {
      if (open.has(key)) continue;
      const { slice, since, text, rates, due_to, also } = plainIncident(incident, samples.latest);
      const worse = rates.map(({ watch, rate, before, baseline }) => ({ watch, rate, before, baseline }));
      const causes = due_to.map(({ event, ...cause }) => ({
        text: cause.text,
        share: cause.share,
        event: event?.link ?? event?.example_id,
      }));
      log.warn({ slice, since, rates: worse, causes, also: also.map((group) => group.slice) }, text);
    }
    for (const [key, incident] of open) {
      if (now.has(key)) continue;
      const { slice, since } = plainIncident(incident, samples.latest);
      log.info({ slice, since }, 'an incident has ended');
    }
    open = now;
  };
  return {
    look,
    async run(signal) {
      while (!signal.aborted) {
        await systemClock.sleep(everyMs, signal);
        if (!signal.aborted) await look();
      }
    },
  };
}

/** The first rate of an incident stays the first of it. */
function keyOf({ dimensions, values, first }: Incident): string {
  return JSON.stringify([dimensions, values, first]);
}
