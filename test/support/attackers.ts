import { connect, type Socket } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * A process of its own: all that strangers may do to the ports of a service at the loopback address, at once, until it is told to stop.
 * Arguments: `http.port`, the port of `http.expose`, and name and password of a user.
 */

/** What the attackers did. */
export interface Attacked {
  readonly connections: number;
  /** Processor time of the attackers. */
  readonly cpuMs: number;
}

const [port, expose, user] = [Number(process.argv[2]), Number(process.argv[3]), process.argv[4]!];
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
  // Ask for the page's document, each time for another one.
  hold(16, (socket) => {
    const ask = (): void => void socket.write(request(`/api/v1/live?since=a.${Math.floor(Math.random() * 1e15)}`));
    ask();
    socket.on('data', ask);
  }),
  // The same at the address of health and metrics, which has no login.
  hold(64, (socket) => every(1_000, socket.resume(), () => socket.write(request('/metrics'))), expose),
  hold(256, (socket) => socket.resume().write('GET / HTTP/1.1\r\nhost: localhost\r\nx-a: '), expose),
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
async function hold(count: number, begin: (socket: Socket) => void, to = port): Promise<void> {
  const sockets = new Set<Socket>();
  while (!attack.signal.aborted) {
    while (sockets.size < count) {
      const socket: Socket = connect(to, '127.0.0.1', () => begin(socket));
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
