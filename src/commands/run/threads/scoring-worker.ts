import { parentPort, workerData } from 'node:worker_threads';
import { fileCheckpoints } from '../../../adapters/checkpoint-store/file-checkpoints.ts';
import { createLog } from '../../../adapters/log.ts';
import { systemClock } from '../../../adapters/system-clock.ts';
import { messageOf, UsageError } from '../../../errors.ts';
import type { CheckpointStore, TopicPartition } from '../../../ports.ts';
import { version } from '../../../documents/context.ts';
import type { ScoringService } from '../../../service/running-service.ts';
import { type BackgroundTasks, scoreTopics } from '../score-topics.ts';
import { snapshotStores, stateStore } from '../../../service/state-store.ts';
import type { ThreadMessage, ThreadOrder, ThreadRequest, ThreadReport } from './messages.ts';

/** A thread that scores: a member of the group, whose pages are served by its maker. */
const tellEveryMs = 1_000;
const port = parentPort!;
const { config, untilEnd, rebuild, thread } = workerData as ThreadRequest;
const [stop, stopping] = [new AbortController(), new AbortController()];
port.on('message', (order: ThreadOrder) => (order === 'stop' ? stop : stopping).abort());
try {
  tell({ kind: 'ended', status: await scoreInThread() });
} catch (error) {
  tell({ kind: 'failed', isUsage: error instanceof UsageError, message: messageOf(error) });
}
port.close();

function tell(message: ThreadMessage): void {
  port.postMessage(message);
}

async function scoreInThread(): Promise<number> {
  const log = createLog({ ...config.log, version, thread });
  const state = await stateStore(config);
  const stores = await snapshotStores(config);
  const store = fileCheckpoints(state, config.kafka.group_id, { log });
  return await scoreTopics({
    ...{ config, untilEnd, rebuild, log, stopping, begun: undefined, signal: stop.signal },
    checkpoints: { ...store, ...report(store) },
    snapshots: stores && { state, scores: stores.scores },
    begin: async (service) => beside(service),
  });
}

/** A store that tells of each checkpoint, when it was read or is durable. */
function report(store: CheckpointStore): Pick<CheckpointStore, 'load' | 'save'> {
  return {
    async load(partition) {
      const checkpoints = await store.load(partition);
      tell({ kind: 'restored', partition, checkpoints });
      return checkpoints;
    },
    async save(partition, checkpoint) {
      await store.save(partition, checkpoint);
      tell({ kind: 'saved', partition, checkpoint });
    },
  };
}

function beside(service: ScoringService): BackgroundTasks {
  const say = (): void => tell({ kind: 'report', report: reportedOf(service) });
  return {
    async run(over) {
      while (!over.aborted) {
        say();
        await systemClock.sleep(tellEveryMs, over);
      }
    },
    revoked: (partition: TopicPartition) => tell({ kind: 'revoked', partition }),
    beforeStop: async () => say(),
    close: async () => say(),
  };
}

function reportedOf({ telemetry, pipeline, samples, report: eventReports, readiness }: ScoringService): ThreadReport {
  return {
    telemetry,
    timeOrigin: performance.timeOrigin,
    idleMs: systemClock.monotonicMs() - pipeline.service.lastRecordMs,
    readiness: readiness(),
    failures: samples.all(),
    ofArguments: samples.ofArguments({}),
    wrongArguments: samples.wrongArguments(),
    suspects: eventReports().suspects,
  };
}
