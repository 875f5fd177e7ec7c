import kafkajs from 'kafkajs';
import { type Connection, connectionPrototype } from './kafkajs-parts.ts';

/**
 * Mends the connections of kafkajs 2.2.4, once for all of them: a connection that is out of step is ended, and kafkajs makes another. By
 * itself it waits for the rest of any length that it reads, negative or a gigabyte, and for the response to each request on the same
 * connection, some minutes long; and where a connection breaks within a response, it takes the next one for the rest of that. It renews a
 * session 10 s before its end: one that is shorter at once, which the broker refuses. A request on a connection that is being left when it
 * breaks waits for ever, and with it all that wait for the lock of that broker.
 */
export function mendConnections(): void {
  const { connect, processData, send, isAuthenticated } = connectionPrototype;
  const arrived = new WeakMap<Connection, Arrived>();
  connectionPrototype.connect = function (this: Connection) {
    if (this.isConnected()) return connect.call(this);
    arrived.delete(this);
    const connected = connect.call(this);
    const { socket } = this;
    // There is none where it cannot be made: a certificate that is none.
    socket?.once('close', () => {
      if (this.socket === socket) failWaiting(this);
    });
    return connected;
  };
  connectionPrototype.processData = function (this: Connection, data: Buffer) {
    // A broker before Kafka 1.0 sends no lengths while it authenticates.
    if (this.authHandlers !== null && !this.authExpectResponse) return processData.call(this, data);
    let part = arrived.get(this);
    if (part === undefined)
      arrived.set(this, (part = { length: Buffer.alloc(lengthBytes), response: undefined, bytes: 0 }));
    for (const response of whole(part, data)) {
      const problem = typeof response === 'string' ? response : problemOf(this, response);
      if (problem !== undefined) return void this.socket?.destroy(new Error(problem));
      // kafkajs would copy it behind an empty rest of the last one.
      Object.assign(this, { chunks: [], bytesBuffered: 0 });
      processData.call(this, response as Buffer);
    }
  };
  connectionPrototype.isAuthenticated = function (this: Connection) {
    const lifeMs = Number(this.sessionLifetime.toString());
    if (lifeMs > 0) this.reauthenticationThreshold = Math.min(renewBeforeMs, Math.floor(lifeMs * renewShare));
    return isAuthenticated.call(this);
  };
  connectionPrototype.send = async function (this: Connection, exchange: object) {
    try {
      return await send.call(this, exchange);
    } catch (error) {
      if ((error as Error).name === 'KafkaJSRequestTimeoutError') this.socket?.destroy(error as Error);
      throw error;
    }
  };
}

/** Its socket is closed: no answer will come. */
function failWaiting(connection: Connection): void {
  connection.authHandlers?.onError();
  connection.rejectRequests(new kafkajs.KafkaJSConnectionError('Closed connection'));
}

/** A session is renewed so long before its end, in ms: kafkajs's own time, or a share of a short session. */
const renewBeforeMs = 10_000;
const renewShare = 0.3;

/** The part of the next response that has arrived: bytes of its length or, once that is known, of the response. */
interface Arrived {
  readonly length: Buffer;
  response: Buffer | undefined;
  bytes: number;
}

const lengthBytes = 4;
/** Its number comes first. A broker sends some megabytes, or one batch that is larger. */
const [leastBytes, mostBytes] = [4, 2 ** 28];

/** Yields the responses that are whole now, each behind its length, or the fault of the next length. Copies the data once. */
function* whole(part: Arrived, data: Buffer): Generator<Buffer | string> {
  let taken = 0;
  while (taken < data.length) {
    const into = part.response ?? part.length;
    const copied = data.copy(into, part.bytes, taken);
    part.bytes += copied;
    taken += copied;
    if (part.bytes < into.length) return;
    if (part.response !== undefined) {
      const { response } = part;
      Object.assign(part, { response: undefined, bytes: 0 });
      yield response;
      continue;
    }
    const length = part.length.readInt32BE(0);
    if (length < leastBytes || length > mostBytes) return yield `a response of ${length} bytes is announced`;
    part.response = Buffer.allocUnsafe(lengthBytes + length);
    part.length.copy(part.response);
  }
}

function problemOf({ authHandlers, requestQueue }: Connection, response: Buffer): string | undefined {
  const id = response.readInt32BE(lengthBytes);
  return authHandlers !== null || requestQueue.inflight.has(id) ? undefined : `a response to no request, ${id}, came`;
}
