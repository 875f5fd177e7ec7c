import { fileCheckpoints } from '../../adapters/checkpoint-store/file-checkpoints.ts';
import { limitFileModes } from '../../adapters/files/file-mode.ts';
import type { KafkaSettings } from '../../adapters/kafka/kafka-client.ts';
import { missingTopics } from '../../adapters/kafka/missing-topics.ts';
import { createLog } from '../../adapters/log.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import type { Config } from '../../config/config.ts';
import { configHash } from '../../config/config-hash.ts';
import type { Log } from '../../ports.ts';
import { version } from '../../documents/context.ts';
import { kafkaConnection } from '../../service/kafka-connection.ts';
import { dropGroup } from './rebuild.ts';
import type { ScoringService } from '../../service/running-service.ts';
import { type BackgroundTasks, type RunOptions, scoreTopics } from './score-topics.ts';
import { serveService } from '../../service/serve.ts';
import { topicsOf } from '../../config/settings.ts';
import { showsContent } from '../../service/shows-content.ts';
import { serviceSnapshots } from '../../service/snapshots.ts';
import { snapshotStores, stateStore } from '../../service/state-store.ts';
import { summaryTable } from '../../terminal/summary-table.ts';
import { widthOf } from '../../terminal/terminal-text.ts';
import { scoreInThreads, threadsOf } from './threads/threads.ts';
import { watchLog } from './watch-log.ts';

/** The service: Kafka in; metrics, summary and dead letters out. Resolves with the exit status. */
export async function run(options: RunOptions): Promise<number> {
  const log = createLog({ ...options.config.log, version });
  const [stopping, ended] = [new AbortController(), new AbortController()];
  try {
    return await Promise.race([serve(options, log, stopping), givenUp(options, log, stopping, ended.signal)]);
  } finally {
    ended.abort();
  }
}

async function serve(options: RunOptions, log: Log, stopping: AbortController): Promise<number> {
  const { config } = options;
  const { group_id: group } = config.kafka;
  log.info({ config: configHash(config), group, topics: topicsOf(config) }, 'starting');
  limitFileModes(config.files.mode);
  const state = await stateStore(config);
  const stores = await snapshotStores(config);
  if (stores === undefined) log.info({}, 'snapshots.dir is not set: neither snapshots nor score rows are written');
  if (options.rebuild) await dropGroup(state, config, log);
  void warnOfTopics(config, kafkaConnection(config, log), stopping.signal);
  const begin = (service: ScoringService): Promise<BackgroundTasks> =>
    pagesAndFiles(options, service, stores?.snapshots, log);
  const threads = threadsOf(config);
  if (threads > 1) return scoreInThreads({ ...options, threads, log, stopping, begin });
  const checkpoints = fileCheckpoints(state, group, { log });
  return scoreTopics({
    ...options,
    log,
    stopping,
    checkpoints,
    snapshots: stores && { state, scores: stores.scores },
    begin,
  });
}

/** Pages, snapshots and the log of watches. */
async function pagesAndFiles(
  { config, untilEnd, signal }: RunOptions,
  service: ScoringService,
  store: Parameters<typeof serviceSnapshots>[2] | undefined,
  log: Log,
): Promise<BackgroundTasks> {
  const http = await serveService(service, config, log);
  log.info({ url: http.url }, 'serving');
  if (config.http.samples > 0 && !showsContent(config.http)) log.info({ host: config.http.host }, contentHidden);
  const [snapshots, watches] = [store && serviceSnapshots(service, config, store, log), watchLog(service, log)];
  return {
    async run(over) {
      await Promise.all([snapshots?.run(over), watches.run(over)]);
    },
    revoked: () => undefined,
    async beforeStop() {
      await watches.look();
      await snapshots?.writeLast();
      if (untilEnd && !signal.aborted)
        process.stdout.write(
          `${summaryTable(await service.document(), { all: false, width: widthOf(process.stdout) })}\n`,
        );
    },
    close: http.close,
  };
}

/** Every topic is looked for at once, also one that is only written or read later on. Not fatal: it may be created yet. */
async function warnOfTopics({ kafka }: Config, connection: KafkaSettings, signal: AbortSignal): Promise<void> {
  const others = (['dead_letter_topic', 'truth_topic'] as const).map((key) => ({ key, topic: kafka[key] }));
  const named = [...kafka.topics.map((topic) => ({ key: 'topics', topic })), ...others];
  const topics = named.flatMap(({ topic }) => topic ?? []);
  // What keeps us from asking keeps the service from reading, which says so.
  const missing = await missingTopics(connection, topics, signal).catch((): string[] => []);
  for (const { key, topic } of named)
    if (topic !== undefined && missing.includes(topic))
      connection.log.error({ topic }, `kafka.${key}: Kafka has no topic ${topic}: create it, or correct its name`);
}

const contentHidden =
  'arguments and outputs of events are hidden: http.host is no loopback address and nobody logs in there (http.web_config); http.show_content: true shows them';

/**
 * After `grace` a stop that hangs is given up, wherever it hangs: what a checkpoint holds is safe. Work under way is signalled, and has a
 * second to close. Resolves with the exit status.
 */
async function givenUp(
  { config: { grace }, signal }: RunOptions,
  log: Log,
  stopping: AbortController,
  ended: AbortSignal,
): Promise<number> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  log.info({ grace: grace.text }, 'stopping');
  await systemClock.sleep(grace.ms, ended);
  if (!ended.aborted)
    log.error({ grace: grace.text }, 'not stopped within the grace period; giving up what is under way');
  stopping.abort();
  await systemClock.sleep(1_000, ended);
  return 1;
}
