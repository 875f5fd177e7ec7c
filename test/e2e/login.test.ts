import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import type { Failure } from '../../src/formats/summary/failure.ts';
import { browserFor, noBrowser } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { passesWithin, query } from '../support/monitoring.ts';
import { startProgram } from '../support/program.ts';

import { temporaryFolder } from '../support/temporary-folder.ts';
import { testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';

/*
 * The port of the built program as strangers meet it: curl, Prometheus and a browser. Keys of the configuration that run here:
 * http.web_config, http.expose, http.show_content.
 */

const password = 'carol123';
const hash = '$2y$10$qRTBuFoULoYNA7AQ/F3ck.trZBPyjV64.oA4ZsSBCIWvXuvQlQTuu';

interface Running {
  readonly port: number;
  /** Of `http.expose`. */
  readonly exposed: number;
  /** The certificate to trust. */
  readonly authority: string;
  /** File of `http.web_config`. */
  readonly web: string;
  readonly log: () => string;
}

/** The demonstration, or another command that serves, on every address of the machine. */
async function start(
  context: TestContext,
  http: Readonly<Record<string, unknown>>,
  login = true,
  { command = 'demo', env = {} }: { readonly command?: 'demo' | 'view'; readonly env?: Record<string, string> } = {},
): Promise<Running> {
  const folder = temporaryFolder(context);
  for (const name of ['server.pem', 'server.key']) cpSync(join('test', 'fixtures', 'tls', name), join(folder, name));
  const web = join(folder, 'web.yml');
  const tls = { cert_file: 'server.pem', key_file: 'server.key' };
  writeFileSync(web, stringify({ tls_server_config: tls, basic_auth_users: { carol: hash } }));
  const [port, exposed] = [await freePort(), await freePort()];
  const config = join(folder, 'assay.yaml');
  const files = { ...(login && { web_config: web }), expose: `127.0.0.1:${exposed}` };
  const state = { dir: join(folder, 'state') };
  writeFileSync(config, stringify({ state, http: { host: '0.0.0.0', port, ...files, ...http } }));
  const child = startProgram([command, '-c', config], { env });
  context.after(() => child.kill('SIGKILL'));
  const heard = { text: '' };
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (heard.text += text));
  await until('it is served', () => /Assay demo: open|"serving"/.test(heard.text));
  return { port, exposed, authority: join(folder, 'server.pem'), web, log: () => heard.text };
}

/** Status that curl is told, 0 where there is no answer. */
async function curl({ authority }: Running, url: string, login?: string): Promise<number> {
  const args = [
    ...'-s -o /dev/null -w %{http_code} --cacert'.split(' '),
    authority,
    ...(login ? ['-u', login] : []),
    url,
  ];
  const { stdout } = await promisify(execFile)('curl', args).catch((error: { stdout: string }) => error);
  return Number(stdout);
}

testWith(
  ['curl'],
  'curl: a login for the page, none for health and metrics; users change without a restart',
  async (context) => {
    const running = await start(context, {});
    const page = `https://localhost:${running.port}`;
    assert.equal(await curl(running, `${page}/metrics`), 401);
    assert.equal(await curl(running, `${page}/`, `carol:${password}`), 200);
    assert.equal(await curl(running, `${page}/`, 'carol:wrong'), 401);
    assert.equal(await curl(running, `http://localhost:${running.port}/`), 0, 'without TLS there is no answer');
    const exposed = `http://127.0.0.1:${running.exposed}`;
    await until('it is ready', async () => (await curl(running, `${exposed}/readyz`)) === 200);
    for (const path of ['/metrics', '/livez']) assert.equal(await curl(running, exposed + path), 200, path);
    for (const path of ['/', '/api/v1/live', '/api/v1/summary'])
      assert.equal(await curl(running, exposed + path), 404, path);
    const metrics = async (): Promise<string> => (await fetch(`${exposed}/metrics`)).text();
    await until('it is counted', async () => /^assay_login_failures_total 1$/m.test(await metrics()));

    writeFileSync(running.web, readFileSync(running.web, 'utf8').replace('carol:', 'dave:'));
    await until('dave may log in', async () => (await curl(running, `${page}/`, `dave:${password}`)) === 200);
    assert.equal(await curl(running, `${page}/`, `carol:${password}`), 401);
    writeFileSync(running.web, 'junk: 1');
    await until('it says what is wrong', () => running.log().includes('unknown key junk'));
    assert.equal(await curl(running, `${page}/`, `dave:${password}`), 200);
  },
);

testWith(
  ['curl'],
  'a machine without the machine code that checks passwords lets nobody in who needs one',
  async (context) => {
    // Its own log needs machine code too, so that what is there is only looked at.
    const without = { command: 'view', env: { NAPI_RS_NATIVE_LIBRARY_PATH: '/nowhere' } } as const;
    const open = await start(context, {}, false, without);
    assert.equal(await curl(open, `http://localhost:${open.port}/`), 200);
    const closed = await start(context, {}, true, without);
    assert.equal(await curl(closed, `https://localhost:${closed.port}/`, `carol:${password}`), 0);
    assert.match(closed.log(), /native binding/);
    assert.equal(await curl(closed, `http://127.0.0.1:${closed.exposed}/metrics`), 200);
  },
);

testWith(['prometheus'], 'Prometheus scrapes with TLS and a login', async (context, command) => {
  const running = await start(context, {});
  const folder = temporaryFolder(context);
  const job = {
    job_name: 'assay',
    scrape_interval: '1s',
    scheme: 'https',
    tls_config: { ca_file: running.authority, server_name: 'localhost' },
    static_configs: [{ targets: [`127.0.0.1:${running.port}`] }],
  };
  const login = (name: string, secret: string) => ({
    ...job,
    job_name: name,
    basic_auth: { username: 'carol', password: secret },
  });
  writeFileSync(
    join(folder, 'prometheus.yml'),
    stringify({ scrape_configs: [login('wrong', 'x'), login('right', password)] }),
  );
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(command, [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ]);
  await once(child, 'spawn');
  context.after(() => child.kill('SIGKILL'));
  const lastErrors = async (): Promise<string> => {
    const reply = await fetch(`http://${address}/api/v1/targets`);
    const { data } = (await reply.json()) as { data: { activeTargets: { scrapePool: string; lastError: string }[] } };
    return data.activeTargets.map(({ scrapePool, lastError }) => `${scrapePool}: ${lastError}`).join('; ');
  };
  await passesWithin(30_000, async () => {
    const up = await query(`http://${address}`, 'sort(up)');
    assert.deepEqual(
      up.map(({ metric, value }) => [metric['job'], value]),
      [
        ['wrong', 0],
        ['right', 1],
      ],
      await lastErrors(),
    );
    assert.ok((await query(`http://${address}`, 'assay_events_scored_total or assay_build_info')).length > 0);
  });
});

test('a browser: arguments are shown behind a login, and hidden without', { skip: noBrowser }, async (context) => {
  const browser = await browserFor(context);
  const fieldsShown = async ({ port }: Running, scheme: 'http' | 'https'): Promise<string[]> => {
    const login = scheme === 'https' && { httpCredentials: { username: 'carol', password } };
    const page = await browser.newPage({ ignoreHTTPSErrors: true, ...login });
    await page.goto(`${scheme}://localhost:${port}/`);
    await page.locator('article.failure').first().waitFor();
    const live = await page.evaluate<string>("fetch('/api/v1/live').then((reply) => reply.text())");
    const { failures } = JSON.parse(live) as { readonly failures: readonly Failure[] };
    const fields = failures.flatMap(({ calls }) => calls.flatMap((call) => call.fields));
    return fields.flatMap(({ expected, actual }) => [expected, actual]).filter((text) => text !== null);
  };
  const isHidden = (text: string): boolean => text === '[hidden]';
  assert.ok(!(await fieldsShown(await start(context, {}), 'https')).every(isHidden));
  const stranger = await fieldsShown(await start(context, {}, false), 'http');
  assert.ok(stranger.length > 0 && stranger.every(isHidden), stranger.join());
  assert.ok(!(await fieldsShown(await start(context, { show_content: true }, false), 'http')).every(isHidden));
});
