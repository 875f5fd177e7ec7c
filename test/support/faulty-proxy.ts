import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** What may befall a request: it waits, is told to slow down, or its connection ends before it, within it, or within the response. */
export type Fault = 'none' | 'slow' | 'slow down' | 'reset' | 'cut';

/**
 * A proxy before a server of HTTP that does to each request what `faultOf` says.
 *
 * @returns its address
 */
export async function faultyProxy(
  context: TestContext,
  target: string,
  faultOf: () => { readonly fault: Fault; readonly delayMs: number },
): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const { fault, delayMs } = faultOf();
    setTimeout(() => answer(target, fault, incoming, outgoing), delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answer(target: string, fault: Fault, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (fault === 'slow down') {
    incoming.resume();
    outgoing.writeHead(503, { 'content-type': 'application/xml' });
    outgoing.end('<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>');
    return;
  }
  const { host, ...headers } = incoming.headers;
  const { hostname, port } = new URL(target);
  // The signature covers the name that the client knows.
  const upstream = request(
    { hostname, port, path: incoming.url, method: incoming.method, headers: { ...headers, host } },
    (reply) => {
      outgoing.writeHead(reply.statusCode!, reply.headers);
      if (fault === 'cut') {
        reply.once('data', (chunk: Buffer) => {
          outgoing.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => outgoing.destroy());
        });
        reply.once('end', () => outgoing.destroy());
      } else reply.pipe(outgoing);
    },
  );
  upstream.on('error', () => outgoing.destroy());
  incoming.on('error', () => upstream.destroy());
  if (fault === 'reset') {
    incoming.once('data', () => void incoming.destroy());
    incoming.once('end', () => void outgoing.destroy());
    incoming.resume();
    return;
  }
  incoming.pipe(upstream);
}

/** A fault in one of ten requests, and a delay of 20 to 500 ms, by a chance from 0 to 1. */
export function faultOf(chance: number): { readonly fault: Fault; readonly delayMs: number } {
  const faults: readonly Fault[] = ['slow down', 'reset', 'cut'];
  return { fault: faults[Math.floor(chance * 30)] ?? 'none', delayMs: 20 + ((chance * 1e6) % 1) * 480 };
}
