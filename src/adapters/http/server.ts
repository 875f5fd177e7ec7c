import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { boundConnections } from './connections.ts';

export interface Route {
  readonly path: string;
  readonly handler: (request: HttpRequest) => Reply | Promise<Reply>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD';
  readonly query: URLSearchParams;
}

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  /** Undefined: nothing to send and no length to tell (HEAD of a page that is not rendered for it). */
  readonly body: string | undefined;
  /** Sent gzipped where the client accepts it. */
  readonly compress?: boolean;
  /** Over the standard ones. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HttpOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly routes: readonly Route[];
  /** Names that requests may ask for, without ports; undefined: any. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Told of a handler that threw; the client gets status 500. */
  readonly onError: (error: unknown) => void;
  /** Time for a request to arrive in full, and for its reply to be taken. */
  readonly timeouts?: { readonly requestMs: number; readonly replyMs: number };
}

export interface HttpServer {
  readonly host: string;
  readonly port: number;
  /** `http://127.0.0.1:9464` */
  readonly url: string;
  /** Refuses new connections, lets replies under way finish for up to `graceMs`, then ends every connection. */
  close(graceMs?: number): Promise<void>;
}

/**
 * Serves a table of routes: GET and HEAD only, no request body, no cookies, no cross-origin reading. Rejects where
 * the address cannot be bound.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const timeouts = options.timeouts ?? { requestMs: 10_000, replyMs: 30_000 };
  const routes = new Map(options.routes.map((route) => [route.path, route]));
  const server = createServer({
    maxHeaderSize: 8192,
    headersTimeout: timeouts.requestMs,
    requestTimeout: timeouts.requestMs,
    // Longer than a usual scrape interval, so that a scraper keeps its connection.
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: Math.min(1000, timeouts.requestMs),
  });
  const connections = boundConnections(server, { connections: connectionsMax, pipelined: pipelinedMax });
  const known: KnownBytes = new WeakMap();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    limitReply(response, timeouts.replyMs);
    try {
      const { status, headers, bytes } = await encode(request, await answer(request, routes, options), known);
      if (!server.listening) headers['connection'] = 'close';
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : bytes);
    } catch (error) {
      options.onError(error);
      response.destroy();
    }
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    connections.inTurn(request.socket, response, () => void respond(request, response));
  server.on('request', onRequest);
  // A client that asks before it sends a body is answered, not told to go on.
  server.on('checkContinue', onRequest);
  await listen(server, options.host, options.port);
  // Such as too many open files, on accept.
  server.on('error', options.onError);
  const { address, port, family } = server.address() as AddressInfo;
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  return { host: address, port, url, close: (graceMs = 1000) => close(server, graceMs) };
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

/** An instance has a few scrapers, probes and people. */
const connectionsMax = 256;
const pipelinedMax = 16;
const urlLengthMax = 2048;
/** A proxy may send the whole address (RFC 9112, 3.2.2). */
const absoluteForm = /^https?:\/\/[^/?]*/i;
const gzipBytes = promisify(gzip);

/** Bytes of replies that concurrent requests share: one buffer for all of them. */
type KnownBytes = WeakMap<Reply, { plain?: Buffer; gzipped?: Promise<Buffer> }>;

/** A reply in plain text. */
export function textReply(status: number, text: string, headers?: Readonly<Record<string, string>>): Reply {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${text}\n`, ...(headers && { headers }) };
}

async function answer(
  request: IncomingMessage,
  routes: ReadonlyMap<string, Route>,
  { allowedHosts, onError }: Pick<HttpOptions, 'allowedHosts' | 'onError'>,
): Promise<Reply> {
  const { method, url = '' } = request;
  if (allowedHosts !== undefined && !allowedHosts.includes(hostName(request)))
    return textReply(421, 'this name is not served here: see http.allowed_hosts', { connection: 'close' });
  if (method !== 'GET' && method !== 'HEAD') {
    return textReply(405, 'only GET and HEAD are answered', { allow: 'GET, HEAD', connection: 'close' });
  }
  if (hasBody(request)) return textReply(413, 'a request takes no body: send it without one', { connection: 'close' });
  if (url.length > urlLengthMax) return textReply(414, `the address is longer than ${urlLengthMax} characters`);
  const [path, query] = splitAt(url.replace(absoluteForm, ''), '?');
  const route = routes.get(path);
  if (route === undefined) return textReply(404, `not found; there are: ${[...routes.keys()].join(' ')}`);
  try {
    return await route.handler({ method, query: new URLSearchParams(query) });
  } catch (error) {
    onError(error);
    return textReply(500, 'internal error; see the log');
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

interface Encoded {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly bytes: Buffer | undefined;
}

async function encode(request: IncomingMessage, reply: Reply, known: KnownBytes): Promise<Encoded> {
  const { status, contentType, body, compress = false } = reply;
  const headers: Encoded['headers'] = { ...standardHeaders, 'content-type': contentType };
  const zip = compress && acceptsGzip(String(request.headers['accept-encoding'] ?? ''));
  if (compress) headers['vary'] = 'accept-encoding';
  if (zip) headers['content-encoding'] = 'gzip';
  const bytes = body === undefined ? undefined : await bytesOf(reply, body, zip, known);
  if (bytes !== undefined) headers['content-length'] = bytes.length;
  return { status, headers: { ...headers, ...reply.headers }, bytes };
}

function bytesOf(reply: Reply, body: string, zip: boolean, known: KnownBytes): Buffer | Promise<Buffer> {
  const bytes = known.get(reply) ?? {};
  known.set(reply, bytes);
  return zip ? (bytes.gzipped ??= gzipBytes(body, { level: 1 })) : (bytes.plain ??= Buffer.from(body));
}

/** Name in the header `Host`, without the port, in lower case. */
function hostName({ headers }: IncomingMessage): string {
  return (headers.host ?? '').replace(/:\d*$/, '').toLowerCase();
}

/** Whether gzip (or `*`, where gzip is not named) is accepted with a weight above 0 (RFC 9110, 12.5.3). */
export function acceptsGzip(acceptEncoding: string): boolean {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Ends the connection of a client that does not take its reply. */
function limitReply(response: ServerResponse, replyMs: number): void {
  const timer = setTimeout(() => response.socket?.destroy(), replyMs).unref();
  response.on('close', () => clearTimeout(timer));
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => {
      reject(
        new Error(`cannot listen on ${host}:${port} (${error.message}): set http.host and http.port`, { cause: error }),
      );
    };
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

function close(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
