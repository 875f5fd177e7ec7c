import type { IncomingMessage } from 'node:http';
import { createLogin, type LoginResult } from './login.ts';
import { type Reply, textReply } from './reply.ts';
import type { Security } from './security.ts';

export interface GuardOptions {
  /** Names that requests may ask for, without ports; undefined: any. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly security: () => Security | undefined;
  readonly onWrongLogin: () => void;
  /** How long a wrong login waits for its answer, and its address for the next attempt. */
  readonly wrongLoginMs: number;
}

/** The reply to a request that is not let in, undefined for one that is. */
export type Guard = (request: IncomingMessage) => Promise<Reply | undefined>;

/** Looks at rate, name and login of each request before anything else is done for it. */
export function createGuard({ allowedHosts, security, onWrongLogin, wrongLoginMs }: GuardOptions): Guard {
  const login = createLogin(wrongLoginMs);
  const bucket = { tokens: 0, filledMs: Number.NEGATIVE_INFINITY };
  return async (request) => {
    const { users, rateLimit } = security() ?? { users: new Map<string, string>() };
    if (rateLimit !== undefined && !taken(bucket, rateLimit, performance.now())) return tooMany;
    if (allowedHosts !== undefined && !allowedHosts.includes(hostName(request)))
      return textReply(421, 'this name is not served here: see http.allowed_hosts', { connection: 'close' });
    if (users.size === 0) return undefined;
    const result = await login(request.headers.authorization, request.socket.remoteAddress ?? '', users);
    if (result === 'wrong') onWrongLogin();
    return loginReplies[result];
  };
}

const challenge = { 'www-authenticate': 'Basic realm="Assay", charset="UTF-8"' };
const tooMany = textReply(429, 'too many requests', { 'retry-after': '1' });

const loginReplies: Readonly<Record<LoginResult, Reply | undefined>> = {
  right: undefined,
  absent: textReply(401, 'log in: name and password are missing', challenge),
  wrong: textReply(401, 'log in: name or password is wrong', challenge),
  busy: textReply(429, 'too many logins are being checked', { 'retry-after': '1' }),
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
