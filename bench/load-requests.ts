import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';

/** One event of the load, and the partition that it goes to. */
export interface LoadEvent {
  readonly partition: number;
  readonly key: string;
  readonly value: string;
  readonly tsMs: number;
}

/** Requests that lie in a file, ready to be sent. */
export interface Requests {
  readonly path: string;
  readonly lengths: readonly number[];
}

interface Request {
  readonly request: object;
}

const load: NodeJS.Require = createRequire(import.meta.url);
const produce: (options: object) => Request = load('kafkajs/src/protocol/requests/produce/index.js').protocol({
  version: 3,
});
const createRequest: (request: object) => Promise<{ readonly buffer: Buffer }> = load(
  'kafkajs/src/protocol/request.js',
);

/**
 * Writes each slot's events as one produce request into a file. Encoded beforehand, they cost next to nothing when they are sent: on a small
 * machine a producer would take the processor from the service that it is to load.
 */
export async function writeRequests(
  path: string,
  topic: string,
  slots: number,
  eventsOf: (slot: number) => readonly LoadEvent[],
): Promise<Requests> {
  const file = openSync(path, 'w');
  const lengths: number[] = [];
  for (let slot = 0; slot < slots; slot++) {
    const { request } = produce({ acks: 1, timeout: 30_000, topicData: [topicData(topic, eventsOf(slot))] });
    const { buffer } = await createRequest({ request, correlationId: slot, clientId: 'load' });
    writeSync(file, buffer);
    lengths.push(buffer.length);
  }
  closeSync(file);
  return { path, lengths };
}

function topicData(topic: string, events: readonly LoadEvent[]): object {
  const partitions = [...new Set(events.map(({ partition }) => partition))];
  return {
    topic,
    partitions: partitions.map((partition) => ({
      partition,
      messages: events
        .filter((event) => event.partition === partition)
        .map(({ key, value, tsMs }) => ({ key, value, timestamp: String(tsMs) })),
    })),
  };
}

/** Sends a request every `slotMs`, to the one broker that there is. Answers are not looked at. */
export async function sendRequests(broker: string, { path, lengths }: Requests, slotMs: number): Promise<void> {
  const [host, port] = broker.split(':') as [string, string];
  const socket = connect(Number(port), host);
  socket.resume();
  const file = openSync(path, 'r');
  const start = performance.now();
  for (const [slot, length] of lengths.entries()) {
    const due = slotMs * slot - (performance.now() - start);
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
    const request = Buffer.alloc(length);
    readSync(file, request);
    await new Promise<void>((resolve, reject) => socket.write(request, (error) => (error ? reject(error) : resolve())));
  }
  closeSync(file);
  socket.destroy();
}
