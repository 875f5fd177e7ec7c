import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { systemClock } from '../../adapters/system-clock.ts';

/** The address of a service in this process, and the right to send there. */
export interface SenderOptions {
  /** Such as `http://127.0.0.1:9464`. */
  readonly url: string;
  /** Name that requests ask for; undefined: that of the address. */
  readonly host: string | undefined;
  /** Bearer token; undefined: none is needed. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Sends records to a path, as NDJSON. Resolves when they are durable; records that cannot be read are refused, as they should be. Waits where
 * the service asks for it, and gives up when the signal aborts.
 */
export type Send = (path: string, records: readonly string[]) => Promise<void>;

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number;
}

/** An HTTP client of the service. */
export function senderTo({ url, host, token, signal }: SenderOptions): Send {
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(host !== undefined && { host }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return async (path, records) => {
    while (!signal.aborted && records.length > 0) {
      const answer = await post(new URL(path, reachable(url)), records.join('\n'), headers).catch((error: unknown) => {
        // A service that stops ends its connections.
        if (!signal.aborted) throw error;
      });
      if (answer === undefined || answer.status === 200 || answer.status === 400) return;
      const { status, text, retryAfterMs } = answer;
      if (status !== 429 && status !== 503) throw new Error(`${path} answers with status ${status}: ${text.trim()}`);
      await systemClock.sleep(retryAfterMs, signal);
    }
  };
}

/** An address that means all of this machine, as one that can be asked. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function post(url: URL, body: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // The certificate of this very process need not name the address.
    const options = { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } };
    const asking =
      url.protocol === 'https:'
        ? requestTls(url, { ...options, rejectUnauthorized: false })
        : requestPlain(url, options);
    asking.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const retryAfterMs = 1_000 * Number(response.headers['retry-after'] ?? 1);
        resolve({ status: response.statusCode!, text, retryAfterMs });
      });
    });
    asking.on('error', reject).end(body);
  });
}
