import { EndpointError, type Judge } from '../../adapters/judge/judge.ts';
import { createLog } from '../../adapters/log.ts';
import { version } from '../../documents/context.ts';
import { eachScored, type ScoredEventsOptions } from '../../service/scored-events.ts';
import { tagsOf } from '../../config/settings.ts';
import type { Scored } from '../../stream/score.ts';
import { type AnswerFile, answerFile } from './answer-file.ts';
import { type Chosen, chooser } from './chosen.ts';
import { judgesOf } from './judges.ts';
import { createJudging, idOf, type Judging, judgesFor, limited } from './judging.ts';
import { type JudgeProgress, judgeLine, judgeProgress } from './progress.ts';

export interface JudgeFilesOptions extends ScoredEventsOptions {
  /** File of judgements, which is gone on with. */
  readonly output: string;
}

/** `assay judge` on files: has what was chosen of them judged, but for what the output holds. Resolves with the exit status. */
export async function judgeFiles({ output, ...options }: JudgeFilesOptions): Promise<number> {
  const { config } = options;
  const log = createLog({ ...config.log, version });
  const answers = await answerFile(output);
  const progress = judgeProgress(process.stderr);
  const startMs = performance.now();
  try {
    const judges = await judgesOf({
      config,
      log,
      signal: options.signal,
      spentToday: answers.spentToday,
      onHindered(what, name, problem) {
        hinder(progress, `${what} ${name}`, problem);
        if (what === 'budget' && problem !== undefined && !process.stderr.isTTY)
          process.stderr.write(`judge: ${problem}: it waits for the next day, UTC; Ctrl-C keeps what is judged\n`);
      },
    });
    await judgeAll(options, judges, answers, progress);
    progress.end();
    process.stderr.write(`${judgeLine(progress, (performance.now() - startMs) / 1000)}\n`);
    return 0;
  } catch (error) {
    progress.end();
    if (!(error instanceof EndpointError)) throw error;
    process.stderr.write(`judge: ${error.message}\n`);
    return 1;
  } finally {
    progress.end();
    await answers.close();
  }
}

/** Goes over the events twice: to know how much there is to do, and to have it done. */
async function judgeAll(
  options: ScoredEventsOptions,
  judges: readonly Judge[],
  answers: AnswerFile,
  progress: JudgeProgress,
): Promise<void> {
  const { config, events, signal } = options;
  const choose = chooser(config.judge.sample, tagsOf(config.slices));
  const left = (chosen: Chosen): number =>
    judgesFor(judges, chosen).filter((judge) => !answers.has(idOf(judge, chosen))).length;
  if (!events.includes('-')) progress.total = await countChosen(options, choose, left);
  // What goes wrong with one question ends the asking; answers under way are still written.
  const stop = new AbortController();
  const judging = createJudging({ judges, answers, signal: AbortSignal.any([signal, stop.signal]), progress });
  const queue = judgingQueue(judging, 2 * Math.max(...judges.map(({ concurrency }) => concurrency)), stop);
  const found: Chosen[] = [];
  const visit = (scored: Scored): void => {
    const chosen = choose(scored);
    if (chosen !== undefined && left(chosen) > 0) found.push(chosen);
  };
  const visited = eachScored(options, visit, {
    onWithoutTruth: visit,
    async afterBatch() {
      for (const chosen of found.splice(0)) if (!stop.signal.aborted && !signal.aborted) await queue.submit(chosen);
      queue.check();
    },
  });
  await visited.finally(() => queue.drained());
  queue.check();
}

interface JudgingQueue {
  /** Resolves when the judging has begun. */
  submit(chosen: Chosen): Promise<void>;
  drained(): Promise<unknown>;
  /** Throws what went wrong first. */
  check(): void;
}

function judgingQueue(judging: Judging, most: number, stop: AbortController): JudgingQueue {
  const room = limited(most);
  const under = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  return {
    submit: (chosen) =>
      new Promise((begun) => {
        const work = room(async () => {
          begun();
          await judging(chosen);
        }).catch((error: unknown) => {
          failures.push(error);
          stop.abort();
        });
        under.add(work);
        void work.finally(() => under.delete(work));
      }),
    drained: () => Promise.all([...under]),
    check() {
      if (failures.length > 0) throw failures[0];
    },
  };
}

function hinder({ hindered }: JudgeProgress, name: string, problem: string | undefined): void {
  if (problem === undefined) hindered.delete(name);
  else hindered.set(name, problem);
}

/** Judgements that are still to be made. */
async function countChosen(
  options: ScoredEventsOptions,
  choose: ReturnType<typeof chooser>,
  isNew: (chosen: Chosen) => number,
): Promise<number> {
  let total = 0;
  const visit = (scored: Scored): void => {
    const chosen = choose(scored);
    if (chosen !== undefined) total += isNew(chosen);
  };
  await eachScored(options, visit, { onWithoutTruth: visit });
  return total;
}
