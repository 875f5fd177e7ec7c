import { readFile } from 'node:fs/promises';
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
  readonly spentToday: (judgement: string, by: string) => number;
  /** Says what keeps a judge from judging (its endpoint is out, its budget is spent), and when nothing does any more. */
  readonly onHindered: (what: 'budget' | 'endpoint', name: string, problem: string | undefined) => void;
}

/** The judges of the configuration; there is at least one. */
export async function judgesOf({ config, log, spentToday, onHindered }: JudgesOptions): Promise<readonly Judge[]> {
  const { semantic, judge } = config.judge;
  if (semantic === undefined && judge === undefined)
    throw new UsageError('judge: nobody is to be asked; set judge.judge, or judge.semantic, with endpoint and model');
  const endpoint = (name: 'judge' | 'semantic', of: NonNullable<typeof semantic>): EndpointOptions => ({
    endpoint: of.endpoint,
    model: of.model,
    apiKey: async () => (of.api_key_file === undefined ? undefined : (await readFile(of.api_key_file, 'utf8')).trim()),
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
  const rubric = judge?.rubric === undefined ? usualRubric : await readFile(judge.rubric, 'utf8');
  return [
    ...(semantic === undefined ? [] : [embeddingJudge(endpoint('semantic', semantic))]),
    ...(judge === undefined ? [] : [chatJudge(endpoint('judge', judge), rubric)]),
  ];
}
