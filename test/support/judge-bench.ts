import type { TestContext } from 'node:test';
import { createBudget } from '../../src/adapters/judge/budget.ts';
import { chatJudge } from '../../src/adapters/judge/chat-judge.ts';
import { embeddingJudge } from '../../src/adapters/judge/embedding-judge.ts';
import type { EndpointOptions, Judge } from '../../src/adapters/judge/judge.ts';
import { createLink } from '../../src/adapters/judge/link.ts';
import { usualRubric } from '../../src/adapters/judge/prompt.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import type { Log } from '../../src/ports.ts';
import { type JudgeServer, judgeServer, says } from './judge-server.ts';

export const material = { expected: { tool_calls: [{ name: 'f' }] }, predicted: { tool_calls: [{ name: 'g' }] } };
export const never: AbortSignal = new AbortController().signal;
export const price = { input: 1_000, output: 10_000 };

/** A judge with its endpoint, and what it told. */
export interface Bench {
  readonly server: JudgeServer;
  readonly judge: Judge;
  readonly lines: unknown[];
  readonly sleeps: number[];
  readonly outages: (string | undefined)[];
  /** Whether the budget is spent, each time that it was told. */
  readonly waits: boolean[];
}

/** A judge whose waits take no time, but are noted. */
export async function bench(
  context: TestContext,
  kind: 'chat' | 'embeddings' = 'chat',
  { timeoutMs = 5_000, usdPerDay = undefined as number | undefined } = {},
): Promise<Bench> {
  const server = await judgeServer(context);
  const lines: unknown[] = [];
  const note = (...line: unknown[]): void => void lines.push(line);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const sleeps: number[] = [];
  const outages: (string | undefined)[] = [];
  let skippedMs = 0;
  const clock = {
    ...systemClock,
    monotonicMs: () => performance.now() + skippedMs,
    sleep: async (ms: number) => {
      sleeps.push(ms);
      skippedMs += ms;
    },
  };
  const waited: boolean[] = [];
  const budget = {
    price,
    usdPerDay,
    clock: systemClock,
    spentUsd: 0,
    onWait: (waits: boolean) => void waited.push(waits),
  };
  const onOutage = (problem: string | undefined): void => void outages.push(problem);
  const endpoint = `${server.url}/v1/${kind === 'chat' ? 'chat/completions' : 'embeddings'}`;
  const options: EndpointOptions = {
    endpoint,
    model: 'm',
    apiKey: async () => 'secret-key',
    timeoutMs,
    concurrency: 4,
    budget: createBudget(budget),
    link: createLink({ endpoint, clock, log, random: () => 0.5, onOutage }),
  };
  const judge = kind === 'chat' ? chatJudge(options, usualRubric) : embeddingJudge(options);
  return { server, judge, lines, sleeps, outages, waits: waited };
}

export const good = says('{"reason": "ok", "score": 6}');
