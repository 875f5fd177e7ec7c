import type { Reply } from './judge.ts';

export interface Request {
  readonly endpoint: string;
  readonly apiKey: string | undefined;
  readonly body: string;
  readonly timeoutMs: number;
}

/** Posts JSON. Never rejects; no text of an answer is in what it says of failures. */
export async function post({ endpoint, apiKey, body, timeoutMs }: Request): Promise<Reply> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...loginOf(endpoint, apiKey) },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const { status } = response;
    if (response.ok) return { kind: 'answer', body: parsed(text) };
    if (status === 408 || status === 429 || status >= 500) {
      const afterMs = waitOf(response.headers.get('retry-after'));
      return { kind: 'later', afterMs, reached: false, why: `status ${status}`, ...(status === 500 && { text }) };
    }
    return { kind: 'refused', status, text };
  } catch (error) {
    const { name, cause } = error as Error;
    if (name === 'TimeoutError') return { kind: 'timeout' };
    const { code } = (cause ?? {}) as { readonly code?: string };
    return { kind: 'later', afterMs: undefined, reached: !unreached.has(code), why: code ?? 'the answer was cut' };
  }
}

/** Failures before anything was sent. */
const unreached: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

/** Azure takes a key in a header of its own. */
function loginOf(endpoint: string, apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined) return {};
  const isAzure = new URL(endpoint).hostname.endsWith('.azure.com');
  return isAzure ? { 'api-key': apiKey } : { authorization: `Bearer ${apiKey}` };
}

const longestWaitMs = 3_600_000;

/** Milliseconds of a Retry-After: seconds, or a date. */
function waitOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header) ? 1000 * Number(header) : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(longestWaitMs, Math.max(0, ms));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
