import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { runProgram } from '../support/program.ts';
import { runCommand, testWith } from '../support/tools.ts';

interface Service {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: unknown;
}

interface Compose {
  readonly name?: string;
  readonly services: Readonly<Record<string, Service>>;
}

const composeOf = (file: string): Compose => parse(readFileSync(`deploy/${file}`, 'utf8'), { merge: true }) as Compose;
const files = ['compose.yaml', 'compose.http.yaml'];
const services = files.flatMap((file) => Object.entries(composeOf(file).services));
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

for (const file of files)
  testWith(['docker-compose'], `docker-compose takes ${file}`, async (_, command) => {
    // The version that Debian has does not know the key `name` yet.
    const { name: _name, ...rest } = composeOf(file);
    const { status, stdout, stderr } = await runCommand(command, ['-f', '-', 'config', '--services'], {
      cwd: 'deploy',
      input: JSON.stringify({ version: '3.8', ...rest }),
    });
    assert.equal(status, 0, stderr);
    assert.deepEqual(stdout.trim().split('\n').sort(), Object.keys(rest.services).sort());
  });

test('ports are bound to the loopback address', () => {
  const ports = services.flatMap(([, service]) => service.ports ?? []);
  assert.ok(ports.length >= 6);
  for (const port of ports) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/);
});

test('images have a version; ours is that of the package', () => {
  for (const [name, { image }] of services) {
    assert.match(image, /:v?\d+\.\d+\.\d+$/, name);
    if (image.startsWith('assay:')) assert.equal(image, `assay:${version}`);
  }
  assert.match(readFileSync('Dockerfile', 'utf8'), new RegExp(`^ARG VERSION=${version}$`, 'm'));
});

test('what is mounted exists', () => {
  const mounts = services.flatMap(([, service]) => service.volumes ?? []);
  const files = mounts.map((mount) => mount.split(':')[0]!).filter((path) => path.startsWith('./'));
  assert.ok(files.length >= 8);
  for (const path of files) assert.ok(existsSync(`deploy/${path}`), path);
});

test('the configurations are accepted, and lack nothing', async () => {
  for (const config of ['deploy/compose/assay.yaml', 'deploy/kubernetes/base/assay.yaml']) {
    const { status, stderr } = await runProgram(['config', 'check', '-c', config]);
    // Its truth lies in the container.
    const [first, ...others] = stderr.trim().split('\n');
    assert.deepEqual([status, first], [0, 'the configuration is valid'], config);
    for (const line of others) assert.match(line, /^warning: truth\.paths: \S+ cannot be read/);
  }
});

testWith(['promtool'], 'promtool takes the configuration of Prometheus, rules and all', async (_, promtool) => {
  const { status, stdout, stderr } = await runCommand(promtool, [
    'check',
    'config',
    'deploy/prometheus/prometheus.yml',
  ]);
  assert.equal(status, 0, `${stdout}${stderr}`);
  for (const rules of readdirSync('deploy/prometheus/rules')) assert.match(stdout + stderr, new RegExp(rules));
});

test('Grafana finds the data source and the dashboards that are mounted', () => {
  const sources = parse(readFileSync('deploy/grafana/provisioning/datasources/prometheus.yaml', 'utf8')) as {
    readonly datasources: readonly { readonly type: string; readonly url: string; readonly isDefault: boolean }[];
  };
  assert.deepEqual(
    sources.datasources.map(({ type, url, isDefault }) => [type, url, isDefault]),
    [['prometheus', 'http://prometheus:9090', true]],
  );
  const { providers } = parse(readFileSync('deploy/grafana/provisioning/dashboards/assay.yaml', 'utf8')) as {
    readonly providers: readonly { readonly options: { readonly path: string } }[];
  };
  const mounted = composeOf('compose.yaml').services['grafana']!.volumes!.map((mount) => mount.split(':')[1]);
  assert.ok(mounted.includes(providers[0]!.options.path));
});
