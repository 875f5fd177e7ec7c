import type { Check } from '../../adapters/http/routes.ts';
import { createLog } from '../../adapters/log.ts';
import { memoryLog } from '../../adapters/memory-log.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import type { Config } from '../../config/config.ts';
import { shapingByKey } from '../../config/config-hash.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../ports.ts';
import { version } from '../../documents/context.ts';
import { type GroupReading, type GroupStates, readGroup } from '../../service/group-states.ts';
import { keepsNothing } from '../../service/keeps-nothing.ts';
import type { ScoringService } from '../../service/running-service.ts';
import { createScoringService } from '../../service/scoring-service.ts';
import { serveService } from '../../service/serve.ts';
import { hidePartition, showPartition } from '../../service/shown-partitions.ts';
import { deepOf, readersOf, settingsOf, topicsOf } from '../../config/settings.ts';
import { stateToRead } from '../../service/state-store.ts';

export interface ViewGroupOptions {
  readonly config: Config;
  readonly signal: AbortSignal;
}

/**
 * `assay view`: page, summary and metrics of all partitions of a group, from their newest checkpoints. It joins no group and writes nothing, so any number
 * may look. Resolves with the exit status.
 */
export async function viewGroup({ config, signal }: ViewGroupOptions): Promise<number> {
  const log = createLog({ ...config.log, version });
  const scoring = createScoringService({
    ...{ config, source: memoryLog('', 0), log, deep: await deepOf(config), signal },
    ...keepsNothing,
  });
  const look = await lookerOf(config, scoring, log);
  await look.now();
  const http = await serveService({ ...scoring, readiness: look.readiness }, config, log);
  log.info({ url: http.url }, 'serving');
  const { ms } = config.state.checkpoint_every;
  for (;;) {
    await systemClock.sleep(ms, signal);
    if (signal.aborted) break;
    await look.now();
  }
  await http.close();
  return 0;
}

interface Looker {
  /** Reads what is new. */
  now(): Promise<void>;
  readiness(): readonly Check[];
}

async function lookerOf(config: Config, scoring: ScoringService, log: Log): Promise<Looker> {
  const reading: GroupReading = {
    store: await stateToRead(config),
    group: config.kafka.group_id,
    topics: topicsOf(config),
    settings: settingsOf(config, undefined),
    shaping: shapingByKey(config),
    clock: systemClock,
  };
  const readerOfTopic = readersOf(config);
  const states: GroupStates = new Map();
  let problems: readonly string[] = [];
  return {
    async now() {
      const read = readGroup(reading, states, (saved) => showPartition(scoring, saved, readerOfTopic));
      const found = await read.catch((error: unknown) => [messageOf(error)]);
      for (const problem of found)
        if (!problems.includes(problem)) log.error({ problem }, 'a checkpoint cannot be read');
      problems = found;
      for (const name of scoring.pipeline.service.tasks.keys()) if (!states.has(name)) hidePartition(scoring, name);
    },
    readiness: () => [
      {
        name: 'checkpoints',
        ok: problems.length === 0 && states.size > 0,
        detail: problems.length > 0 ? problems.join('; ') : `${states.size} partitions read`,
      },
    ],
  };
}
