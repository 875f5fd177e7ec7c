import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import process from 'node:process';

/*
 * A process of its own: all that strangers may do to a port of the loopback address, at once, until it is told to stop. Arguments: the
 * port, and name and password of a user.
 */

/** What the attackers did. */
export interface Attacked {
  readonly connections: number;
  /** Processor time of the attackers. */
  readonly cpuMs: number;
}

const [port, user] = [Number(process.argv[2]), process.argv[3]!];
const done = { connections: 0 };
const attack = new AbortController();

const request = (path: string, login = user): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Basic ${Buffer.from(login).toString('base64')}\r\n\r\n`;

const attackers = [
  // Ask for many pages in one write, read nothing, and come again.
  hold(4, (socket) => {
    leave(1_000, socket);
    socket.pause().write(request('/metrics').repeat(1_700));
  }),
  // Hold every connection that there is, with a request now and then.
  hold(256, (socket) => every(20_000, socket.resume(), () => socket.write(request('/livez')))),
  // Hold more connections than there are, and say nothing.
  hold(150, (socket) => socket.resume()),
  // Begin a request and never end it.
  hold(100, (socket) => socket.resume().write('GET / HTTP/1.1\r\nhost: localhost\r\nx-a: ')),
  // Take nothing of a page.
  hold(100, (socket) => {
    leave(5_000, socket);
    socket.pause().write(request('/metrics'));
  }),
  // Take a kilobyte a second.
  hold(50, (socket) => {
    leave(15_000, socket);
    socket.pause().write(request('/metrics'));
    every(1_000, socket, () => socket.read(1_024));
  }),
  // Try passwords.
  hold(16, (socket) => socket.resume().write(request('/', `carol:${Math.random()}`))),
];

process.on('message', async () => {
  attack.abort();
  await Promise.all(attackers);
  const { user: own, system } = process.cpuUsage();
  const attacked: Attacked = { ...done, cpuMs: Math.round((own + system) / 1_000) };
  process.send!(attacked, () => process.disconnect());
});

/** Keeps so many connections open, each begun again when it is ended. */
async function hold(count: number, begin: (socket: Socket) => void): Promise<void> {
  const sockets = new Set<Socket>();
  while (!attack.signal.aborted) {
    while (sockets.size < count) {
      const socket: Socket = connect(port, '127.0.0.1', () => begin(socket));
      done.connections++;
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    }
    await sleep(50);
  }
  for (const socket of sockets) socket.destroy();
}

/** Now, and at each interval, until the connection is over. */
function every(ms: number, socket: Socket, act: () => void): void {
  act();
  const timer = setInterval(act, ms);
  socket.once('close', () => clearInterval(timer));
}

/** Ends a connection after a while: one that reads nothing does not notice when the other side ends it. */
function leave(afterMs: number, socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), afterMs);
  socket.once('close', () => clearTimeout(timer));
}
