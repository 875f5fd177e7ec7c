import type { IncomingMessage } from 'node:http';
import { isOfOtherSite, neededFor, openSecurity, rightOf, tokenHolds } from './access.ts';
import { createLogin, type LoginResult } from './login.ts';
import { type Reply, textReply } from './reply.ts';
import type { Security } from './security.ts';

export interface GuardOptions {
  /** Names that requests may ask for, without ports; undefined: any. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly security: () => Security | undefined;
  /** Writing needs neither login nor token: only this machine reaches the address. */
  readonly openToWrite: boolean;
  readonly onWrongLogin: () => void;
  /** How long a wrong login waits for its answer, and its address for the next attempt. */
  readonly wrongLoginMs: number;
}

/** The reply to a request that is not let in, undefined for one that is. */
export type Guard = (request: IncomingMessage) => Promise<Reply | undefined>;

/** Looks at rate, name, origin and login of each request before anything else is done for it. */
export function createGuard({ allowedHosts, security, openToWrite, onWrongLogin, wrongLoginMs }: GuardOptions): Guard {
  const login = createLogin(wrongLoginMs);
  const bucket = { tokens: 0, filledMs: Number.NEGATIVE_INFINITY };
  return async (request) => {
    const { rateLimit, users, ...access } = security() ?? openSecurity;
    if (rateLimit !== undefined && !taken(bucket, rateLimit, performance.now())) return tooMany;
    if (allowedHosts !== undefined && !allowedHosts.includes(hostName(request)))
      return textReply(421, 'this name is not served here; add it to http.allowed_hosts', { connection: 'close' });
    const right = rightOf(request.method);
    if (right === 'write' && isOfOtherSite(request)) return otherSite;
    const needed = neededFor(right, { users, ...access }, openToWrite);
    if (needed === 'nothing') return undefined;
    if (needed === 'shut') return shut;
    const { authorization } = request.headers;
    const holds = tokenHolds(authorization, access.tokens, right);
    if (holds === true) return undefined;
    if (holds === false) onWrongLogin();
    if (holds === false || needed === 'token') return holds === undefined ? noToken : wrongToken;
    const result = await login(authorization, request.socket.remoteAddress ?? '', users);
    if (result === 'wrong') onWrongLogin();
    return loginReplies[result];
  };
}

const otherSite = textReply(
  403,
  'a page of another site may not send here; send from a program, or from a page of this address',
);
const shut = textReply(
  403,
  'nothing is taken at this address: http.host is no loopback address, and no login is asked for; set ingest.tokens, or http.web_config with users',
);
const noToken = textReply(
  401,
  'the token is missing; send authorization: Bearer <token>, with a token of ingest.tokens',
  {
    'www-authenticate': 'Bearer realm="Assay"',
  },
);
const wrongToken = textReply(
  401,
  'the token is not known, or has no right to this; take one of ingest.tokens that has',
  {
    'www-authenticate': 'Bearer realm="Assay", error="invalid_token"',
  },
);
const challenge = { 'www-authenticate': 'Basic realm="Assay", charset="UTF-8"' };
const tooMany = textReply(429, 'too many requests; send it again in a second', { 'retry-after': '1' });

const loginReplies: Readonly<Record<LoginResult, Reply | undefined>> = {
  right: undefined,
  absent: textReply(401, 'name and password are missing; log in', challenge),
  wrong: textReply(401, 'name or password is wrong; log in', challenge),
  busy: textReply(429, 'too many logins are being checked; come again in a second', { 'retry-after': '1' }),
};

/** Takes a token of a bucket that is filled by one each interval, up to `burst`. */
function taken(
  bucket: { tokens: number; filledMs: number },
  { intervalMs, burst }: NonNullable<Security['rateLimit']>,
  nowMs: number,
): boolean {
  bucket.tokens = Math.min(Math.max(1, burst), bucket.tokens + (nowMs - bucket.filledMs) / intervalMs);
  bucket.filledMs = nowMs;
  if (bucket.tokens < 1) return false;
  bucket.tokens--;
  return true;
}

/** Name in the header `Host`, without the port, in lower case. */
function hostName({ headers }: IncomingMessage): string {
  return (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
}
