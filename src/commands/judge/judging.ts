import type { Answer, Judge } from '../../adapters/judge/judge.ts';
import type { Json, JsonObject } from '../../scoring/json.ts';
import { type Chosen, hashOf } from './chosen.ts';

/** A judgement as it is written out (docs/reference/judgements.md). */
export type JudgementRecord = JsonObject & { readonly id: string };

/** Answers that are known, by the hash of what was asked. */
export interface Answers {
  /** The part of a judgement that a judge gave; undefined where no judge was called. */
  known(content: string): KnownAnswer | undefined;
  /** Returns whether a judgement of this id is written. */
  has(id: string): boolean;
  /** Durable when resolved. */
  add(record: JudgementRecord, content: string): Promise<void>;
}

export type KnownAnswer = Pick<Answer, 'score' | 'reason'>;

export interface JudgingOptions {
  readonly judges: readonly Judge[];
  readonly answers: Answers;
  /** Aborted: no further question is asked; answers under way are waited for. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** The work done so far. */
export interface Progress {
  judged: number;
  failed: number;
  usd: number;
}

/** Has a chosen prediction judged by all judges; resolves with the judgements, without those that the signal kept from being asked. */
export type Judging = (chosen: Chosen) => Promise<readonly JudgementRecord[]>;

/** Judges chosen predictions: each content is asked once, however often it comes. */
export function createJudging({ judges, answers, signal, progress }: JudgingOptions): Judging {
  const asking = new Map<string, Promise<Asked | undefined>>();
  const slots = new Map(judges.map((judge) => [judge, limited(judge.concurrency)]));
  const write = async (judge: Judge, chosen: Chosen, content: string, answer: Answer): Promise<JudgementRecord> => {
    const record = recordOf(judge, chosen, answer);
    await answers.add(record, content);
    count(progress, record, answer);
    return record;
  };
  // The place is kept until the answer is written: a process that is killed asks again only what was under way.
  const ask = (judge: Judge, chosen: Chosen, content: string): Promise<Asked | undefined> =>
    slots.get(judge)!(async () => {
      const answer = signal.aborted ? undefined : await judge.ask(chosen.material, signal);
      return answer && { answer, record: await write(judge, chosen, content, answer) };
    });
  const judgedBy = async (judge: Judge, chosen: Chosen): Promise<JudgementRecord | undefined> => {
    if (answers.has(idOf(judge, chosen))) return undefined;
    const content = contentOf(judge, chosen);
    const known = answers.known(content);
    if (known !== undefined) return write(judge, chosen, content, { ...free, ...known });
    const under = asking.get(content);
    if (under !== undefined) {
      const asked = await under;
      return asked && write(judge, chosen, content, { ...asked.answer, usage: free.usage });
    }
    const begun = ask(judge, chosen, content).finally(() => asking.delete(content));
    asking.set(content, begun);
    return (await begun)?.record;
  };
  return async (chosen) => {
    const records = await Promise.all(judgesFor(judges, chosen).map((judge) => judgedBy(judge, chosen)));
    return records.filter((record) => record !== undefined);
  };
}

interface Asked {
  readonly answer: Answer;
  readonly record: JudgementRecord;
}

const free: Answer = {
  score: undefined,
  failed: undefined,
  reason: undefined,
  usage: { inputTokens: 0, outputTokens: 0 },
};

function count(progress: Progress, record: JudgementRecord, answer: Answer): void {
  progress.judged++;
  if (answer.failed !== undefined) progress.failed++;
  const { usd } = record['cost'] as { readonly usd: number };
  progress.usd += usd;
}

/** The judges of a chosen prediction: some need truth. */
export function judgesFor(judges: readonly Judge[], { hasTruth }: Chosen): readonly Judge[] {
  return hasTruth ? judges : judges.filter(({ withoutTruth }) => withoutTruth !== undefined);
}

/** Identity of the judgement by a judge. */
export function idOf(judge: Judge, chosen: Chosen): string {
  return judgementId(chosen, judge.judgement, judge.by, instructionsFor(judge, chosen));
}

function instructionsFor({ instructions, withoutTruth }: Judge, { hasTruth }: Chosen): string | undefined {
  return hasTruth ? instructions : withoutTruth;
}

/** A key of the request: the same content is requested once. */
function contentOf(judge: Judge, chosen: Chosen): string {
  const { expected, request = null, predicted } = chosen.material;
  const given = expected === undefined ? { request } : expected;
  return hashOf(judge.judgement, judge.by, instructionsFor(judge, chosen) ?? null, given, predicted);
}

/** Identity of a judgement: of prediction, judgement, judge and rubric. */
export function judgementId(
  { identity }: Chosen,
  judgement: string,
  by: string,
  instructions: string | undefined,
): string {
  return hashOf(identity, judgement, by, rubricHash(instructions)).slice(0, 32);
}

/** Hash of the instructions of a judge. */
export function rubricHash(instructions: string | undefined): string | null {
  return instructions === undefined ? null : `sha256:${hashOf(instructions)}`;
}

function recordOf(judge: Judge, chosen: Chosen, answer: Answer): JudgementRecord {
  const { score, failed, reason, usage } = answer;
  return {
    judgement: judge.judgement,
    id: idOf(judge, chosen),
    ...chosen.fields,
    score: score ?? null,
    scale: judge.scale,
    by: judge.by,
    rubric: rubricHash(instructionsFor(judge, chosen)),
    probability: chosen.probability,
    exact: chosen.exact,
    ...(!chosen.hasTruth && { reference: false }),
    reason: reason ?? null,
    failed: failed ?? null,
    cost: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens, usd: judge.usd(usage) },
  } satisfies Readonly<Record<string, Json>>;
}

/** Runs so many at a time, the others in their order. */
export function limited(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The place goes to the next one.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
