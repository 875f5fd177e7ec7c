import { jsonText } from '../../formats/json/json-text.ts';
import { isObject, type JsonObject } from '../../scoring/json.ts';
import { asked, usageIn } from './asked.ts';
import { type Answer, EndpointError, type EndpointOptions, type Judge, noUsage } from './judge.ts';

/** Similarity by an endpoint for embeddings in OpenAI's form: the cosine of what was expected and what the agent did. */
export function embeddingJudge(options: EndpointOptions): Judge {
  const { budget, concurrency, endpoint, link, model } = options;
  return {
    judgement: 'semantic',
    by: model,
    ...{ instructions: undefined, withoutTruth: undefined },
    scale: [-1, 1],
    concurrency,
    usd: budget.usd,
    async ask({ expected, predicted }, signal) {
      const body = { model, input: [textOf(predicted), textOf(expected!)] };
      const reply = await asked(options, { body, outputTokens: 0 }, signal);
      if (reply === undefined) return undefined;
      const failed = (reason: Answer['failed']): Answer => {
        const usage = (reply.kind === 'answer' && usageIn(reply.body)) || noUsage;
        return { score: undefined, failed: reason, reason: undefined, usage };
      };
      if (reply.kind !== 'answer') return failed(reply.kind === 'later' ? 'error' : reply.kind);
      if (reply.body === undefined) return failed('unparseable');
      const vectors = vectorsIn(reply.body);
      if ('misfit' in vectors) throw new EndpointError(`${endpoint}: ${vectors.misfit}`);
      if ('problem' in vectors) {
        link.warn(vectors.problem);
        return failed('error');
      }
      return { ...failed(undefined), score: cosine(vectors.pair[0], vectors.pair[1]) };
    },
  };
}

/** A text as it is, else JSON: what both sides have in the same form. */
function textOf(side: JsonObject): string {
  const values = Object.values(side);
  const only = values.length === 1 ? values[0] : undefined;
  return typeof only === 'string' && only !== '' ? only : jsonText(side);
}

type Vectors =
  | { readonly pair: readonly [readonly number[], readonly number[]] }
  /** One answer is wrong. */
  | { readonly problem: string }
  /** Every answer will be. */
  | { readonly misfit: string };

function vectorsIn(body: unknown): Vectors {
  const data = isObject(body) ? body['data'] : undefined;
  if (!Array.isArray(data) || data.length !== 2)
    return { misfit: `its answer has no list "data" of two embeddings, one for each text` };
  const found = [0, 1].map((index) => data.find((one) => isObject(one) && one['index'] === index) ?? data[index]);
  const [first, second] = found.map((one: unknown) => (isObject(one) ? one['embedding'] : undefined));
  for (const vector of [first, second]) {
    if (!Array.isArray(vector)) return { misfit: 'an embedding is no list of numbers' };
    if (vector.length > 0 && vector.every(Array.isArray))
      return { misfit: 'it gives a list of vectors for each text (one for each token); it must give one vector' };
  }
  const pair = [first, second] as [unknown[], unknown[]];
  if (pair.some((vector) => vector.length === 0 || !vector.every(Number.isFinite)))
    return { problem: 'an embedding holds something other than numbers' };
  if (pair[0].length !== pair[1].length)
    return { problem: `its embeddings have ${pair[0].length} and ${pair[1].length} numbers` };
  return { pair: pair as [number[], number[]] };
}

/** 0 where a vector has length 0. */
function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, each, i) => sum + each * y[i]!, 0);
  const norms = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
  return norms === 0 ? 0 : Math.min(1, Math.max(-1, dot(a, b) / norms));
}
