import { join } from 'node:path';
import { fileCheckpoints, newCheckpointId } from '../../adapters/checkpoint-store/file-checkpoints.ts';
import { type Check, checksRoute } from '../../adapters/http/routes.ts';
import { serveHttp } from '../../adapters/http/server.ts';
import type { Judge } from '../../adapters/judge/judge.ts';
import type { KafkaSettings } from '../../adapters/kafka/kafka-client.ts';
import { kafkaJudgements } from '../../adapters/kafka/kafka-judgements.ts';
import { kafkaSource } from '../../adapters/kafka/kafka-source.ts';
import { createLog } from '../../adapters/log.ts';
import { makeFolder } from '../../adapters/object-store/make-folder.ts';
import { isBucket } from '../../adapters/object-store/object-store.ts';
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import type { Consumer, DeadLetters, Log } from '../../ports.ts';
import { version } from '../../documents/context.ts';
import { followTruth } from '../../service/follow-truth.ts';
import { checkpointEvery } from '../../service/checkpoint-timer.ts';
import { kafkaConnection } from '../../service/kafka-connection.ts';
import { kafkaTruth } from '../../service/kafka-truth.ts';
import { createScorer, type Scorer } from '../../service/scorer.ts';
import { deepOf, tagsOf } from '../../config/settings.ts';
import { stateStore } from '../../service/state-store.ts';
import { type AnswerFile, answerFile } from './answer-file.ts';
import { chooser } from './chosen.ts';
import { judgeMetrics } from './judge-metrics.ts';
import { type JudgeSink, judgeSink } from './judge-sink.ts';
import { judgesOf } from './judges.ts';
import { createJudging, judgesFor } from './judging.ts';
import { type JudgeProgress, judgeProgress } from './progress.ts';

export interface JudgeServiceOptions {
  readonly config: Config;
  /** Stop at the ends that the topics have at start. */
  readonly untilEnd: boolean;
  readonly signal: AbortSignal;
}

/** Chosen predictions held for each question that may be under way. */
const heldEach = 8;
const logEveryMs = 60_000;

/**
 * `assay judge` beside the service: the service's own engine in a group of its own, whose chosen predictions are judged, and the judgements written to
 * `kafka.judgements_topic`. Resolves with the exit status.
 */
export async function judgeService({ config: given, untilEnd, signal }: JudgeServiceOptions): Promise<number> {
  const judged = given.kafka.judgements_topic;
  if (judged === undefined)
    throw new UsageError('judge: kafka.judgements_topic is not set; name the topic of judgements');
  const config = ownConfig(given);
  const log = createLog({ ...config.log, version });
  const store = await stateStore(config);
  const stopping = new AbortController();
  const checkpoints = fileCheckpoints(store, config.kafka.group_id, { log });
  const answers = await answerFile(await answersPath(given));
  const progress = judgeProgress({ write: () => undefined });
  const judges = await judgesOf({
    config,
    log,
    signal,
    spentToday: answers.spentToday,
    onHindered: hindering(progress, log),
  });
  const outages = new Set<string>();
  const connection = kafkaConnection(config, log, outages);
  const judgements = kafkaJudgements({ ...connection, topic: judged, signal: stopping.signal });
  const sink = sinkOf({ config, judges, answers, progress, signal }, judgements);
  const source = sourceOf(config, connection, { untilEnd, signal });
  const scorer = createScorer({
    ...{ config, source, checkpoints, outages, log, newId: newCheckpointId, deep: await deepOf(config), scores: sink },
    ...{ deadLetters: noDeadLetters, rebuild: false, snapshots: undefined, signal: stopping.signal },
  });
  const http = await serve(config, scorer, progress, sink, log);
  log.info({ url: http.url }, 'serving');
  const truthSignal = AbortSignal.any([signal, stopping.signal]);
  const topic = kafkaTruth(config, { log, outages, signal: truthSignal });
  const truth = followTruth({ config, topic, scorer, log, begun: undefined, signal: truthSignal });
  const timer = setInterval(() => log.info(standing(progress, sink), 'judging'), logEveryMs);
  try {
    if (!(await Promise.race([truth.ready, truth.failed]))) return 0;
    await Promise.race([consume({ config, scorer, source, sink, stopping, signal }), truth.failed]);
    log.info(standing(progress, sink), signal.aborted ? 'stopped' : 'reached the ends of the topics');
    return 0;
  } finally {
    clearInterval(timer);
    progress.end();
    stopping.abort();
    await truth.ended;
    await judgements.close();
    await checkpoints.close();
    await answers.close();
    await http.close();
  }
}

function sourceOf(
  config: Config,
  connection: KafkaSettings,
  until: { readonly untilEnd: boolean; readonly signal: AbortSignal },
) {
  const { group_id: groupId, topics, session_timeout } = config.kafka;
  return kafkaSource({
    ...{ ...connection, groupId, topics, ...until },
    sessionTimeoutMs: session_timeout.ms,
    batchBytes: config.limits.batch_bytes,
  });
}

/** A group of its own, whose checkpoints lie where no summary of the service looks, and which shows nothing of the service. */
function ownConfig(config: Config): Config {
  const { kafka, state, http } = config;
  return {
    ...config,
    kafka: { ...kafka, group_id: `${kafka.group_id}-judge`, judgements_topic: undefined, feedback_topic: undefined },
    state: { ...state, dir: `${state.dir}/judge` },
    http: { ...http, samples: 0, port: http.port === 0 ? 0 : http.port + 1 },
  };
}

/** Answers are kept on this machine. */
async function answersPath({ kafka, state }: Config): Promise<string> {
  const folder = isBucket(state.dir) ? state.cache : state.dir;
  if (folder === undefined)
    throw new UsageError('judge: state.dir is a bucket: name a folder for the answers of judges (state.cache)');
  await makeFolder(join(folder, 'judge'));
  return join(folder, 'judge', `${encodeURIComponent(kafka.group_id)}-answers.ndjson`);
}

interface SinkParts {
  readonly config: Config;
  readonly judges: readonly Judge[];
  readonly answers: AnswerFile;
  readonly progress: JudgeProgress;
  readonly signal: AbortSignal;
}

function sinkOf(
  { config, judges, answers, progress, signal }: SinkParts,
  judgements: ReturnType<typeof kafkaJudgements>,
): JudgeSink {
  // What was answered may not have reached the topic: it is written again, under its id.
  const known = { ...answers, has: () => false };
  return judgeSink({
    choose: chooser(config.judge.sample, tagsOf(config.slices)),
    judging: createJudging({ judges, answers: known, signal, progress }),
    judges: (chosen) => judgesFor(judges, chosen).length,
    produce: ({ partition }, { fields }, records) =>
      judgements.write(partition, fields.example_id, records.map(jsonText)),
    most: heldEach * judges.reduce((sum, { concurrency }) => sum + concurrency, 0),
  });
}

/** The service writes the dead letters of the predictions. */
const noDeadLetters: DeadLetters = { write: async () => undefined, close: async () => undefined };

function hindering({ hindered }: JudgeProgress, log: Log) {
  return (what: string, name: string, problem: string | undefined): void => {
    const key = `${what} ${name}`;
    if (problem === undefined) hindered.delete(key);
    else hindered.set(key, problem);
    if (what === 'budget') log.warn({ judge: name }, problem === undefined ? 'the budget of a new day' : problem);
  };
}

function standing({ judged, failed, usd }: JudgeProgress, sink: JudgeSink): object {
  return { judged, failed, usd, waiting: sink.waiting() };
}

function serve(config: Config, scorer: Scorer, progress: JudgeProgress, sink: JudgeSink, log: Log) {
  const { host, port } = config.http;
  const hinders = (what: string): Check => {
    const problems = [...progress.hindered].filter(([name]) => name.startsWith(what)).map(([, problem]) => problem);
    return { name: what, ok: problems.length === 0, detail: problems.join('; ') || 'none is in the way' };
  };
  return serveHttp({
    ...{ host, port, allowedHosts: undefined },
    onError: (error: unknown) => log.error({ err: error }, 'a request failed'),
    routes: [
      judgeMetrics(progress, sink.waiting),
      checksRoute('/livez', () => []),
      checksRoute('/readyz', () => [...scorer.readiness(), hinders('budget'), hinders('endpoint')]),
    ],
  });
}

interface Consuming {
  readonly config: Config;
  readonly scorer: Scorer;
  readonly source: { run(consumer: Consumer): Promise<void> };
  readonly sink: JudgeSink;
  readonly stopping: AbortController;
  readonly signal: AbortSignal;
}

/** Runs the source, with checkpoints behind what was judged. */
async function consume({ config, scorer, source, sink, stopping, signal }: Consuming): Promise<void> {
  const { pipeline } = scorer;
  const done = new AbortController();
  const over = AbortSignal.any([signal, done.signal]);
  const consumer: Consumer = {
    ...pipeline.consumer,
    // A rebalance does not wait for answers: what has none is asked for by the next owner.
    save: async () => {
      if (sink.waiting() === 0) await pipeline.consumer.save();
    },
    async beforeStop() {
      if (!signal.aborted) return await pipeline.consumer.beforeStop();
      await sink.settled();
      // What was not asked any more lies behind the last checkpoint, and comes again.
      if (sink.waiting() === 0) await pipeline.consumer.beforeStop();
      else stopping.abort();
    },
  };
  const timers = checkpointEvery(config.state.checkpoint_every.ms, pipeline, over);
  try {
    await Promise.race([source.run(consumer), timers.then(() => new Promise<never>(() => undefined))]);
  } catch (error) {
    // A checkpoint that waits for answers is given up with them.
    if (!signal.aborted) throw error;
  } finally {
    done.abort();
    stopping.abort();
    await timers.catch(() => undefined);
  }
}
