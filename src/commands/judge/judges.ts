import { wholeFile } from '../../adapters/files/byte-chunks.ts';
import { createBudget } from '../../adapters/judge/budget.ts';
import { chatJudge } from '../../adapters/judge/chat-judge.ts';
import { embeddingJudge } from '../../adapters/judge/embedding-judge.ts';
import type { EndpointOptions, Judge } from '../../adapters/judge/judge.ts';
import { createLink } from '../../adapters/judge/link.ts';
import { usualRubric } from '../../adapters/judge/prompt.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import type { Log } from '../../ports.ts';

export interface JudgesOptions {
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly spentToday: (judgement: string, by: string) => number;
  /** Says what keeps a judge from judging (its endpoint is out, its budget is spent), and when nothing does any more. */
  readonly onHindered: (what: 'budget' | 'endpoint', name: string, problem: string | undefined) => void;
}

/** The judges of the configuration; there is at least one. */
export async function judgesOf({
  config,
  log,
  signal,
  spentToday,
  onHindered,
}: JudgesOptions): Promise<readonly Judge[]> {
  const { semantic, judge } = config.judge;
  if (semantic === undefined && judge === undefined)
    throw new UsageError('judge: no judge is configured; set judge.judge, or judge.semantic, with endpoint and model');
  const endpoint = (name: 'judge' | 'semantic', of: NonNullable<typeof semantic>): EndpointOptions => ({
    endpoint: of.endpoint,
    model: of.model,
    apiKey: async () =>
      of.api_key_file === undefined ? undefined : (await textOfFile(of.api_key_file, signal)).trim(),
    timeoutMs: of.timeout.ms,
    concurrency: of.concurrency,
    budget: createBudget({
      price: of.price,
      usdPerDay: of.budget_usd_per_day,
      clock: systemClock,
      spentUsd: spentToday(name, of.model),
      onWait: (waits) => onHindered('budget', name, waits ? `judge.${name}.budget_usd_per_day is spent` : undefined),
    }),
    link: createLink({
      endpoint: of.endpoint,
      clock: systemClock,
      log,
      random: Math.random,
      onOutage: (why) => onHindered('endpoint', name, why === undefined ? undefined : `${of.endpoint}: ${why}`),
    }),
  });
  const rubric = await rubricOf(judge?.rubric, signal);
  return [
    ...(semantic === undefined ? [] : [embeddingJudge(endpoint('semantic', semantic))]),
    ...(judge === undefined ? [] : [chatJudge(endpoint('judge', judge), rubric)]),
  ];
}

/** The text that judges are asked by: of a file, or the usual one. */
export async function rubricOf(file: string | undefined, signal: AbortSignal): Promise<string> {
  return file === undefined ? usualRubric : await textOfFile(file, signal);
}

/** Rubrics and keys are short. */
const textBytesMax = 2 ** 20;

async function textOfFile(path: string, signal: AbortSignal): Promise<string> {
  return (await wholeFile(path, textBytesMax, signal)).toString('utf8');
}
