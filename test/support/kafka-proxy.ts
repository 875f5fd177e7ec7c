import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/**
 * A proxy before a broker: clients of its address are told that the broker is there. `onFetched` may change a response to a fetch: its
 * length and what follows, as on the wire.
 *
 * @returns its address
 */
export async function kafkaProxy(
  context: TestContext,
  broker: string,
  onFetched: (response: Buffer) => void,
): Promise<string> {
  const [host, port] = broker.split(':') as [string, string];
  const server = createServer((client) => {
    const upstream = connect(Number(port), host);
    const fetches = new Set<number>();
    onMessage(client, (request) => {
      if (request.readInt16BE(4) === fetchKey) fetches.add(request.readInt32BE(8));
      upstream.write(request);
    });
    onMessage(upstream, (response) => {
      if (fetches.delete(response.readInt32BE(4))) onFetched(response);
      else redirect(response);
      client.write(response);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => undefined).on('close', () => other.destroy());
  });
  server.listen(0, host);
  await once(server, 'listening');
  context.after(() => server.close());
  const own = (server.address() as AddressInfo).port;
  const redirect = (response: Buffer): void => {
    const at = response.indexOf(wireAddress(host, Number(port)));
    if (at >= 0) wireAddress(host, own).copy(response, at);
  };
  return `${host}:${own}`;
}

const fetchKey = 1;

/** As metadata name a broker. */
function wireAddress(host: string, port: number): Buffer {
  const bytes = Buffer.alloc(2 + host.length + 4);
  bytes.writeInt16BE(host.length, 0);
  bytes.write(host, 2);
  bytes.writeInt32BE(port, 2 + host.length);
  return bytes;
}

/** Calls `take` with each request or response of a connection, with its length before it. */
function onMessage(socket: Socket, take: (message: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const end = 4 + rest.readInt32BE(0);
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });
}
