import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../test/support/service.ts';
import type { Build } from './builds.ts';
import { type Progress, progressOf, scrapeEveryMs } from './consumers.ts';
import { uniqueTraffic } from './unique-traffic.ts';

/** Traffic over HTTP: events a second, and in a request. */
const rate = 10_000;
const batch = 100;
/** Requests under way at most. */
const lanes = 8;

/** Traffic that is sent over HTTP, and its truth. */
export interface SentTraffic {
  readonly folder: string;
  readonly messages: number;
  readonly truth: string;
}

/**
 * CPU a message in µs of the whole service that reads the log inside, all families: from the requests, 10,000 events a second in batches of 100, to
 * the last checkpoint; less what it takes to start and wait as long. The events are those of `uniqueTopic`.
 */
export async function doorCpu({ folder, messages, truth }: SentTraffic, build?: Build): Promise<number> {
  const bodies = bodiesOf(messages);
  const cpuOf = async (work: (url: string) => Promise<unknown>, isDone: (progress: Progress) => boolean) => {
    const own = mkdtempSync(join(folder, 'door-'));
    const config = join(own, 'assay.yaml');
    const state = { dir: join(own, 'state'), checkpoint_every: '5s' };
    writeFileSync(config, JSON.stringify({ truth: { paths: [truth] }, state, http: { port: 0 } }));
    const service = startService(config, [], {}, 'run', build?.program);
    const sent = work(await service.url());
    const last = await progressOf(service, scrapeEveryMs, isDone);
    await sent;
    await service.stop();
    return last;
  };
  const full = await cpuOf(
    (url) => send(url, bodies),
    ({ read }) => read >= messages,
  );
  const idle = await cpuOf(
    async () => undefined,
    ({ seconds }) => seconds >= full.seconds,
  );
  return (1e6 * (full.cpu - idle.cpu)) / messages;
}

function bodiesOf(messages: number): readonly string[] {
  const traffic = uniqueTraffic(19, messages);
  const now = Date.now();
  return Array.from({ length: messages / batch }, (_, at) =>
    Array.from({ length: batch }, (__, next) => traffic.next(now - 10 * (messages - at * batch - next)).value).join(
      '\n',
    ),
  );
}

/** Sends bodies when they are due, several at a time. */
async function send(url: string, bodies: readonly string[]): Promise<void> {
  const startMs = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < bodies.length) {
      const at = next++;
      const waitMs = startMs + (1_000 * batch * at) / rate - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      const headers = { 'content-type': 'application/x-ndjson' };
      const answer = await fetch(`${url}/v1/events`, { method: 'POST', headers, body: bodies[at]! });
      if (answer.status !== 200) throw new Error(`status ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
