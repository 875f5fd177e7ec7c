import { isObject } from '../../scoring/json.ts';
import { EndpointError, type EndpointOptions, noUsage, type Reply, type Usage } from './judge.ts';
import { post } from './post.ts';

/** Statuses that no other question would change. */
const misfits: Readonly<Record<number, string>> = {
  401: 'the key is refused (api_key_file)',
  403: 'the key may not do this (api_key_file)',
  404: 'there is no such address or model (endpoint, model)',
  405: 'it takes no such requests (endpoint)',
};

/** A request to a judge. */
export interface Asking {
  readonly body: object;
  /** The most that the answer may have. */
  readonly outputTokens: number;
  /** Key of the body that the endpoint may not know: a status 500 that names it is a refusal, as some servers answer so to a value they do not know. */
  readonly doubtful?: string | undefined;
}

/**
 * Asks one question, within the budget, until there is an answer or the signal is aborted. A text has at most as many tokens as bytes, so what is
 * put aside is enough. What may have been answered, and the answer lost, counts as spent.
 */
export async function asked(
  { endpoint, apiKey, timeoutMs, budget, link }: EndpointOptions,
  { body, outputTokens, doubtful }: Asking,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const text = JSON.stringify(body);
  const most = { inputTokens: Buffer.byteLength(text), outputTokens };
  const attempt = async (): Promise<Reply | undefined> => {
    const reserved = await budget.reserve(most, signal);
    if (reserved === undefined) return undefined;
    const reply = await post({ endpoint, apiKey: await apiKey(), body: text, timeoutMs });
    reserved.settle(spentBy(reply));
    return doubtful !== undefined && reply.kind === 'later' && reply.text?.includes(doubtful)
      ? { kind: 'refused', status: 500, text: reply.text }
      : reply;
  };
  const reply = await link.through(attempt, signal);
  if (reply?.kind === 'refused' && misfits[reply.status] !== undefined)
    throw new EndpointError(`${endpoint}: ${misfits[reply.status]} (status ${reply.status})`);
  return reply;
}

/** Undefined: unknown. */
function spentBy(reply: Reply): Usage | undefined {
  if (reply.kind === 'answer') return usageIn(reply.body);
  return reply.kind === 'refused' || (reply.kind === 'later' && !reply.reached) ? noUsage : undefined;
}

/** The tokens that an answer says it took. */
export function usageIn(body: unknown): Usage | undefined {
  const usage = isObject(body) ? body['usage'] : undefined;
  if (!isObject(usage)) return undefined;
  const tokens = (key: string): number => (Number.isSafeInteger(usage[key]) ? Math.max(0, usage[key] as number) : 0);
  return { inputTokens: tokens('prompt_tokens'), outputTokens: tokens('completion_tokens') };
}
