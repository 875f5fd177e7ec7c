import { appendFile } from '../../adapters/files/append-file.ts';
import { checkOutput } from '../../adapters/files/output.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import { isObject, type JsonObject } from '../../scoring/json.ts';
import type { Answers, KnownAnswer } from './judging.ts';

export interface AnswerFile extends Answers {
  /** US dollars that a judge's answers cost since midnight (UTC). */
  spentToday(judgement: string, by: string): number;
  close(): Promise<void>;
}

/** Answers remembered; the oldest are forgotten, and would be asked for again. */
const answersMost = 200_000;

/**
 * Judgements in a file that is gone on with, a line each: with `content`, the hash of what was asked, and `asked_at`. What it holds is not asked
 * again.
 */
export async function answerFile(path: string): Promise<AnswerFile> {
  const ids = new Set<string>();
  const known = new Map<string, KnownAnswer>();
  const spent = new Map<string, number>();
  const today = new Date().toISOString().slice(0, 10);
  const learn = (record: JsonObject): void => {
    const { id, content, score, reason, asked_at: at, judgement, by, cost } = record;
    if (typeof id === 'string') ids.add(id);
    if (typeof content === 'string' && typeof score === 'number') {
      known.set(content, { score, reason: typeof reason === 'string' ? reason : undefined });
      if (known.size > answersMost) known.delete(known.keys().next().value!);
    }
    const usd = isObject(cost) ? cost['usd'] : undefined;
    if (typeof at === 'string' && at.startsWith(today) && typeof usd === 'number') {
      const key = JSON.stringify([judgement, by]);
      spent.set(key, (spent.get(key) ?? 0) + usd);
    }
  };
  await checkOutput(path);
  const file = await appendFile(path, (line) => {
    const record = parsed(line);
    if (record !== undefined) learn(record);
  });
  return {
    has: (id) => ids.has(id),
    known: (content) => known.get(content),
    async add(record, content) {
      const line = { ...record, content, asked_at: new Date().toISOString() };
      learn(line);
      await file.append(jsonText(line));
    },
    spentToday: (judgement, by) => spent.get(JSON.stringify([judgement, by])) ?? 0,
    close: () => file.close(),
  };
}

function parsed(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
