import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { acceptsGzip } from './accept.ts';

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  /** Undefined: no bytes and no length are sent (HEAD of a web page that is not rendered for it). */
  readonly body: string | Buffer | undefined;
  /** Sent gzipped where the client accepts it. */
  readonly compress?: boolean;
  /** Over the standard ones. */
  readonly headers?: Readonly<Record<string, string>>;
}

const plainText = 'text/plain; charset=utf-8';

/** A reply in plain text. A refusal says what is wrong and, behind a semicolon, what to do. */
export function textReply(status: number, text: string, headers?: Readonly<Record<string, string>>): Reply {
  return { status, contentType: plainText, body: `${text}\n`, ...(headers && { headers }) };
}

/** A refusal of the API: what is wrong, and what to do. */
export interface Problem {
  readonly error: string;
  readonly remedy: string;
}

/** The problem that a text names, with the remedy behind its first semicolon. */
export function problemOf(text: string): Problem {
  const at = text.indexOf('; ');
  return at < 0 ? { error: text, remedy: '' } : { error: text.slice(0, at), remedy: text.slice(at + 2) };
}

/** A reply as its path has it: programs get refusals in JSON, pages and probes in plain text. */
export function asAsked({ url = '' }: Pick<IncomingMessage, 'url'>, reply: Reply): Reply {
  const { status, contentType, body, headers } = reply;
  const isRefusal = status >= 400 && contentType === plainText && typeof body === 'string';
  if (!isRefusal || !/^(?:https?:\/\/[^/?]*)?\/(?:v1|api)\//i.test(url)) return reply;
  return { ...jsonReply(status, JSON.stringify(problemOf(body.trimEnd()))), ...(headers && { headers }) };
}

/** A reply in JSON. */
export function jsonReply(status: number, body: string): Reply {
  return { status, contentType: 'application/json; charset=utf-8', body, compress: true };
}

export interface Encoded {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly bytes: Buffer | undefined;
}

/** The body as it is sent. Requests that share a reply share its bytes. */
export async function encoded(
  request: IncomingMessage,
  reply: Reply,
  more: Readonly<Record<string, string>>,
): Promise<Encoded> {
  const { status, contentType, body, compress = false } = reply;
  const headers: Encoded['headers'] = { ...standardHeaders, 'content-type': contentType };
  const zip = compress && acceptsGzip(String(request.headers['accept-encoding'] ?? ''));
  if (compress) headers['vary'] = 'accept-encoding';
  if (zip) headers['content-encoding'] = 'gzip';
  const bytes = body === undefined ? undefined : await bytesOf(reply, body, zip);
  if (bytes !== undefined) headers['content-length'] = bytes.length;
  return { status, headers: { ...headers, ...reply.headers, ...more }, bytes };
}

/** Headers of every reply: it is never sniffed, framed, cached or read by another site, and loads nothing. */
const standardHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

const gzipBytes = promisify(gzip);

const known = new WeakMap<Reply, { plain?: Buffer; gzipped?: Promise<Buffer> }>();

function bytesOf(reply: Reply, body: string | Buffer, zip: boolean): Buffer | Promise<Buffer> {
  const bytes = known.get(reply) ?? {};
  known.set(reply, bytes);
  return zip ? (bytes.gzipped ??= gzipBytes(body, { level: 1 })) : (bytes.plain ??= asBytes(body));
}

function asBytes(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}
