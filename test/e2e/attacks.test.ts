import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { Attacked } from '../support/attackers.ts';
import { testTraffic } from '../support/e2e-traffic.ts';
import { freePort } from '../support/free-port.ts';
import { type TestKafka, type TestRecord, withKafka } from '../support/kafka.ts';
import { replaySummary, serviceConfig, startService, stateSummary } from '../support/service.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { patience } from '../support/until.ts';

const skip = soak ? false : 'a minute of attacks: npm run test:soak';

const perSecond = 5_000;
const [warmMs, attackMs] = [15_000, 30_000];
const events = (perSecond * (warmMs + attackMs)) / 1_000;

const memoryMax = 64 * 2 ** 20;
const probeMaxMs = patience * 1_000;

const user = 'carol:carol123';
const hash = '$2y$10$qRTBuFoULoYNA7AQ/F3ck.trZBPyjV64.oA4ZsSBCIWvXuvQlQTuu';

/*
 * Its state grows with the events, so what a service holds at rest is read from another one, which scores the same events at the same time
 * and is left in peace.
 */
withKafka('the port under every attack at once', (kafka) => {
  test(`memory is bounded, probes are answered, and ${perSecond} events a second are counted`, {
    skip,
  }, async (context) => {
    const folder = temporaryFolder(context);
    const traffic = testTraffic(folder, events);
    const topic = await kafka().freshTopic(3);
    const web = join(folder, 'web.yml');
    writeFileSync(web, stringify({ basic_auth_users: { carol: hash } }));
    const settings = { brokers: kafka().brokers, topics: [topic], truth: [traffic.truth] };
    const [port, expose, calmPort] = [await freePort(), await freePort(), await freePort()];
    const config = serviceConfig({
      ...{ ...settings, group: kafka().freshGroup(), folder },
      more: { http: { port, expose: `127.0.0.1:${expose}`, web_config: web } },
    });
    const calm = startService(
      serviceConfig({
        ...{ ...settings, group: kafka().freshGroup(), folder: temporaryFolder(context) },
        more: { http: { port: calmPort } },
      }),
    );
    const service = startService(config);
    await Promise.all([service.url(), calm.url()]);
    const producing = produceSteadily(kafka(), topic, traffic.records);
    const ports = { probed: [port, expose], attacked: expose, calm: calmPort };
    const before = await watch(ports, warmMs);
    const attackers = fork(
      fileURLToPath(new URL('../support/attackers.js', import.meta.url)),
      [port, expose, user].map(String),
    );
    context.after(() => attackers.kill('SIGKILL'));
    const during = await watch(ports, attackMs);
    attackers.send('stop');
    const [attack] = (await once(attackers, 'message')) as [Attacked];
    await producing;
    context.diagnostic(`before: ${told(before)}`);
    context.diagnostic(`attack: ${told(during)}; the attackers: ${JSON.stringify(attack)} in ${attackMs} ms`);
    for (const one of [service, calm]) assert.equal(await one.stop(), 0, one.log());
    const [summary, replay] = [await stateSummary(join(folder, 'state')), await replaySummary(config, traffic.events)];
    assert.deepEqual(summary.records, replay.records);
    assert.ok(during.slowestMs < probeMaxMs, `a probe took ${during.slowestMs} ms`);
    assert.ok(during.memory - during.calmMemory < memoryMax, told(during));
  });
});

/** Writes the records at their rate, some every tenth of a second: this process asks the probes meanwhile. */
async function produceSteadily(kafka: TestKafka, topic: string, records: readonly TestRecord[]): Promise<void> {
  const startedMs = performance.now();
  for (let written = 0; written < records.length; ) {
    const due = Math.floor(((performance.now() - startedMs) * perSecond) / 1_000);
    await kafka.produce(topic, records.slice(written, due));
    written = Math.max(written, due);
    await sleep(100);
  }
}

interface Ports {
  readonly probed: readonly number[];
  /** Where the memory of the two services is read. */
  readonly attacked: number;
  readonly calm: number;
}

interface Watched {
  readonly probes: number;
  readonly slowestMs: number;
  /** The most, bytes. */
  readonly memory: number;
  /** The same of the service that is left in peace. */
  readonly calmMemory: number;
}

async function watch({ probed, attacked, calm }: Ports, forMs: number): Promise<Watched> {
  const probes: number[] = [];
  const most = { memory: 0, calmMemory: 0 };
  for (const endMs = performance.now() + forMs; performance.now() < endMs; await sleep(250)) {
    probes.push(...(await Promise.all(probed.map(probe))));
    most.memory = Math.max(most.memory, await memoryOf(attacked));
    most.calmMemory = Math.max(most.calmMemory, await memoryOf(calm));
  }
  return { probes: probes.length, slowestMs: Math.max(...probes), ...most };
}

function told({ probes, slowestMs, memory, calmMemory }: Watched): string {
  const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  const slowest = `the slowest of ${probes} probes ${Math.round(slowestMs)} ms`;
  return `${slowest}, memory ${mebibytes(memory)}, of the one in peace ${mebibytes(calmMemory)}`;
}

/** Resident, bytes. */
async function memoryOf(port: number): Promise<number> {
  return Number(/^process_resident_memory_bytes (.*)$/m.exec(await ask(port, '/metrics'))![1]);
}

async function probe(port: number): Promise<number> {
  const startedMs = performance.now();
  assert.equal(await ask(port, '/livez'), 'ok\n');
  return performance.now() - startedMs;
}

function ask(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, path, auth: user, agent: false }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      reply.on('end', () => resolve(text));
    }).on('error', reject);
  });
}
