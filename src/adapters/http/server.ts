import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answering, type Route } from './answering.ts';
import { bodyReader } from './body.ts';
import { boundConnections } from './connections.ts';
import { createGuard } from './guard.ts';
import { asAsked, encoded } from './reply.ts';
import { clientProblem, type SecuritySource, type Tls } from './security.ts';

export interface HttpOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly routes: readonly Route[];
  /** The key of the configuration that has the port, for messages. Default: `http.port`. */
  readonly portKey?: string;
  /** Names that requests may ask for, without ports; undefined: any. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** TLS, logins and rate; undefined: none of them. */
  readonly security?: SecuritySource | undefined;
  /** Writing needs neither login nor token, as only this machine reaches the address. Default: false where a route writes. */
  readonly openToWrite?: boolean;
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
 * Serves a table of routes: no cookies, no cross-origin reading or writing, bodies only where a route reads them. Rejects where
 * the address cannot be bound.
 */
export async function serveHttp(options: HttpOptions): Promise<HttpServer> {
  const { security, onError, timeouts = standardTimeouts } = options;
  const server = createAnyServer(timeouts, security, onError);
  const connections = boundConnections(server, connectionLimits);
  const guard = createGuard({
    allowedHosts: options.allowedHosts,
    security: () => security?.current,
    // Where no route writes, another method is refused as such.
    openToWrite: options.openToWrite ?? options.routes.every(({ method }) => method === undefined),
    onWrongLogin: options.onWrongLogin ?? (() => {}),
    wrongLoginMs: timeouts.wrongLoginMs,
  });
  const answer = answering(options.routes, bodyReader(bodyLimits), onError);
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    limitReply(response, timeouts.replyMs);
    try {
      const reply = asAsked(request, (await guard(request)) ?? (await answer(request, response)));
      const { status, headers, bytes } = await encoded(request, reply, security?.current.headers ?? {});
      // A client that waits for "100 Continue" may send its body or not: what comes next is ambiguous.
      if (!server.listening || request.headers.expect !== undefined) headers['connection'] = 'close';
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
  // A request that waits for "100 Continue" gets it once its headers were checked.
  server.on('checkContinue', onRequest);
  await listen(server, options);
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

/** A batch of an exporter has some 8 MiB at most. */
const bodyLimits = { bytes: 16 * 2 ** 20, held: 64 * 2 ** 20 };

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

/** Ends the connection of a client that does not take its reply. */
function limitReply(response: ServerResponse, replyMs: number): void {
  const timer = setTimeout(() => response.socket?.destroy(), replyMs).unref();
  response.on('close', () => clearTimeout(timer));
}

function listen(server: AnyServer, { host, port, portKey = 'http.port' }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      const variable = `ASSAY_${portKey.toUpperCase().replace('.', '__')}`;
      const message =
        error.code === 'EADDRINUSE'
          ? `port ${port} of ${host} is taken by another program (EADDRINUSE): end it, or set another ${portKey} (environment: ${variable})`
          : `cannot listen on ${host}:${port} (${error.message}): set http.host and ${portKey} (environment: ${variable})`;
      reject(new Error(message, { cause: error }));
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
