import { readFile } from 'node:fs/promises';
import type { SASLOptions } from 'kafkajs';

/** How we say who we are. */
export type KafkaLogin =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'oauthbearer'; readonly token: TokenSource };

/** A file that somebody keeps fresh, or an authorization server that gives tokens to clients (RFC 6749, 4.4). */
export type TokenSource =
  | { readonly file: string }
  | {
      readonly url: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope: string | undefined;
    };

/** What kafkajs takes. */
export function saslOptions(login: KafkaLogin): SASLOptions {
  if (login.mechanism !== 'oauthbearer') return { ...login };
  return { mechanism: 'oauthbearer', oauthBearerProvider: tokenProvider(login.token) };
}

/** The world's fault, and worth a retry. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

interface Token {
  readonly value: string;
}

/** Gives the token of the moment: a file is read for each connection, a server asked when most of a token's life is over. */
export function tokenProvider(source: TokenSource): () => Promise<Token> {
  if ('file' in source) {
    const { file } = source;
    return async () => ({ value: (await outage(`${file} cannot be read`, () => readFile(file, 'utf8'))).trim() });
  }
  const kept = { value: '', staleMs: 0 };
  return async () => {
    if (performance.now() >= kept.staleMs) {
      const { access_token: value, expires_in: seconds = 0 } = await outage(`${source.url} gives no token`, () =>
        requestToken(source),
      );
      Object.assign(kept, { value, staleMs: performance.now() + 1000 * seconds * usedShare });
    }
    return { value: kept.value };
  };
}

/** Of a token's life; what is left is for connections that begin with it. */
const usedShare = 0.8;
const requestMs = 10_000;

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in?: number;
}

async function requestToken(source: Exclude<TokenSource, { file: string }>): Promise<TokenAnswer> {
  const { url, clientId, clientSecret, scope } = source;
  const login = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
    signal: AbortSignal.timeout(requestMs),
  });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const answer = (await reply.json()) as Partial<TokenAnswer>;
  if (typeof answer.access_token !== 'string') throw new Error('the answer has no access_token');
  return answer as TokenAnswer;
}

async function outage<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new TokenError(`${what} (${why}; see kafka.sasl)`, { cause: error });
  }
}
