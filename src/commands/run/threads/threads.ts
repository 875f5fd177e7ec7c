import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { memoryLog } from '../../../adapters/memory-log.ts';
import { systemClock } from '../../../adapters/system-clock.ts';
import type { Config } from '../../../config/config.ts';
import { deepOf } from '../../../config/settings.ts';
import { UsageError } from '../../../errors.ts';
import type { Log } from '../../../ports.ts';
import type { Telemetry } from '../../../telemetry.ts';
import { lastFiles } from '../last-files.ts';
import { keepsNothing } from '../../../service/keeps-nothing.ts';
import type { ScoringService } from '../../../service/running-service.ts';
import type { BackgroundTasks, RunOptions } from '../score-topics.ts';
import { createScoringService } from '../../../service/scoring-service.ts';
import { addGrowth, setGauges } from './merge-telemetry.ts';
import { mergedChecks, reportsOfThreads } from './merge-reports.ts';
import type { ReceivedReport, ThreadMessage, ThreadOrder, ThreadRequest } from './messages.ts';
import { type ThreadStates, threadStates } from './thread-states.ts';

export interface ThreadsOptions extends RunOptions {
  readonly threads: number;
  readonly log: Log;
  /** Aborted when a stop takes too long. */
  readonly stopping: AbortController;
  begin(service: ScoringService): Promise<BackgroundTasks>;
}

/** How many threads the configuration asks for. */
export function threadsOf({ run: { threads } }: Config): number {
  return threads === 'auto' ? availableParallelism() : threads;
}

/**
 * Scores in several threads, each a member of the group with its own partitions. This one serves their pages: of the states at their checkpoints, and
 * of what they tell each second. Where one fails, all are stopped. Resolves with the exit status.
 */
export async function scoreInThreads(options: ThreadsOptions): Promise<number> {
  const { config, log, signal, stopping } = options;
  const report: Heard['report'] = new Map();
  const service = createScoringService({
    ...{ config, source: memoryLog('', 0), log, deep: await deepOf(config), signal: stopping.signal },
    ...{ ...keepsNothing, report: reportsOfThreads(() => [...report.values()], config.http.samples) },
  });
  const heard: Heard = { report, states: threadStates(config, service), service };
  const beside = await options.begin({ ...service, readiness: () => readinessOf(heard, options.threads) });
  const untilLate = lastFiles(options);
  const over = new AbortController();
  const beating = beside.run(AbortSignal.any([over.signal, stopping.signal]));
  const threads = startThreads(options, heard);
  const stop = (): void => threads.order('stop');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    const statuses = await Promise.race([threads.ended, beating.then(() => threads.ended)]);
    await heard.states.applied();
    await untilLate(beside.beforeStop());
    return Math.max(...statuses);
  } catch (error) {
    // What the others have scored is theirs to save.
    stop();
    throw error;
  } finally {
    await threads.end();
    over.abort();
    await untilLate(beating.catch(() => undefined));
    await beside.close();
  }
}

function readinessOf({ report, service }: Heard, threads: number): ReturnType<ScoringService['readiness']> {
  const checks = [...report.values()].map((each) => each.readiness);
  const running = { name: 'threads', ok: report.size === threads, detail: `${report.size} of ${threads} run` };
  // All that this thread reaches out for.
  const own = service.readiness().filter(({ name }) => name === 'outages');
  return [...mergedChecks(checks), running, ...own.map((check) => ({ ...check, name: 'snapshots' }))];
}

interface Heard {
  /** The last report of each thread. */
  readonly report: Map<number, ReceivedReport>;
  readonly states: ThreadStates;
  readonly service: ScoringService;
}

interface Threads {
  order(given: ThreadOrder): void;
  /** Resolves with the exit status of each; rejects with what one failed of. */
  readonly ended: Promise<number[]>;
  /** Waits for those that still run, for the grace period at most. */
  end(): Promise<void>;
}

function startThreads({ threads: count, stopping, ...options }: ThreadsOptions, heard: Heard): Threads {
  const threads = Array.from({ length: count }, (_, at) => startThread(options, at + 1, heard));
  const order = (given: ThreadOrder): void => {
    for (const { worker } of threads) worker.postMessage(given);
  };
  stopping.signal.addEventListener('abort', () => order('give up'));
  const ended = threads.map((thread) => thread.ended);
  return {
    order,
    ended: Promise.all(ended),
    async end() {
      await Promise.race([Promise.allSettled(ended), systemClock.sleep(options.config.grace.ms, stopping.signal)]);
      stopping.abort();
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

interface Thread {
  readonly worker: Worker;
  readonly ended: Promise<number>;
}

function startThread({ config, untilEnd, rebuild }: RunOptions, thread: number, heard: Heard): Thread {
  const request: ThreadRequest = { config, untilEnd, rebuild, thread };
  const worker = new Worker(new URL('./scoring-worker.js', import.meta.url), { workerData: request });
  const ended = new Promise<number>((resolve, reject) => {
    worker.on('message', (message: ThreadMessage) => {
      if (message.kind === 'ended') resolve(message.status);
      else if (message.kind === 'failed') reject(failureOf(message));
      else hear(heard, thread, message);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error(`thread ${thread} ended without a word`)));
  });
  ended.catch(() => undefined);
  return { worker, ended };
}

function failureOf({ isUsage, message }: Extract<ThreadMessage, { kind: 'failed' }>): Error {
  return isUsage ? new UsageError(message) : new Error(message);
}

function hear({ report, states, service }: Heard, thread: number, message: ThreadMessage): void {
  if (message.kind === 'restored') states.apply(thread, message.partition, message.checkpoints);
  else if (message.kind === 'saved') states.apply(thread, message.partition, [message.checkpoint]);
  else if (message.kind === 'revoked') states.revoked(thread, message.partition);
  else if (message.kind === 'report') {
    const before = report.get(thread)?.telemetry;
    report.set(thread, { ...message.report, heardMs: performance.now() });
    show(service, report, message.report.telemetry, before);
  }
}

function show(
  { telemetry, pipeline }: ScoringService,
  report: Heard['report'],
  now: Telemetry,
  before: Telemetry | undefined,
): void {
  addGrowth(telemetry, now, before);
  setGauges(telemetry, report);
  const idleMs = Math.min(...[...report.values()].map((each) => each.idleMs));
  pipeline.service.lastRecordMs = systemClock.monotonicMs() - idleMs;
}
