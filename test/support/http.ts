import assert from 'node:assert/strict';
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { textReply } from '../../src/adapters/http/reply.ts';
import type { Route } from '../../src/adapters/http/answering.ts';
import { type HttpOptions, type HttpServer, serveHttp } from '../../src/adapters/http/server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

/** A real request on a connection of its own, unless an agent is given. */
export function ask(
  server: HttpServer,
  path: string,
  { method = 'GET', headers = {}, body, agent }: Asked = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host, port } = server;
    const asking = request({ host, port, path, method, headers, agent: agent ?? false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) }),
      );
      response.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}

/** What the server says on a raw connection until it closes it. */
export function raw(server: HttpServer, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, server.host, () => socket.write(text));
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', reject);
  });
}

export const hello: Route = { path: '/hello', handler: () => textReply(200, 'hello') };
export const long: Route = {
  path: '/long',
  handler: () => ({ status: 200, contentType: 'text/plain', body: 'ü'.repeat(50_000), compress: true }),
};

export const unexpected = (error: unknown): void => assert.fail(String(error));

/** Serves some routes for as long as the check takes. */
export async function serving(
  routes: readonly Route[],
  check: (server: HttpServer) => Promise<void>,
  more: Partial<HttpOptions> = {},
): Promise<void> {
  const server = await serveHttp({ host: '127.0.0.1', port: 0, routes, onError: unexpected, ...more });
  try {
    await check(server);
  } finally {
    await server.close();
  }
}
