import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { goProgram } from '../support/go-program.ts';
import { runProgram } from '../support/program.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { installed, type Outcome, runCommand } from '../support/tools.ts';
import { type Manifest, manifestProblems } from './kubernetes-types.ts';

// No package of Debian has it: where it is not installed, the soak builds it.
const helm = installed('helm') ?? (soak ? goProgram('helm.sh/helm/v3/cmd/helm', 'v3.16.4') : undefined);
const options = { skip: helm === undefined && '*** helm is not installed ***' };

const bucket = {
  replicas: 3,
  config: { state: { dir: 's3://assay/state' } },
  view: { enabled: true },
  serviceMonitor: { enabled: true },
};

test('chart and program have one version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
  const chart = parse(readFileSync('deploy/helm/Chart.yaml', 'utf8')) as Record<string, string>;
  assert.deepEqual([chart['version'], chart['appVersion']], [version, version]);
});

for (const [name, values] of Object.entries({ 'as it is': {}, 'on a bucket, with all parts': bucket }))
  test(`the chart ${name} is what a cluster takes, and its configuration is valid`, options, async (context) => {
    const folder = temporaryFolder(context);
    const { status, stdout, stderr } = await rendered(folder, values);
    assert.equal(status, 0, stderr);
    const manifests = parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
    assert.deepEqual(await manifestProblems(manifests), []);
    const kinds = ['ConfigMap', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'StatefulSet'];
    const more = values === bucket ? ['Deployment', 'Service', 'ServiceMonitor'] : [];
    assert.deepEqual(manifests.map(({ kind }) => kind).sort(), [...kinds, ...more].sort());
    const { data } = manifests.find(({ kind }) => kind === 'ConfigMap') as unknown as { data: Record<string, string> };
    const file = join(folder, 'assay.yaml');
    writeFileSync(file, data['assay.yaml']!);
    assert.equal((await runProgram(['config', 'check', '-c', file])).status, 0);
    const { volumeClaimTemplates: claims } = manifests.find(({ kind }) => kind === 'StatefulSet')!['spec'] as {
      readonly volumeClaimTemplates?: readonly unknown[];
    };
    assert.equal(claims?.length, values === bucket ? undefined : 1);
    const monitor = manifests.find(({ kind }) => kind === 'ServiceMonitor');
    if (monitor !== undefined) assert.equal(monitor.metadata.labels!['release'], 'kube-prometheus-stack');
  });

test('what cannot work is refused by name', options, async (context) => {
  for (const values of [{ replicas: 2 }, { view: { enabled: true } }]) {
    const { status, stderr } = await rendered(temporaryFolder(context), values);
    assert.notEqual(status, 0);
    assert.match(stderr, /set config\.state\.dir to s3:/);
  }
});

async function rendered(folder: string, values: object): Promise<Outcome> {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, stringify(values));
  return await runCommand(helm!, ['template', 'assay', 'deploy/helm', '--namespace', 'assay', '-f', file]);
}
