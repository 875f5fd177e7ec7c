import { join } from 'node:path';
import { type LocalLog, openLocalLog } from '../adapters/local-log/local-log.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/config.ts';
import { logInsideTopic } from '../config/log-inside.ts';
import { settingsOf } from '../config/settings.ts';
import type { Log } from '../ports.ts';

/** The log inside of a service. */
export interface LogInside extends LocalLog {
  /** Rejects when another process has taken its folder; never resolves. */
  readonly lost: Promise<never>;
}

/** Longest time by which a producer's clock is taken to be behind another's: its last runs wait for so long besides. */
const producerLagMs = 60_000;

export interface LogInsideOptions {
  readonly config: Config;
  /** Texts of outages; one more while the log cannot be written. */
  readonly outages: Set<string>;
  /** Time that passes without records is not written into a log that is read to its end alone: reading it again gives the same numbers. */
  readonly untilEnd: boolean;
  readonly log: Log;
}

/** Opens the log of a configuration under its `state.dir`. */
export async function openLogInside({ config, outages, untilEnd, log }: LogInsideOptions): Promise<LogInside> {
  const { ingest, runs, state, time } = config;
  const losing = new AbortController();
  const lost = new Promise<never>((_, reject) => {
    losing.signal.addEventListener('abort', () => reject(losing.signal.reason as Error));
  });
  lost.catch(() => undefined);
  const endsRuns = !untilEnd && settingsOf(config, undefined).runs.isRead;
  let shown = '';
  const local = await openLocalLog({
    folder: join(state.dir, 'log'),
    topic: logInsideTopic,
    partitions: ingest.partitions,
    keepMs: ingest.keep.ms,
    backlogBytes: ingest.backlog,
    quietMs: endsRuns ? runs.idle.ms + time.out_of_orderness.ms + producerLagMs : 0,
    ...{ log, clock: systemClock, onLost: (error: Error) => losing.abort(error) },
    onOutage(problem) {
      outages.delete(shown);
      shown = problem ?? '';
      if (problem !== undefined) outages.add(problem);
    },
  });
  return { ...local, lost };
}
