import type { SecureContextOptions, TLSSocket } from 'node:tls';

/** Access to a server: logins, certificates, addresses. */
export interface Security {
  readonly tls: Tls | undefined;
  /** Hash of the password (bcrypt) by user name; no login is needed where it is empty. */
  readonly users: ReadonlyMap<string, string>;
  /** Tokens of `Authorization: Bearer`. */
  readonly tokens: readonly Token[];
  /** Headers of every response, over the standard ones. */
  readonly headers: Readonly<Record<string, string>>;
  /** A request each interval, and so many more at once. */
  readonly rateLimit: { readonly intervalMs: number; readonly burst: number } | undefined;
}

/** A bearer token: its SHA-256 in hexadecimal, and what its holder may do. */
export interface Token {
  readonly sha256: string;
  readonly rights: readonly ('read' | 'write')[];
}

export interface Tls {
  readonly context: SecureContextOptions;
  readonly clientAuth:
    | 'NoClientCert'
    | 'RequestClientCert'
    | 'RequireAnyClientCert'
    | 'VerifyClientCertIfGiven'
    | 'RequireAndVerifyClientCert';
  /** One of the names in a client's certificate must be among them; undefined: any. */
  readonly allowedSans: readonly string[] | undefined;
}

/** A security that may change while it is in use. */
export interface SecuritySource {
  readonly current: Security;
  /** Called with each further one. */
  onChange: (security: Security) => void;
  stop(): void;
}

/**
 * Reads the security now, and again every `everyMs`, so that renewed certificates and changed users count without a restart. The first reading
 * may throw; a later one that does is reported once for each message, and the last good one stays in use.
 */
export function watchSecurity(read: () => Security, everyMs: number, onError: (error: Error) => void): SecuritySource {
  const source = { current: read(), onChange: (_: Security) => {}, stop: () => clearInterval(timer) };
  let text = textOf(source.current);
  let problem = '';
  const timer = setInterval(() => {
    try {
      const next = read();
      problem = '';
      if (textOf(next) === text) return;
      text = textOf(next);
      source.current = next;
      source.onChange(next);
    } catch (error) {
      if ((error as Error).message !== problem) onError(error as Error);
      problem = (error as Error).message;
    }
  }, everyMs).unref();
  return source;
}

/** Returns the reason to end a client's connection for its certificate, or the lack of one; undefined where there is none. */
export function clientProblem({ clientAuth, allowedSans }: Tls, socket: TLSSocket): string | undefined {
  if (clientAuth === 'NoClientCert') return undefined;
  const { subjectaltname, raw } = socket.getPeerCertificate();
  const given = raw !== undefined;
  if (!given) return clientAuth.startsWith('Require') ? 'no client certificate' : undefined;
  const verified = clientAuth === 'VerifyClientCertIfGiven' || clientAuth === 'RequireAndVerifyClientCert';
  if (verified && !socket.authorized)
    return `client certificate: ${socket.authorizationError?.message ?? 'not trusted'}`;
  if (allowedSans === undefined) return undefined;
  const names = (subjectaltname ?? '').split(', ').map((name) => name.replace(/^(DNS|IP Address|URI|email):/, ''));
  return names.some((name) => allowedSans.includes(name)) ? undefined : 'no name of the client certificate is allowed';
}

function textOf({ users, ...rest }: Security): string {
  return JSON.stringify([rest, [...users]]);
}
