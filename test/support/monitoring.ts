import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { parse, stringify } from 'yaml';
import type { RuleGroup } from '../../packages/monitoring/rule.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { patience, until } from './until.ts';

/** Tries assertions again until they hold; after the limit their own error is thrown. */
export async function passesWithin(limitMs: number, assertions: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + patience * limitMs;
  for (;;) {
    try {
      await assertions();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

/** What Alertmanager sent about one alert. */
export interface Notification {
  readonly receiver: string;
  readonly status: 'firing' | 'resolved';
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The same of one alert that is sent again, as Alertmanager does every hour. */
  readonly startsAt: string;
  readonly atMs: number;
}

export interface Pager {
  readonly url: string;
  readonly received: readonly Notification[];
}

/** Takes what Alertmanager sends. */
export async function startPager(context: TestContext): Promise<Pager> {
  const received: Notification[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // Whoever looks at what listens here is nobody who pages.
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { alerts } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly alerts: readonly Notification[] };
    const receiver = request.url!.slice(1);
    received.push(...alerts.map((alert) => ({ ...alert, receiver, atMs: Date.now() })));
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

interface Route {
  readonly routes?: readonly Route[];
}

/** Alertmanager with the routes and inhibitions of the kit, that sends to `pager` within a second. Resolves with its address. */
export async function startAlertmanager(context: TestContext, command: string, pager: string): Promise<string> {
  const folder = temporaryFolder(context);
  const text = readFileSync('deploy/alertmanager/alertmanager.yml', 'utf8').replaceAll('http://pager:5001', pager);
  const config = parse(text) as { readonly route: Route };
  const quick = ({ routes = [], ...route }: Route): unknown => ({
    ...route,
    group_wait: '200ms',
    group_interval: '1s',
    routes: routes.map(quick),
  });
  writeFileSync(join(folder, 'alertmanager.yml'), stringify({ ...config, route: quick(config.route) }));
  const url = `http://127.0.0.1:${await freePort()}`;
  await start(context, command, [
    `--config.file=${join(folder, 'alertmanager.yml')}`,
    `--storage.path=${join(folder, 'data')}`,
    `--web.listen-address=${url.slice('http://'.length)}`,
    '--cluster.listen-address=',
    '--log.level=error',
  ]);
  await until('Alertmanager is ready', () => isReady(url), readyMs);
  return url;
}

export interface PrometheusOptions {
  /** Addresses of instances, as `127.0.0.1:9464`. */
  readonly targets: readonly string[];
  readonly groups?: readonly RuleGroup[];
  /** Address of Alertmanager, where alerts are to go somewhere. */
  readonly alertmanager?: string;
  readonly scrapeMs?: number;
}

/** Prometheus with the scrape configuration of the kit, every two seconds where nothing else is said. Resolves with its address. */
export async function startPrometheus(
  context: TestContext,
  command: string,
  { targets, groups = [], alertmanager, scrapeMs = 2_000 }: PrometheusOptions,
): Promise<string> {
  const folder = temporaryFolder(context);
  const config = parse(readFileSync('deploy/prometheus/prometheus.yml', 'utf8')) as {
    readonly scrape_configs: readonly { readonly job_name: string }[];
  };
  const scrape = config.scrape_configs.find(({ job_name: name }) => name === 'assay')!;
  const managers = alertmanager === undefined ? [] : [new URL(alertmanager).host];
  const every = `${scrapeMs}ms`;
  writeFileSync(join(folder, 'rules.yml'), stringify({ groups }));
  writeFileSync(
    join(folder, 'prometheus.yml'),
    stringify({
      global: { scrape_interval: every, evaluation_interval: '1s' },
      rule_files: ['rules.yml'],
      alerting: { alertmanagers: [{ static_configs: [{ targets: managers }] }] },
      scrape_configs: [{ ...scrape, scrape_timeout: every, static_configs: [{ targets }] }],
    }),
  );
  const url = `http://127.0.0.1:${await freePort()}`;
  await start(context, command, [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${url.slice('http://'.length)}`,
    '--log.level=error',
  ]);
  await until('Prometheus is ready', () => isReady(url), readyMs);
  return url;
}

/** A sample of an instant query. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

/** An instant query; throws where Prometheus says that it is wrong. */
export async function query(prometheus: string, expr: string): Promise<Sample[]> {
  const reply = await fetch(`${prometheus}/api/v1/query`, {
    method: 'POST',
    body: new URLSearchParams({ query: expr }),
  });
  const answer = (await reply.json()) as {
    readonly status: string;
    readonly error?: string;
    readonly data: {
      readonly result: readonly { readonly metric: Sample['metric']; readonly value: readonly [number, string] }[];
    };
  };
  if (answer.status !== 'success') throw new Error(`${expr}: ${answer.error}`);
  return answer.data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
}

async function start(context: TestContext, command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: 'ignore' });
  await once(child, 'spawn');
  context.after(async () => {
    const closed = once(child, 'close');
    if (child.exitCode === null && child.kill('SIGTERM')) await closed;
  });
}

const readyMs = 60_000;

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
