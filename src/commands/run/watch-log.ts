import { systemClock } from '../../adapters/system-clock.ts';
import { plainWatch } from '../../formats/summary/watch-document.ts';
import type { Log } from '../../ports.ts';
import type { WatchReading } from '../../view/summary.ts';
import { isSameIncident } from '../../statistics/watch-run.ts';
import { watchKey } from '../../view/watch-alarms.ts';
import type { ReadModel } from '../../service/read-model.ts';

/** Log lines of watches: a warning when an incident begins, and a line when its alarm ends, or fires again. */
export interface WatchLog {
  /** Looks now. */
  look(): void;
  /** Looks again and again until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

const everyMs = 10_000;

/** Looks at the watches of a read model. One that fires at a start is logged again: the line before may have been missed. */
export function watchLog({ views, samples }: Pick<ReadModel, 'views' | 'samples'>, log: Log): WatchLog {
  let firing = new Map<string, WatchReading>();
  const endedMs = new Map<string, number>();
  const look = (): void => {
    const { watches, asOfMs = Number.NaN } = views.watches();
    const now = new Map(watches.filter((watch) => watch.firing).map((watch) => [watchKey(watch), watch]));
    for (const [key, ms] of endedMs) if (!isSameIncident(ms, asOfMs)) endedMs.delete(key);
    for (const [key, reading] of now) {
      if (firing.has(key)) continue;
      const { watch, slice, since, rate, before, baseline, causes } = plainWatch(reading, samples.latest);
      const why = causes.map(({ text, share, event }) => ({ text, share, event: event?.link ?? event?.example_id }));
      const line = { watch, slice, since, rate, before, baseline, causes: why };
      if (endedMs.has(key)) log.info(line, 'a watch fires again');
      else log.warn(line, 'a watch fires');
    }
    for (const [key, reading] of firing) {
      if (now.has(key)) continue;
      const { watch, slice, since } = plainWatch(reading, samples.latest);
      log.info({ watch, slice, since }, 'a watch has ended');
      endedMs.set(key, asOfMs);
    }
    firing = now;
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
