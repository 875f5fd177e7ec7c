import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { ruleFiles } from '../../packages/monitoring/rules.ts';
import { defaultLinks, job } from '../../packages/monitoring/settings.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand, testWith } from '../support/tools.ts';
import { type Manifest, manifestProblems } from './kubernetes-types.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

async function built(kubectl: string, overlay: string): Promise<Manifest[]> {
  const { status, stdout, stderr } = await runCommand(kubectl, ['kustomize', `deploy/kubernetes/overlays/${overlay}`]);
  assert.equal(status, 0, stderr);
  return manifestsOf(stdout);
}

/** The value at a path of keys. */
function at(value: unknown, ...keys: readonly (string | number)[]): unknown {
  return keys.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
}

function one(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.filter((manifest) => manifest.kind === kind);
  assert.equal(found.length, 1, `${found.length} of kind ${kind}`);
  return found[0]!;
}

for (const overlay of ['single', 'shared']) {
  testWith(['kubectl'], `overlay ${overlay} is built, and a cluster would take it`, async (_, kubectl) => {
    assert.deepEqual(await manifestProblems(await built(kubectl, overlay)), []);
  });

  testWith(['kubectl'], `overlay ${overlay} is what the rules and the program expect`, async (context, kubectl) => {
    const manifests = await built(kubectl, overlay);
    const statefulSet = one(manifests, 'StatefulSet');
    const container = at(statefulSet, 'spec', 'template', 'spec', 'containers', 0);
    assert.equal(at(container, 'image'), `assay:${version}`);
    const mounts = at(container, 'volumeMounts') as readonly { readonly name: string; readonly mountPath: string }[];
    assert.ok(mounts.some(({ name, mountPath }) => name === 'state' && mountPath === '/var/lib/assay'));
    const service = one(manifests, 'Service');
    assert.equal(at(service, 'spec', 'clusterIP'), 'None');
    assert.equal(at(service, 'spec', 'publishNotReadyAddresses'), true);
    const podLabels = at(statefulSet, 'spec', 'template', 'metadata', 'labels');
    assert.deepEqual(podLabels, at(service, 'spec', 'selector'));
    assert.deepEqual(podLabels, at(one(manifests, 'PodDisruptionBudget'), 'spec', 'selector', 'matchLabels'));
    // Prometheus takes the value of this label of the Service as `job`.
    const monitor = one(manifests, 'ServiceMonitor');
    assert.equal(service.metadata.labels?.[at(monitor, 'spec', 'jobLabel') as string], job);
    assert.deepEqual(at(monitor, 'spec', 'selector', 'matchLabels'), { 'app.kubernetes.io/name': 'assay' });
    assert.deepEqual(at(monitor, 'spec', 'endpoints', 0, 'relabelings'), [
      { sourceLabels: ['__meta_kubernetes_pod_name'], targetLabel: 'instance' },
    ]);
    const rules = manifests.filter(({ kind }) => kind === 'PrometheusRule');
    for (const { name, groups } of ruleFiles(defaultLinks)) {
      const rule = rules.find(({ metadata }) => metadata.name === name);
      assert.deepEqual(at(rule, 'spec', 'groups'), JSON.parse(JSON.stringify(groups)));
    }
    const config = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && /^assay-\w{10}$/.test(metadata.name));
    const file = join(temporaryFolder(context), 'assay.yaml');
    writeFileSync(file, at(config, 'data', 'assay.yaml') as string);
    const { status, stderr } = await runProgram(['config', 'check', '-c', file]);
    assert.deepEqual([status, stderr], [0, 'the configuration is valid\n']);
  });
}

testWith(['kubectl'], 'one pod has a volume of its own; several share one, and scale', async (_, kubectl) => {
  const single = await built(kubectl, 'single');
  assert.equal(at(one(single, 'StatefulSet'), 'spec', 'replicas'), 1);
  assert.deepEqual(at(one(single, 'StatefulSet'), 'spec', 'volumeClaimTemplates', 0, 'metadata', 'name'), 'state');
  const shared = await built(kubectl, 'shared');
  const statefulSet = one(shared, 'StatefulSet');
  assert.equal(at(statefulSet, 'spec', 'volumeClaimTemplates'), undefined);
  assert.equal(at(statefulSet, 'spec', 'replicas'), undefined, 'an autoscaler sets them');
  const claim = one(shared, 'PersistentVolumeClaim');
  assert.deepEqual(at(claim, 'spec', 'accessModes'), ['ReadWriteMany']);
  const volumes = at(statefulSet, 'spec', 'template', 'spec', 'volumes') as readonly Manifest[];
  assert.ok(volumes.some((volume) => at(volume, 'persistentVolumeClaim', 'claimName') === claim.metadata.name));
  assert.deepEqual(at(one(shared, 'ScaledObject'), 'spec', 'scaleTargetRef'), {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    name: statefulSet.metadata.name,
  });
});

interface Rule {
  readonly from?: readonly object[];
  readonly to?: readonly object[];
  readonly ports: readonly { readonly port: string | number }[];
}

testWith(
  ['kubectl'],
  'the network is open to scrapers, people, names and brokers, each on its port',
  async (_, kubectl) => {
    const manifests = await built(kubectl, 'shared');
    const { podSelector, policyTypes, ingress, egress } = one(manifests, 'NetworkPolicy')['spec'] as {
      readonly podSelector: unknown;
      readonly policyTypes: unknown;
      readonly ingress: readonly Rule[];
      readonly egress: readonly Rule[];
    };
    const statefulSet = one(manifests, 'StatefulSet');
    const container = at(statefulSet, 'spec', 'template', 'spec', 'containers', 0);
    assert.deepEqual(podSelector, { matchLabels: at(statefulSet, 'spec', 'template', 'metadata', 'labels') });
    assert.deepEqual(policyTypes, ['Ingress', 'Egress']);
    const ports = new Map(
      (at(container, 'ports') as { name: string; containerPort: number }[]).map((port) => [
        port.name,
        port.containerPort,
      ]),
    );
    const open = (rules: readonly Rule[]): unknown[] => rules.map((rule) => rule.ports.map(({ port }) => port));
    assert.deepEqual(open(ingress), [['metrics'], ['http']]);
    for (const { from } of ingress) assert.equal(from?.length, 1, 'an empty list of sources is everybody');
    assert.equal(at(one(manifests, 'ServiceMonitor'), 'spec', 'endpoints', 0, 'port'), 'metrics');
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      assert.equal(at(container, probe, 'httpGet', 'port'), 'metrics', probe);
    const env = at(container, 'env') as readonly { readonly name: string; readonly value?: string }[];
    const exposed = env.find(({ name }) => name === 'ASSAY_HTTP__EXPOSE')?.value;
    assert.equal(exposed, `0.0.0.0:${ports.get('metrics')}`);
    assert.match(readFileSync('Dockerfile', 'utf8'), new RegExp(`ASSAY_HTTP__PORT=${ports.get('http')}\\b`));
    const { kafka } = parse(readFileSync('deploy/kubernetes/base/assay.yaml', 'utf8')) as {
      readonly kafka: { readonly brokers: readonly string[] };
    };
    assert.deepEqual(open(egress), [[53, 53], kafka.brokers.map((broker) => Number(broker.split(':')[1]))]);
    assert.equal(egress[0]?.to?.length, 1);
  },
);

const planted: readonly (readonly [why: string, file: string, from: RegExp, to: string, problem: RegExp])[] = [
  ['a number as text', 'base/statefulset.yaml', /replicas: 1/, 'replicas: one', /replicas must be integer/],
  ['a missing field', 'base/statefulset.yaml', /\n {2}selector:/, '\n  selectors:', /required property selector/],
  ['a misspelt field', 'base/statefulset.yaml', /terminationGracePeriodSeconds/, 'grace', /"grace"' does not exist/],
  ['a port as text', 'base/service.yaml', /port: 9464/, 'port: http', /port must be integer/],
  ['a wrong selector', 'base/pod-disruption-budget.yaml', /matchLabels:\n\s+\S+/, 'matchLabels:', /must be object/],
  ['a misspelt selector', 'base/network-policy.yaml', /podSelector/, 'podSelectors', /required property podSelector/],
  [
    'an unknown field of a custom resource',
    'components/monitoring/service-monitor.yaml',
    /sampleLimit/,
    'samples',
    /"samples"' does not exist/,
  ],
  ['no target', 'components/keda/scaled-object.yaml', /scaleTargetRef/, 'target', /required property scaleTargetRef/],
];

for (const [why, file, from, to, problem] of planted) {
  test(`the validators find ${why}`, async () => {
    const text = readFileSync(`deploy/kubernetes/${file}`, 'utf8');
    assert.match(text, from);
    assert.match((await manifestProblems(manifestsOf(text.replace(from, to)))).join('\n'), problem);
  });
}
