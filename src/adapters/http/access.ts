import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Security, Token } from './security.ts';

/** A request reads (page, API, metrics), or writes (events, truth, spans). */
export type Right = 'read' | 'write';

/** The right that the method of a request needs. */
export function rightOf(method: string | undefined): Right {
  return method === 'POST' || method === 'DELETE' ? 'write' : 'read';
}

/** The security of an address for which none is configured. */
export const openSecurity: Security = {
  ...{ tls: undefined, users: new Map(), tokens: [], headers: {}, rateLimit: undefined },
};

/**
 * The proof that a right needs (docs/reference/security.md, "Reading and writing"). Where tokens have the right to write, nothing else has; a token
 * that may read stands in for a login.
 */
export function neededFor(
  right: Right,
  { users, tokens, tls }: Pick<Security, 'users' | 'tokens' | 'tls'>,
  openToWrite: boolean,
): 'nothing' | 'login' | 'token' | 'shut' {
  const byToken = tokens.some(({ rights }) => rights.includes(right));
  if (right === 'write' && byToken) return 'token';
  if (users.size > 0) return 'login';
  if (byToken) return 'token';
  const isOpen = right === 'read' || openToWrite || tls?.clientAuth === 'RequireAndVerifyClientCert';
  return isOpen ? 'nothing' : 'shut';
}

/** Returns whether the bearer token of a request has a right; undefined where the request has none. Takes the same time for every token. */
export function tokenHolds(
  authorization: string | undefined,
  tokens: readonly Token[],
  right: Right,
): boolean | undefined {
  const given = /^bearer +([^\s]+) *$/i.exec(authorization ?? '')?.[1];
  if (given === undefined) return undefined;
  const digest = createHash('sha256').update(given).digest();
  let holds = false;
  for (const { sha256, rights } of tokens) {
    const isSame = timingSafeEqual(digest, Buffer.from(sha256, 'hex'));
    if (isSame && rights.includes(right)) holds = true;
  }
  return holds;
}

/** The name in a request's login by basic authentication; undefined where it has none. It was checked only where logins are configured. */
export function userOf({ headers }: IncomingMessage): string | undefined {
  const [, encoded] = /^basic +([\w+/=]+) *$/i.exec(headers.authorization ?? '') ?? [];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString().replace(/:.*/s, '');
}

/**
 * Returns whether a page of another site may have sent a request: it names an origin that is not the address it was sent to, or the browser says
 * that the page is of another site.
 */
export function isOfOtherSite({ headers }: IncomingMessage): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && !['http', 'https'].some((scheme) => origin === `${scheme}://${host.toLowerCase()}`);
}

/** Returns whether a browser has sent a request: no other client sets these headers by itself. */
export function isOfBrowser({ headers }: IncomingMessage): boolean {
  return [headers.origin, headers.referer, headers['sec-fetch-site'], headers.cookie].some(
    (each) => each !== undefined,
  );
}
