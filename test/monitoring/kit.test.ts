import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { type TestKafka, withKafka } from '../support/kafka.ts';
import { passesWithin, query, startAlertmanager, startPager, startPrometheus } from '../support/monitoring.ts';
import { runProgram } from '../support/program.ts';
import { allGroups } from '../support/promtool.ts';
import { startService, type TestService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { installed, runCommand, testWith } from '../support/tools.ts';
import { accuracyAgrees } from './agreement.ts';
import { dashboardsHaveData } from './check-dashboards.ts';
import { scaledGroups } from './scaled-rules.ts';

withKafka('compose.yaml, without containers', (kafka) => {
  testWith(
    ['prometheus'],
    'traffic, truth and configuration fit: every panel has data, and Prometheus agrees with the summary to the last digit',
    async (context, prometheusCommand) => {
      const { config, send } = await prepare(context, kafka());
      const service = startService(config);
      const url = await service.url();
      const prometheus = await monitor(context, prometheusCommand, url);
      const traffic = send();
      const queries = await within(service, 50_000, () => dashboardsHaveData(prometheus));
      context.diagnostic(`${queries} queries of panels have data`);
      assert.equal(await traffic.stop(), 0);
      await within(service, 30_000, () => accuracyAgrees(prometheus, url, 1e-12));
      await within(service, 30_000, () => countersAreComplete(prometheus, service));
      assert.equal(await service.stop(), 0, service.log());
    },
  );
});

/** Tries until the assertions hold; what is returned last. */
async function within<T>(service: TestService, limitMs: number, assertions: () => Promise<T>): Promise<T> {
  let result: T | undefined;
  await passesWithin(limitMs, async () => {
    assert.equal(service.process.exitCode, null, service.log());
    result = await assertions();
  });
  return result!;
}

interface Prepared {
  readonly config: string;
  readonly send: () => Traffic;
}

interface Traffic {
  /** Resolves with the exit status. */
  stop(): Promise<number | null>;
}

/** What the services `topics`, `truth` and `traffic` of compose.yaml do, and the configuration that is mounted, with the addresses of here. */
async function prepare(context: TestContext, kafka: TestKafka): Promise<Prepared> {
  const folder = temporaryFolder(context);
  mkdirSync(join(folder, 'compose'));
  mkdirSync(join(folder, 'truth'));
  copyFileSync('deploy/compose/traffic.mjs', join(folder, 'compose/traffic.mjs'));
  symlinkSync(fileURLToPath(new URL('../../', import.meta.url)), join(folder, 'dist'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  copyFileSync('package.json', join(folder, 'package.json'));
  const topic = await kafka.freshTopic(6);
  const program = join(folder, 'compose/traffic.mjs');
  writeFileSync(join(folder, 'truth.ndjson'), (await runCommand(process.execPath, [program, 'truth'])).stdout);
  const truth = join(folder, 'truth/truth.arrow');
  const { status, stderr } = await runProgram(['truth', 'build', join(folder, 'truth.ndjson'), '-o', truth]);
  assert.equal(status, 0, stderr);

  const mounted = parse(readFileSync('deploy/compose/assay.yaml', 'utf8')) as Record<string, Record<string, unknown>>;
  const here = {
    ...mounted,
    kafka: {
      ...mounted['kafka'],
      brokers: kafka.brokers,
      topics: [topic],
      dead_letter_topic: await kafka.freshTopic(1),
      group_id: kafka.freshGroup(),
    },
    truth: { paths: [join(folder, 'truth')] },
    state: { dir: join(folder, 'state'), checkpoint_every: '1s' },
    snapshots: { dir: join(folder, 'snapshots'), every: '3s' },
    http: { port: 0 },
  };
  const config = join(folder, 'assay.yaml');
  writeFileSync(config, JSON.stringify(here));
  const args = [program, 'send', '--brokers', kafka.brokers.join(), '--topic', topic, '--rate', '60'];
  return { config, send: () => startTraffic(context, args) };
}

function startTraffic(context: TestContext, args: readonly string[]): Traffic {
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  context.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([status]) => status as number | null);
  return {
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Prometheus with the rules of the kit, 20 times as fast. */
async function monitor(context: TestContext, prometheusCommand: string, url: string): Promise<string> {
  const alertmanagerCommand = installed('prometheus-alertmanager', 'alertmanager');
  assert.ok(alertmanagerCommand !== undefined, 'Alertmanager is not installed (Debian: prometheus-alertmanager)');
  const pager = await startPager(context);
  const alertmanager = await startAlertmanager(context, alertmanagerCommand, pager.url);
  const groups = scaledGroups(allGroups(), 20);
  return startPrometheus(context, prometheusCommand, { targets: [new URL(url).host], groups, alertmanager });
}

/** Every prediction that the summary has scored is in the counters once. */
async function countersAreComplete(prometheus: string, service: TestService): Promise<void> {
  const scored = Number((await service.summary()).records['scored']);
  assert.ok(scored > 300);
  for (const counter of ['assay_outcomes_total', 'assay_records_total{outcome="scored"}']) {
    const [sample] = await query(prometheus, `sum(${counter})`);
    assert.equal(sample?.value, scored, counter);
  }
}
