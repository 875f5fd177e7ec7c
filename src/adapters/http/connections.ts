import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** Connections at once. */
  readonly connections: number;
  /** Requests that a connection may have sent before the first of them is answered. */
  readonly pipelined: number;
}

/** The connections of a server: how many there are, and what each may make the server hold, is bounded. */
export interface Connections {
  /**
   * Answers a request once the response before it on its connection was taken: a client that asks without reading costs one response.
   * One that asks too often meanwhile loses its connection.
   */
  inTurn(socket: Socket, response: ServerResponse, answer: () => void): void;
}

interface Connection {
  /** Requests that wait for the one in work. */
  readonly waiting: (() => void)[];
  busy: boolean;
}

/**
 * Bounds the connections of a server. A new one is always taken: at the limit the one that has been idle for longest goes, so that whoever
 * holds connections keeps no probe out.
 */
export function boundConnections(server: Server, limits: ConnectionLimits): Connections {
  // In the order of their last request; a connection moves to the end with each.
  const connections = new Map<Socket, Connection>();
  const touch = (socket: Socket, connection: Connection): void => {
    connections.delete(socket);
    connections.set(socket, connection);
  };
  server.on('connection', (socket: Socket) => {
    if (connections.size >= limits.connections) longestIdle(connections)?.destroy();
    connections.set(socket, { waiting: [], busy: false });
    socket.once('close', () => connections.delete(socket));
  });
  return {
    inTurn(socket, response, answer) {
      const connection = connections.get(socket);
      if (connection === undefined) return;
      touch(socket, connection);
      if (connection.waiting.length >= limits.pipelined) {
        socket.destroy();
        return;
      }
      const next = (): void => {
        connection.busy = true;
        response.once('close', () => {
          connection.busy = false;
          touch(socket, connection);
          if (socket.destroyed) connections.delete(socket);
          else connection.waiting.shift()?.();
        });
        answer();
      };
      if (connection.busy) connection.waiting.push(next);
      else next();
    },
  };
}

/** The connection without a request in work whose last one is longest ago; where all are at work, the one that began first. */
function longestIdle(connections: ReadonlyMap<Socket, Connection>): Socket | undefined {
  for (const [socket, { busy }] of connections) if (!busy) return socket;
  return connections.keys().next().value;
}
