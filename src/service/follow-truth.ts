import { systemClock } from '../adapters/system-clock.ts';
import type { LoadedTruth } from '../adapters/truth-files/truth-thread.ts';
import { truthVersions } from '../adapters/truth-files/truth-versions.ts';
import { TruthTimeout } from '../formats/truth/error.ts';
import { truthOfRow } from '../formats/truth/topic.ts';
import type { Config } from '../config/config.ts';
import type { FindingCounts, TruthTable } from '../scoring/truth.ts';
import { emptyBook, type Feedback, type FeedbackBook } from '../stream/feedback-book.ts';
import { emptyOverlay, noTruth, overlaid, type TruthOverlay, withoutTruth } from '../stream/truth-overlay.ts';
import { type TruthTopic, truthTopic, type TruthTopicOptions } from '../pipeline/truth-topic.ts';
import type { Log } from '../ports.ts';
import { limitReached } from '../telemetry.ts';
import type { Scorer } from './scorer.ts';
import { findingsText, truthLoading } from './truth-loading.ts';

export interface FollowTruthOptions {
  readonly config: Config;
  /** The topics of truth rows and of feedback, read whole; undefined where there are none. */
  readonly topic: TruthSource | undefined;
  readonly scorer: Scorer;
  readonly log: Log;
  /** The first version of the files, where its reading has begun. */
  readonly begun: LoadedTruth | undefined;
  /** Aborting it ends the following. */
  readonly signal: AbortSignal;
}

/** A source of truth rows and feedback. */
export interface TruthSource extends Pick<TruthTopicOptions, 'topics' | 'feedbackTopic' | 'source'> {
  /** It holds rows of truth: events wait for them. */
  readonly hasTruth: boolean;
}

/** The truth of a scorer, kept up to date: versions of the files, and the rows of the topic over them. */
export interface FollowedTruth {
  /** True if there is truth to score against: false where it ended before. */
  readonly ready: Promise<boolean>;
  /** Rejects with what no retry can heal; never resolves. */
  readonly failed: Promise<never>;
  /** Resolves when the signal was aborted and all is closed. */
  readonly ended: Promise<void>;
}

/** New rows of the topic come into use so often at most, and take a tenth of the time at most. */
const publishMs = 1_000;
const restShare = 9;

/** Loads and follows the truth, and puts each version in use. */
export function followTruth(options: FollowTruthOptions): FollowedTruth {
  const { config, signal } = options;
  const { truth } = config;
  const came: Feedback[] = [];
  const topic = options.topic === undefined ? undefined : readTopic(options, options.topic, came);
  const followed: Followed = {
    table: truth.paths.length > 0 ? undefined : options.topic?.hasTruth === true ? noTruth : withoutTruth,
    topic: topic?.read,
    came,
    used: undefined,
    isReady: () => undefined,
  };
  const ready = new Promise<boolean>((resolve) => {
    followed.isReady = () => resolve(true);
    signal.addEventListener('abort', () => resolve(false));
    if (signal.aborted) resolve(false);
  });
  const following = [truth.paths.length === 0 ? undefined : followFiles(options, followed)];
  if (topic !== undefined)
    following.push(topic.run(), publishRows(options, followed, topic.read), nameTransactions(options, topic.read));
  if (followed.table === withoutTruth) following.push(withNone(options, followed));
  const ended = Promise.all(following).then(() => undefined);
  const failed = ended.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  return { ready, failed, ended: ended.catch(() => undefined) };
}

interface Followed {
  /** The version of the files; undefined before the first. */
  table: TruthTable | undefined;
  readonly topic: TruthTopic | undefined;
  /** Feedback that came since the start, and that no version in use was settled with. */
  readonly came: Feedback[];
  /** The rows of the topic, and the feedback, that are in use. */
  used: { readonly rows: TruthOverlay; readonly feedback: FeedbackBook } | undefined;
  isReady: () => void;
}

/** Puts the newest truth in use, where all parts of it are there. */
function publish(scorer: Scorer, followed: Followed): void {
  const { table, topic } = followed;
  if (table === undefined) return;
  if (topic !== undefined && !topic.isRead()) {
    scorer.truthProblem(topic.progress());
    return;
  }
  const used = { rows: topic?.rows() ?? emptyOverlay, feedback: topic?.feedback() ?? emptyBook };
  followed.used = used;
  scorer.useTruth(overlaid(table, used.rows, truthOfRow), used.feedback);
  followed.isReady();
}

/** Puts no truth in use: what needs none is counted. */
async function withNone({ scorer, log, signal }: FollowTruthOptions, followed: Followed): Promise<void> {
  log.warn({}, 'no truth is configured: only what needs none is counted (family tool_use)');
  publish(scorer, followed);
  if (!signal.aborted) await new Promise((resolve) => void signal.addEventListener('abort', resolve));
}

async function followFiles(options: FollowTruthOptions, followed: Followed): Promise<void> {
  const { config, scorer, log, begun, signal } = options;
  const onRefused = (error: Error): void => {
    const { message } = error;
    scorer.telemetry.live.truthReloadFailures++;
    if (error instanceof TruthTimeout) limitReached(scorer.telemetry, 'truth_load');
    if (followed.table === undefined) scorer.truthProblem(message);
    log.error({}, followed.table === undefined ? `no truth yet: ${message}` : `the truth in use stays: ${message}`);
  };
  const { paths, watch } = config.truth;
  for await (const table of truthVersions({ paths, watch, ...truthLoading(config), onRefused, begun, signal })) {
    followed.table = table;
    log.info({ truth: table.version, rows: table.rows }, 'truth loaded');
    void table.findings.then(
      (findings) => followed.table === table && findings !== undefined && noteFindings(options, findings),
      // Scoring does not depend on it.
      (error: Error) => log.error({}, `contradictions in the truth were not counted: ${error.message}`),
    );
    publish(scorer, followed);
  }
}

function noteFindings({ scorer, log }: FollowTruthOptions, findings: FindingCounts): void {
  scorer.telemetry.truth.findings = findings;
  const found = findingsText(findings);
  if (found !== '') log.warn({ findings }, `the truth contradicts itself: ${found}`);
}

function readTopic(
  { config, scorer, log, signal }: FollowTruthOptions,
  { topics, feedbackTopic, source }: TruthSource,
  came: Feedback[],
): { readonly read: TruthTopic; run(): Promise<void> } {
  const { live } = scorer.telemetry;
  const onReject = (place: string, problem: string): void => {
    const fields = { place, problem };
    const message = 'a record of truth or feedback is skipped; further ones are counted only';
    if (live.truthRejects++ === 0) log.warn(fields, message);
    else log.debug(fields, message);
  };
  const opening = { ...scorer.pipeline.service, retrying: { clock: systemClock, log, signal } };
  const read = truthTopic({
    topics,
    feedbackTopic,
    source,
    limits: config.limits,
    fields: config.truth.fields,
    ...{ opening, log, onReject },
    onFeedback: (feedback) => void came.push(feedback),
  });
  return { read, run: () => source.run(read.consumer) };
}

/** Puts new rows of the topic in use, now and then: with each version all pending predictions are looked at again. */
async function publishRows(
  { scorer, signal }: FollowTruthOptions,
  followed: Followed,
  topic: TruthTopic,
): Promise<void> {
  for (let restMs = 0; !signal.aborted; ) {
    await systemClock.sleep(restMs > 0 ? restMs : publishMs / 10, signal);
    if (signal.aborted || (topic.isRead() && isUsed(topic, followed.used) && followed.came.length === 0)) continue;
    const start = systemClock.monotonicMs();
    const came = followed.came.splice(0);
    scorer.unmatched.came(came);
    publish(scorer, followed);
    if (followed.used === undefined) continue;
    await Promise.all([...scorer.pipeline.service.tasks.values()].map((task) => task.busy));
    scorer.unmatched.settled(came);
    restMs = Math.max(publishMs, restShare * (systemClock.monotonicMs() - start));
  }
}

/** A topic that is not read on for so long is looked at: an open transaction may hold it back. */
const standsMs = 5_000;

/** Looks for open transactions while a topic that is not read to its ends stands still, and logs each once. */
async function nameTransactions({ log, signal }: FollowTruthOptions, topic: TruthTopic): Promise<void> {
  const named = new Set<string>();
  for (let before = ''; !signal.aborted && !topic.isRead(); before = topic.progress()) {
    await systemClock.sleep(standsMs, signal);
    if (topic.progress() !== before) continue;
    // A broker that cannot be asked is named elsewhere.
    const found = await topic.findTransactions().catch(() => []);
    for (const text of found) if (!named.has(text)) log.warn({}, `truth is not there yet: ${text}`);
    for (const text of found) named.add(text);
  }
}

function isUsed(topic: TruthTopic, used: Followed['used']): boolean {
  return topic.rows() === used?.rows && topic.feedback() === used.feedback;
}
