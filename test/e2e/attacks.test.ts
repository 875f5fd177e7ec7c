import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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
 * Its state grows with the events, so what a service holds at rest is read from another one, which scores the same events before it and is left
 * in peace. At the same time it would take half of the machine.
 */
withKafka('the port under every attack at once', (kafka) => {
  test(`memory is bounded, probes are answered, and ${perSecond} events a second are counted`, {
    skip,
  }, async (context) => {
    const folder = temporaryFolder(context);
    const traffic = testTraffic(folder, events);
    const calm = await watched(await sceneOf(context, kafka(), traffic.truth), traffic.records, () => ({
      stop: noAttack,
    }));
    context.diagnostic(`in peace: ${told(calm.during)}`);
    const scene = await sceneOf(context, kafka(), traffic.truth);
    const { before, during, attack } = await watched(scene, traffic.records, () => attackOn(context, scene));
    context.diagnostic(`before: ${told(before)}`);
    context.diagnostic(`attack: ${told(during)}; the attackers: ${JSON.stringify(attack)} in ${attackMs} ms`);
    const summary = await stateSummary(join(scene.folder, 'state'));
    const replay = await replaySummary(scene.config, traffic.events);
    assert.deepEqual(summary.records, replay.records);
    assert.ok(during.slowestMs < probeMaxMs, `a probe took ${during.slowestMs} ms`);
    assert.ok(during.memory - calm.during.memory < memoryMax, `${told(during)}; in peace ${told(calm.during)}`);
  });
});

/** A service to be, with two ports, and its topic. */
interface Scene {
  readonly kafka: TestKafka;
  readonly folder: string;
  readonly topic: string;
  readonly config: string;
  readonly port: number;
  readonly expose: number;
}

async function sceneOf(context: TestContext, kafka: TestKafka, truth: string): Promise<Scene> {
  const folder = temporaryFolder(context);
  const topic = await kafka.freshTopic(3);
  const web = join(folder, 'web.yml');
  writeFileSync(web, stringify({ basic_auth_users: { carol: hash } }));
  const [port, expose] = [await freePort(), await freePort()];
  const settings = { brokers: kafka.brokers, topics: [topic], truth: [truth], group: kafka.freshGroup(), folder };
  const http = { port, expose: `127.0.0.1:${expose}`, web_config: web };
  return { kafka, folder, topic, config: serviceConfig({ ...settings, more: { http } }), port, expose };
}

interface Attack {
  stop(): Promise<Attacked | undefined>;
}

const noAttack = (): Promise<undefined> => Promise.resolve(undefined);

function attackOn(context: TestContext, { port, expose }: Scene): Attack {
  const script = fileURLToPath(new URL('../support/attackers.js', import.meta.url));
  const attackers = fork(script, [port, expose, user].map(String));
  context.after(() => attackers.kill('SIGKILL'));
  return {
    async stop() {
      attackers.send('stop');
      const [attack] = (await once(attackers, 'message')) as [Attacked];
      return attack;
    },
  };
}

/** A service from its start to its end, while records come, and from some time on an attack. */
async function watched(
  { kafka, topic, config, port, expose }: Scene,
  records: readonly TestRecord[],
  begin: () => Attack,
) {
  const service = startService(config);
  await service.url();
  const producing = produceSteadily(kafka, topic, records);
  const before = await watch([port, expose], expose, warmMs);
  const attacking = begin();
  const during = await watch([port, expose], expose, attackMs);
  const attack = await attacking.stop();
  await producing;
  assert.equal(await service.stop(), 0, service.log());
  return { before, during, attack };
}

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

interface Watched {
  readonly probes: number;
  readonly slowestMs: number;
  /** The most, bytes. */
  readonly memory: number;
}

/** Asks the probes of some ports for a time, and at one of them for the memory. */
async function watch(probed: readonly number[], metrics: number, forMs: number): Promise<Watched> {
  const probes: number[] = [];
  let memory = 0;
  for (const endMs = performance.now() + forMs; performance.now() < endMs; await sleep(250)) {
    probes.push(...(await Promise.all(probed.map(probe))));
    memory = Math.max(memory, await memoryOf(metrics));
  }
  return { probes: probes.length, slowestMs: Math.max(...probes), memory };
}

function told({ probes, slowestMs, memory }: Watched): string {
  return `the slowest of ${probes} probes ${Math.round(slowestMs)} ms, memory ${Math.round(memory / 2 ** 20)} MiB`;
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
