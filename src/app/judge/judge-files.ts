import { EndpointError } from '../../adapters/judge/judge.ts';
import { createLog } from '../../adapters/log.ts';
import { version } from '../context.ts';
import { eachScored, type ScoredEventsOptions } from '../scored-events.ts';
import { tagsOf } from '../settings.ts';
import { answerFile } from './answer-file.ts';
import { type Chosen, chooser } from './chosen.ts';
import { judgesOf } from './judges.ts';
import { createJudging, judgementId, limited } from './judging.ts';
import { type JudgeProgress, judgeLine, judgeProgress } from './progress.ts';

export interface JudgeFilesOptions extends ScoredEventsOptions {
  /** File of judgements, which is gone on with. */
  readonly output: string;
}

/** `assay judge` on files: has what was chosen of them judged, but for what the output holds. Resolves with the exit status. */
export async function judgeFiles({ output, ...options }: JudgeFilesOptions): Promise<number> {
  const { config, signal } = options;
  const log = createLog({ ...config.log, version });
  const answers = await answerFile(output);
  const progress = judgeProgress(process.stderr);
  // Also what went wrong with one question ends the asking; answers under way are still written.
  const stop = new AbortController();
  const startMs = performance.now();
  try {
    const judges = await judgesOf({
      config,
      log,
      spentToday: answers.spentToday,
      onHindered: (what, name, problem) => hinder(progress, `${what} ${name}`, problem),
    });
    const choose = chooser(config.judge.sample, tagsOf(config.slices));
    const isNew = (chosen: Chosen): number =>
      judges.filter(({ judgement, by, instructions }) => !answers.has(judgementId(chosen, judgement, by, instructions)))
        .length;
    if (!options.events.includes('-')) progress.total = await countChosen(options, choose, isNew);
    const judging = createJudging({ judges, answers, signal: AbortSignal.any([signal, stop.signal]), progress });
    const room = limited(2 * Math.max(...judges.map(({ concurrency }) => concurrency)));
    const failures: unknown[] = [];
    const under = new Set<Promise<unknown>>();
    const submit = (chosen: Chosen): Promise<void> =>
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
      });
    const found: Chosen[] = [];
    const visited = eachScored(
      options,
      (scored) => {
        const chosen = choose(scored);
        if (chosen !== undefined && isNew(chosen) > 0) found.push(chosen);
      },
      async () => {
        for (const chosen of found.splice(0)) if (failures.length === 0 && !signal.aborted) await submit(chosen);
        if (failures.length > 0) throw failures[0];
      },
    );
    await visited.finally(() => Promise.all(under));
    if (failures.length > 0) throw failures[0];
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
  await eachScored(options, (scored) => {
    const chosen = choose(scored);
    if (chosen !== undefined) total += isNew(chosen);
  });
  return total;
}
