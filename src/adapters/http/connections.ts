import type { ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections at once. */
  readonly connections: number;
  /** Requests that a connection may have sent before the first of them is answered. */
  readonly pipelined: number;
  /** Bytes of replies that wait for their clients to take them. */
  readonly bytes: number;
}

/** The connections of a server: how many there are, and what each may make the server hold, is bounded. */
export interface Connections {
  /**
   * Answers a request once the response before it on its connection was taken: a client that sends requests without reading costs one
   * response. A client that sends too many meanwhile loses its connection.
   */
  inTurn(socket: Socket, response: ServerResponse, answer: () => void): void;
  /** Notes the bytes of the reply in work; where all replies hold too many, the connection whose reply waits for longest is closed. */
  holds(socket: Socket, bytes: number): void;
}

interface Connection {
  /** The one that carries TLS, where there is TLS. */
  readonly socket: Socket;
  /** Requests that wait for the one in work. */
  readonly waiting: (() => void)[];
  busy: boolean;
  bytes: number;
}

/**
 * Bounds the connections of a server. A new one is always taken: at the limit the one that has been idle for longest goes, so that a client that
 * holds connections keeps no probe out.
 */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  // By `nameOf`, in the order of their last request.
  const connections = new Map<string, Connection>();
  const held = { bytes: 0 };
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    const connection = { socket, waiting: [], busy: false, bytes: 0 };
    if (connections.size >= limits.connections) longestIdle(connections)?.destroy();
    connections.set(name, connection);
    socket.once('close', () => {
      release(connection, held);
      if (connections.get(name) === connection) connections.delete(name);
    });
  });
  const work = (connection: Connection, response: ServerResponse, answer: () => void): void => {
    connection.busy = true;
    response.once('close', () => {
      connection.busy = false;
      release(connection, held);
      if (connection.socket.destroyed) return;
      moveToEnd(connections, nameOf(connection.socket), connection);
      connection.waiting.shift()?.();
    });
    answer();
  };
  return {
    inTurn(socket, response, answer) {
      const connection = connections.get(nameOf(socket));
      if (connection === undefined) return;
      moveToEnd(connections, nameOf(socket), connection);
      if (connection.waiting.length >= limits.pipelined) connection.socket.destroy();
      else if (connection.busy) connection.waiting.push(() => work(connection, response, answer));
      else work(connection, response, answer);
    },
    holds(socket, bytes) {
      const connection = connections.get(nameOf(socket));
      if (connection === undefined) return;
      connection.bytes = bytes;
      held.bytes += bytes;
      for (const other of connections.values()) {
        if (held.bytes <= limits.bytes) return;
        if (other === connection || other.bytes === 0) continue;
        release(other, held);
        other.socket.destroy();
      }
    },
  };
}

function release(connection: Connection, held: { bytes: number }): void {
  held.bytes -= connection.bytes;
  connection.bytes = 0;
}

/** Unique among the connections of a server, and the same for the two sockets of one with TLS. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function moveToEnd(connections: Map<string, Connection>, name: string, connection: Connection): void {
  connections.delete(name);
  connections.set(name, connection);
}

/** The connection without a request in work whose last one is longest ago; where all are at work, the one that began first. */
function longestIdle(connections: ReadonlyMap<string, Connection>): Socket | undefined {
  for (const { socket, busy } of connections.values()) if (!busy) return socket;
  return connections.values().next().value?.socket;
}
