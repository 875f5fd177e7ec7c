import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { AuthenticationProviderArgs, Mechanism, SASLOptions } from 'kafkajs';
import { UsageError } from '../../errors.ts';

/** A login to Kafka. */
export type KafkaLogin =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | { readonly mechanism: 'oauthbearer'; readonly token: TokenSource };

/**
 * A file that another program keeps fresh; an authorization server that gives tokens to clients (RFC 6749, 4.4); or the region of an Amazon MSK,
 * for which AWS's package signs tokens with the credentials that it finds in the surroundings.
 */
export type TokenSource = { readonly file: string } | { readonly region: string } | TokenServer;

interface TokenServer {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | undefined;
}

/** Throws where the package that signs tokens for Amazon MSK is not installed. */
export function assertMskSigner(): void {
  try {
    import.meta.resolve('aws-msk-iam-sasl-signer-js');
  } catch {
    throw new UsageError(
      'kafka.sasl.mechanism: aws-msk-iam needs a package that is not installed; npm install aws-msk-iam-sasl-signer-js where Assay finds it (docs/reference/security.md, "Kafka")',
    );
  }
}

/** The options of kafkajs for a login. */
export function saslOptions(login: KafkaLogin): SASLOptions | Mechanism {
  if (login.mechanism !== 'oauthbearer') {
    const options: SASLOptions = { ...login };
    return options;
  }
  const provide = tokenProvider(login.token);
  return { mechanism: 'oauthbearer', authenticationProvider: (args) => ({ authenticate: () => logIn(args, provide) }) };
}

/** The broker does not take a token: an outage, as a new one may come. */
class RefusedToken extends Error {
  override readonly name = 'RefusedToken';
}

/** Logs in with a token (RFC 7628). kafkajs does not look at the answer, in which a broker refuses a token: it would go on, and be refused everything. */
async function logIn(
  { saslAuthenticate }: AuthenticationProviderArgs,
  provide: () => Promise<{ readonly value: string }>,
): Promise<void> {
  const { value } = await provide();
  const message = Buffer.from(`n,,\x01auth=Bearer ${value}\x01\x01`);
  const length = Buffer.alloc(lengthBytes);
  length.writeInt32BE(message.length);
  const refusal = await saslAuthenticate({
    request: { encode: () => Buffer.concat([length, message]) },
    response: { decode: (answer) => answer.subarray(lengthBytes), parse: String },
  });
  if (refusal) throw new RefusedToken(refusal);
}

const lengthBytes = 4;

/** Names a login for people: a user, or a token and, where it is in a file, until when it is valid. */
export function loginText(login: KafkaLogin): string {
  if (login.mechanism !== 'oauthbearer') return `user ${login.username}`;
  const { token } = login;
  if ('file' in token) return `the token of ${token.file} ${validityText(token.file)}`;
  return 'region' in token ? `a token signed for ${token.region}` : `a token of ${token.url}`;
}

/** The end of a token is in its second part, in s since 1970 (RFC 7519, `exp`); other forms of tokens do not show it. */
function validityText(file: string): string {
  try {
    const [, claims = ''] = readFileSync(file, 'utf8').split('.');
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { readonly exp: number };
    const end = new Date(1000 * exp).toISOString();
    return 1000 * exp < Date.now() ? `ended at ${end}; write a new one` : `is valid until ${end}`;
  } catch {
    return 'does not show its end';
  }
}

/** No token can be had at present: an outage, which is retried. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
}

/** Returns a function that gives the present token: a file is read for each connection, other tokens are renewed late in their life. */
export function tokenProvider(source: TokenSource): () => Promise<{ readonly value: string }> {
  if ('file' in source) {
    const { file } = source;
    return async () => ({ value: (await outage(`${file} cannot be read`, () => readFile(file, 'utf8'))).trim() });
  }
  const cached = { value: '', staleMs: 0 };
  return async () => {
    if (performance.now() >= cached.staleMs) {
      const { value, lifeMs } = await outage(
        'region' in source ? 'AWS gives no credentials' : `${source.url} gives no token`,
        () => ('region' in source ? signToken(source.region) : requestToken(source)),
      );
      Object.assign(cached, { value, staleMs: performance.now() + lifeMs * usedShare });
    }
    return { value: cached.value };
  };
}

/** Share of a token's life after which it is renewed; the rest is for connections that begin with it. */
const usedShare = 0.8;
const requestMs = 10_000;

interface NewToken {
  readonly value: string;
  readonly lifeMs: number;
}

async function signToken(region: string): Promise<NewToken> {
  // With all that it needs it has 29 MB: here for those alone who use it.
  const { generateAuthToken } = await import('aws-msk-iam-sasl-signer-js');
  const { token, expiryTime } = await generateAuthToken({ region });
  return { value: token, lifeMs: expiryTime - Date.now() };
}

async function requestToken({ url, clientId, clientSecret, scope }: TokenServer): Promise<NewToken> {
  const login = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const reply = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
    signal: AbortSignal.timeout(requestMs),
  });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const { access_token: value, expires_in: seconds = 0 } = (await reply.json()) as TokenAnswer;
  if (typeof value !== 'string') throw new Error('the answer has no access_token');
  return { value, lifeMs: 1000 * seconds };
}

interface TokenAnswer {
  readonly access_token?: string;
  readonly expires_in?: number;
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
