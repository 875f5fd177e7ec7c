import { checkpointIdMs } from '../../adapters/checkpoint-store/file-checkpoints.ts';
import type { Check } from '../../adapters/http/routes.ts';
import { createLog } from '../../adapters/log.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import type { Config } from '../../config/config.ts';
import { serviceConfig } from '../../config/log-inside.ts';
import { messageOf } from '../../errors.ts';
import type { Log } from '../../ports.ts';
import { version } from '../../documents/context.ts';
import { type GroupReading, groupReading, readGroup } from '../../service/group-states.ts';
import { createReadModel, type ReadModel } from '../../service/read-model.ts';
import { serveModel } from '../../service/serve.ts';
import { stateToRead } from '../../service/state-store.ts';
import { watermarkOf } from '../../state/event-time.ts';
import { partitionGauges } from '../../telemetry.ts';

export interface ViewGroupOptions {
  readonly config: Config;
  readonly signal: AbortSignal;
}

/**
 * `assay view`: page, summary and metrics of all partitions of a group, from their newest checkpoints. It joins no group and writes nothing, so any number
 * may look. Resolves with the exit status.
 */
export async function viewGroup({ config: given, signal }: ViewGroupOptions): Promise<number> {
  const config = serviceConfig(given);
  const log = createLog({ ...config.log, version });
  const problems = new Set<string>();
  const readiness = ({ states }: ReadModel): readonly Check[] => [
    {
      name: 'checkpoints',
      ok: problems.size === 0 && states.size > 0,
      detail: problems.size > 0 ? [...problems].join('; ') : `${states.size} partitions read`,
    },
  ];
  const model = createReadModel({ config, writesSnapshots: false, readiness });
  const reading = groupReading(config, await stateToRead(config));
  await look(reading, model, problems, log);
  const http = await serveModel(model, log);
  log.info({ url: http.url }, 'serving');
  const { ms } = config.state.checkpoint_every;
  for (;;) {
    await systemClock.sleep(ms, signal);
    if (signal.aborted) break;
    await look(reading, model, problems, log);
  }
  await http.close();
  return 0;
}

/** Reads what is new; what keeps any from being read is logged once, and left in `problems`. */
async function look(reading: GroupReading, model: ReadModel, problems: Set<string>, log: Log): Promise<void> {
  const found = await readGroup(reading, model.states).catch((error: unknown) => [messageOf(error)]);
  for (const problem of found) if (!problems.has(problem)) log.error({ problem }, 'a checkpoint cannot be read');
  problems.clear();
  for (const problem of found) problems.add(problem);
  showStates(model);
}

/** Sets the gauges that scorers report elsewhere. */
function showStates({ states, telemetry: { partitions, checkpoints, truth }, telemetry }: ReadModel): void {
  partitions.clear();
  for (const { partition, state, checkpoint } of states.values()) {
    Object.assign(partitionGauges(telemetry, partition), {
      position: state.numbers.nextOffset,
      watermarkMs: watermarkOf(state),
    });
    const atMs = checkpointIdMs(checkpoint);
    if (atMs < (checkpoints.lastSuccessMs || 0)) continue;
    checkpoints.lastSuccessMs = atMs;
    const { version: used, rows } = state.activations.at(-1) ?? { version: undefined, rows: 0 };
    Object.assign(truth, { version: used, rows });
  }
}
