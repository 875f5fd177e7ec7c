import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { boundConnections } from './connections.ts';
import { createGuard } from './guard.ts';
import { encoded, type Reply, textReply } from './reply.ts';
import { clientProblem, type SecuritySource, type Tls } from './security.ts';

export interface Route {
  readonly path: string;
  readonly handler: (request: HttpRequest) => Reply | Promise<Reply>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD';
  readonly query: URLSearchParams;
  /** The header of that name. */
  readonly accept?: string | undefined;
}

export interface HttpOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly routes: readonly Route[];
  /** Names that requests may ask for, without ports; undefined: any. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** TLS, logins and rate; undefined: none of them. */
  readonly security?: SecuritySource | undefined;
  /** Called when a handler threw; the client gets status 500. */
  readonly onError: (error: unknown) => void;
  readonly onWrongLogin?: () => void;
  readonly timeouts?: Timeouts;
}

export interface Timeouts {
  /** For a request to arrive in full, and for a TLS handshake. */
  readonly requestMs: number;
  /** For a reply to be taken. */
  readonly replyMs: number;
  /** How long a wrong login waits for its answer. */
  readonly wrongLoginMs: number;
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
  const { security, onError, timeouts = standardTimeouts } = options;
  const routes = new Map(options.routes.map((route) => [route.path, route]));
  const server = createAnyServer(timeouts, security, onError);
  const connections = boundConnections(server, connectionLimits);
  const guard = createGuard({
    allowedHosts: options.allowedHosts,
    security: () => security?.current,
    onWrongLogin: options.onWrongLogin ?? (() => {}),
    wrongLoginMs: timeouts.wrongLoginMs,
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    limitReply(response, timeouts.replyMs);
    try {
      const reply = (await guard(request)) ?? (await answer(request, routes, onError));
      const { status, headers, bytes } = await encoded(request, reply, security?.current.headers ?? {});
      if (!server.listening) headers['connection'] = 'close';
      connections.holds(request.socket, bytes?.length ?? 0);
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : bytes);
    } catch (error) {
      onError(error);
      response.destroy();
    }
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    connections.inTurn(request.socket, response, () => void respond(request, response));
  server.on('request', onRequest);
  // A request that waits for "100 Continue" gets its answer at once.
  server.on('checkContinue', onRequest);
  await listen(server, options.host, options.port);
  // Such as too many open files, on accept.
  server.on('error', onError);
  const { address, port, family } = server.address() as AddressInfo;
  const scheme = security?.current.tls === undefined ? 'http' : 'https';
  const url = `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  return { host: address, port, url, close: (graceMs = 1000) => close(server, graceMs) };
}

type AnyServer = Server | TlsServer;

const standardTimeouts: Timeouts = { requestMs: 10_000, replyMs: 30_000, wrongLoginMs: 1_000 };

/** An instance has a few scrapers, probes and people. */
const connectionLimits = { connections: 256, pipelined: 16, bytes: 32 * 2 ** 20 };

function createAnyServer(
  timeouts: Timeouts,
  security: SecuritySource | undefined,
  onError: HttpOptions['onError'],
): AnyServer {
  const settings = {
    maxHeaderSize: 8192,
    headersTimeout: timeouts.requestMs,
    requestTimeout: timeouts.requestMs,
    // Longer than a usual scrape interval, so that a scraper keeps its connection.
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: Math.min(1000, timeouts.requestMs),
  };
  const tls = security?.current.tls;
  const server =
    tls === undefined
      ? createServer(settings)
      : createTlsServer({
          ...settings,
          ...tls.context,
          requestCert: asksForCertificate(tls),
          // Certificates are checked below, where the reason of a refusal is at hand.
          rejectUnauthorized: false,
          handshakeTimeout: timeouts.requestMs,
        });
  if (security === undefined) return server;
  server.on('secureConnection', (socket) => {
    if (clientProblem(security.current.tls ?? tls!, socket) !== undefined) socket.destroy();
  });
  security.onChange = (next) => {
    if (next.tls !== undefined && 'setSecureContext' in server) server.setSecureContext(next.tls.context);
    if (asksForCertificate(next.tls) !== asksForCertificate(tls))
      onError(
        new Error('http.web_config: to switch TLS on or off, or to ask for client certificates, takes a restart'),
      );
  };
  return server;
}

/** Undefined without TLS. */
function asksForCertificate(tls: Tls | undefined): boolean | undefined {
  return tls && tls.clientAuth !== 'NoClientCert';
}

const urlLengthMax = 2048;
/** A proxy may send the whole address (RFC 9112, 3.2.2). */
const absoluteForm = /^https?:\/\/[^/?]*/i;
async function answer(
  request: IncomingMessage,
  routes: ReadonlyMap<string, Route>,
  onError: HttpOptions['onError'],
): Promise<Reply> {
  const { method, url = '' } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    return textReply(405, 'only GET and HEAD are answered', { allow: 'GET, HEAD', connection: 'close' });
  }
  if (hasBody(request)) return textReply(413, 'a request takes no body: send it without one', { connection: 'close' });
  if (url.length > urlLengthMax) return textReply(414, `the address is longer than ${urlLengthMax} characters`);
  const [path, query] = splitAt(url.replace(absoluteForm, ''), '?');
  const route = routes.get(path);
  if (route === undefined) return textReply(404, `not found; there are: ${[...routes.keys()].join(' ')}`);
  try {
    return await route.handler({ method, query: new URLSearchParams(query), accept: request.headers.accept });
  } catch (error) {
    onError(error);
    return textReply(500, 'internal error; see the log');
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/** Ends the connection of a client that does not take its reply. */
function limitReply(response: ServerResponse, replyMs: number): void {
  const timer = setTimeout(() => response.socket?.destroy(), replyMs).unref();
  response.on('close', () => clearTimeout(timer));
}

function listen(server: AnyServer, host: string, port: number): Promise<void> {
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

function close(server: AnyServer, graceMs: number): Promise<void> {
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
