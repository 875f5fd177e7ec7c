import assert from 'node:assert/strict';
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import { parse, stringify } from 'yaml';
import { freePort } from '../support/free-port.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type Outcome, runCommand } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { manifestProblems } from './kubernetes-types.ts';
import {
  claimsOf,
  egressOf,
  foldersOf,
  helmRun,
  one,
  options,
  portsOf,
  type Rendered,
  type PodSpec,
  readyCommand,
  render,
  templateOf,
} from './rendered-chart.ts';

const kinds = ['ConfigMap', 'NetworkPolicy', 'Pod', 'PodDisruptionBudget', 'Service', 'StatefulSet'];
const onBucket = { replicas: 3, config: { state: { dir: 's3://assay/state' } } };
const withoutKafka = { kafka: { enabled: false }, ingest: { tokens: [{ secret: 'assay-writers' }] } };

interface Case {
  readonly values: object;
  /** Besides `kinds`. */
  readonly more?: readonly string[];
  readonly check: (rendered: Rendered) => void;
}

const cases: Readonly<Record<string, Case>> = {
  'as it is': {
    values: {},
    check({ manifests, pod, container, config }) {
      assert.deepEqual(portsOf(manifests), { http: 9464, metrics: 9465 });
      assert.equal(config['http']!['expose'], '0.0.0.0:9465');
      assert.equal(pod['terminationGracePeriodSeconds'], 35);
      assert.deepEqual(foldersOf(container), { '/var/lib/assay/state': 'state' });
      assert.equal(claimsOf(manifests), 1);
      assert.deepEqual(egressOf(manifests), [9092, 443]);
    },
  },
  'with another port, time to stop and folders': {
    values: {
      config: {
        ...{ http: { port: 8080 }, grace: '2m' },
        ...{ state: { dir: '/data/checkpoints' }, snapshots: { dir: '/data/snapshots' } },
        kafka: { brokers: ['a:9094', 'b:9094', 'c:9095'] },
      },
    },
    check({ manifests, pod, container }) {
      assert.deepEqual(portsOf(manifests), { http: 8080, metrics: 8081 });
      assert.match(readyCommand(manifests), /:8081\/readyz/);
      assert.equal(pod['terminationGracePeriodSeconds'], 130);
      assert.deepEqual(foldersOf(container), { '/data/checkpoints': 'state', '/data/snapshots': 'snapshots' });
      assert.deepEqual(egressOf(manifests), [9094, 9095, 443]);
    },
  },
  'with an address for metrics': {
    values: { config: { http: { expose: '0.0.0.0:7000' } } },
    check: ({ manifests }) => assert.deepEqual(portsOf(manifests), { http: 9464, metrics: 7000 }),
  },
  'on a bucket, with all parts': {
    values: {
      ...onBucket,
      ...{ view: { enabled: true }, serviceMonitor: { enabled: true } },
      serviceAccount: { create: true, annotations: { 'eks.amazonaws.com/role-arn': 'arn' } },
    },
    more: ['Deployment', 'Service', 'ServiceAccount', 'ServiceMonitor'],
    check({ manifests, pod, container }) {
      assert.equal(claimsOf(manifests), 0);
      assert.deepEqual(foldersOf(container), {});
      assert.ok(!pod.volumes.some(({ name }) => name === 'state'));
      assert.equal(one(manifests, 'ServiceMonitor').metadata.labels!['release'], 'kube-prometheus-stack');
      assert.equal(pod['serviceAccountName'], one(manifests, 'ServiceAccount').metadata.name);
      const view = one(manifests, 'Deployment')['spec'] as { readonly template: { readonly spec: PodSpec } };
      assert.deepEqual(view.template.spec.volumes, pod.volumes);
    },
  },
  'on a bucket, with a cache': {
    values: { config: { state: { dir: 's3://assay/state', cache: '/var/cache/assay' } } },
    check({ pod, container }) {
      assert.deepEqual(foldersOf(container), { '/var/cache/assay': 'cache' });
      assert.deepEqual(pod.volumes.find(({ name }) => name === 'state')!['emptyDir'], {});
    },
  },
  'without Kafka': {
    values: { ...withoutKafka, config: { kafka: { group_id: 'own' } } },
    check({ manifests, pod, container, config }) {
      assert.equal(claimsOf(manifests), 1);
      assert.deepEqual(config['kafka'], { group_id: 'own' });
      const file = '/etc/assay-tokens/0/tokens';
      assert.deepEqual(config['ingest'], { tokens: [{ file, rights: ['write'] }] });
      const { name } = container.volumeMounts.find(({ mountPath }) => file.startsWith(`${mountPath}/`))!;
      const volume = pod.volumes.find((each) => each.name === name)!;
      assert.deepEqual(volume['secret'], { secretName: 'assay-writers' });
      assert.deepEqual(egressOf(manifests), [443]);
    },
  },
  'with tokens of several rights beside those of files': {
    values: {
      config: { ingest: { tokens: [{ file: '/a' }] } },
      ingest: { tokens: [{ secret: 'one', key: 'k', rights: ['read'] }, { secret: 'one' }] },
    },
    check: ({ config }) =>
      assert.deepEqual(config['ingest']!['tokens'], [
        { file: '/a' },
        { file: '/etc/assay-tokens/0/k', rights: ['read'] },
        { file: '/etc/assay-tokens/1/tokens', rights: ['write'] },
      ]),
  },
  'with what clusters ask for': {
    values: {
      imagePullSecrets: [{ name: 'registry' }],
      env: [{ name: 'AWS_REGION', value: 'eu-central-1' }],
      envFrom: [{ secretRef: { name: 'aws' } }],
      extraVolumes: [{ name: 'truth', persistentVolumeClaim: { claimName: 'truth' } }],
      extraVolumeMounts: [{ name: 'truth', mountPath: '/truth', readOnly: true }],
      podAnnotations: { a: 'b', 'checksum/config': 'mine' },
      podLabels: { team: 'evals', 'app.kubernetes.io/component': 'mine' },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }],
      service: { annotations: { c: 'd' }, labels: { e: 'f' } },
      resources: { limits: { memory: '8Gi' } },
      serviceAccount: { name: 'bucket-reader' },
      config: { truth: { paths: ['/truth'] } },
    },
    check: takesAll,
  },
};

function takesAll({ manifests, pod, container }: Rendered): void {
  assert.deepEqual(pod['imagePullSecrets'], [{ name: 'registry' }]);
  assert.deepEqual(container.env.at(-1), { name: 'AWS_REGION', value: 'eu-central-1' });
  assert.deepEqual(container.envFrom, [{ secretRef: { name: 'aws' } }]);
  assert.equal(pod.volumes.at(-1)!.name, 'truth');
  assert.equal(container.volumeMounts.at(-1)!.mountPath, '/truth');
  assert.deepEqual(pod['nodeSelector'], { disk: 'ssd' });
  assert.deepEqual(pod['tolerations'], [{ key: 'dedicated', operator: 'Exists' }]);
  assert.deepEqual(pod['affinity'], { nodeAffinity: {} });
  assert.equal((pod['topologySpreadConstraints'] as readonly unknown[]).length, 1);
  assert.equal(pod['serviceAccountName'], 'bucket-reader');
  assert.deepEqual((container['resources'] as Record<string, unknown>)['limits'], { memory: '8Gi' });
  const { annotations, labels } = templateOf(manifests).metadata;
  assert.equal(annotations['a'], 'b');
  assert.match(annotations['checksum/config']!, /^[0-9a-f]{64}$/, 'a change of assay.yaml restarts pods');
  assert.deepEqual([labels['team'], labels['app.kubernetes.io/component']], ['evals', 'service']);
  const service = one(manifests, 'Service').metadata;
  assert.deepEqual([service.annotations, service.labels!['e']], [{ c: 'd' }, 'f']);
}

for (const [name, { values, more = [], check }] of Object.entries(cases))
  test(`the chart ${name}: a cluster takes it, and the program its configuration`, options, async (context) => {
    const rendered = await render(context, values);
    assert.deepEqual(await manifestProblems(rendered.manifests), []);
    assert.deepEqual(rendered.manifests.map(({ kind }) => kind).sort(), [...kinds, ...more].sort());
    await assertHolds(context, rendered);
    check(rendered);
  });

/** The program under the environment of the image and of the pod has the configuration that the chart was given. */
async function assertHolds(context: TestContext, { config, container }: Rendered): Promise<void> {
  const file = join(temporaryFolder(context), 'assay.yaml');
  writeFileSync(file, stringify(config));
  const image = readFileSync('Dockerfile', 'utf8').matchAll(/(ASSAY_\w+__\w+)=(\S+)/g);
  const env: Record<string, string> = Object.fromEntries([...image].map(([, name, value]) => [name!, value!]));
  assert.ok(Object.keys(env).length >= 4);
  for (const { name, value } of container.env) if (value !== undefined) env[name] = value;
  const { status, stdout, stderr } = await runProgram(['config', 'print', '-c', file], { env });
  assert.equal(status, 0, stderr);
  const effective = parse(stdout) as Rendered['config'];
  for (const section of ['http', 'state', 'snapshots', 'kafka'])
    for (const [key, value] of Object.entries(config[section] ?? {}))
      assert.deepEqual(effective[section]![key], value, `${section}.${key}`);
}

for (const [grace, seconds] of [
  ['1500ms', 12],
  ['90s', 100],
  ['1h', 3_610],
] as const)
  test(`Kubernetes waits ${seconds} s for a grace of ${grace}`, options, async (context) => {
    const { pod } = await render(context, { config: { grace } });
    assert.equal(pod['terminationGracePeriodSeconds'], seconds);
  });

const snapshotsInFolder = { config: { ...onBucket.config, snapshots: { dir: '/snapshots' } } };

type Refused = readonly [why: string, values: object, message: RegExp];

/** A secret in the ConfigMap. */
function secretIn(path: string): Refused {
  const [section, key] = path.split('.') as [string, string];
  const more = { sasl: { mechanism: 'plain', username: 'u' }, schema_registry: { url: 'http://r' } };
  const kafka = { [section]: { ...more[section as keyof typeof more], [key]: 'battery staple' } };
  const variable = `ASSAY_KAFKA__${section.toUpperCase()}__${key.toUpperCase()}`;
  return [
    `the secret ${path}`,
    { config: { kafka } },
    new RegExp(`config\\.kafka\\.${path}: .* set ${variable} in env`),
  ];
}

const refused: readonly Refused[] = [
  ['an unknown value', { replica: 2 }, /Additional property replica is not allowed/],
  ['an unknown value of a section', { image: { tags: 'x' } }, /image: Additional property tags is not allowed/],
  ['a wrong type', { replicas: 'two' }, /replicas: Invalid type/],
  ['an unknown key of assay.yaml', { config: { kafka: { broker: [] } } }, /Additional property broker is not allowed/],
  ['no duration', { config: { grace: 'soon' } }, /config\.grace: Does not match pattern/],
  ['a port that is drawn', { config: { http: { port: 0 } } }, /config\.http\.port: Must be greater/],
  ['no folder', { config: { state: { dir: null } } }, /config\.state: dir is required/],
  ['a right that is none', { ingest: { tokens: [{ secret: 's', rights: ['all'] }] } }, /ingest\.tokens\.0\.rights/],
  ['a token without Secret', { ingest: { tokens: [{ key: 's' }] } }, /secret is required/],
  ['no broker', { config: { kafka: { brokers: [] } } }, /kafka\.brokers: names no broker/],
  ['no Kafka, but brokers', { ...withoutKafka, config: { kafka: { brokers: ['b:1'] } } }, /leave one of them out/],
  ['no Kafka on a bucket', { ...withoutKafka, config: onBucket.config }, /log inside needs a folder/],
  ['no Kafka, several pods', { ...withoutKafka, replicas: 2 }, /replicas: kafka\.enabled is false/],
  ['no Kafka, no token', { kafka: { enabled: false } }, /ingest\.tokens: nobody could send/],
  ['a door without token', { config: { ingest: { to: 'kafka' } } }, /ingest\.tokens: nobody could send/],
  ['several pods with a folder', { replicas: 2 }, /set config\.state\.dir to s3:/],
  ['a view of a folder', { view: { enabled: true } }, /set config\.state\.dir to s3:/],
  ['a loopback address', { config: { http: { host: '127.0.0.1' } } }, /config\.http\.host/],
  ['metrics on a loopback address', { config: { http: { expose: '127.0.0.1:9465' } } }, /config\.http\.expose: probes/],
  ['one port twice', { config: { http: { expose: '0.0.0.0:9464' } } }, /config\.http\.expose/],
  ['a relative folder', { config: { state: { dir: '.assay' } } }, /folder \.assay of state is relative/],
  ['snapshots without a volume', snapshotsInFolder, /config\.snapshots\.dir/],
  ...['ssl.key', 'ssl.passphrase', 'sasl.password', 'sasl.client_secret', 'schema_registry.password'].map(secretIn),
  ['time to stop in a variable', { env: [{ name: 'ASSAY_GRACE', value: '5m' }] }, /env: ASSAY_GRACE/],
  ['a variable over config', { env: [{ name: 'ASSAY_HTTP__PORT', value: '1' }] }, /env: ASSAY_HTTP__PORT/],
  ['a file over config', { env: [{ name: 'ASSAY_STATE__DIR_FILE', value: '/f' }] }, /env: ASSAY_STATE__DIR_FILE/],
];

for (const [why, values, message] of refused)
  test(`refused by name: ${why}`, options, async (context) => {
    const { status, stderr } = await helmRun(context, values);
    assert.notEqual(status, 0);
    assert.match(stderr, message);
  });

test('a folder that an own volume is mounted at is left to it', options, async (context) => {
  const extraVolumes = [{ name: 'own', persistentVolumeClaim: { claimName: 'own' } }];
  const extraVolumeMounts = [{ name: 'own', mountPath: '/snapshots' }];
  const { container } = await render(context, { ...snapshotsInFolder, extraVolumes, extraVolumeMounts });
  assert.deepEqual(foldersOf(container), {});
});

test('the notes name the next commands, and how agents send', options, async (context) => {
  // Helm prints notes of what it installs in a cluster; here a template prints them.
  const chart = temporaryFolder(context);
  cpSync('deploy/helm', chart, { recursive: true });
  renameSync(join(chart, 'templates/NOTES.txt'), join(chart, 'NOTES.txt'));
  writeFileSync(
    join(chart, 'templates/notes.yaml'),
    'kind: Notes\ntext: |\n  {{- tpl (.Files.Get "NOTES.txt") . | nindent 2 }}\n',
  );
  const { status, stdout, stderr } = await helmRun(context, withoutKafka, chart);
  assert.equal(status, 0, stderr);
  const notes = stdout.slice(stdout.indexOf('kind: Notes'));
  assert.match(notes, /^ *kubectl rollout status -n evals statefulset\/assay$/m);
  assert.match(notes, /^ *helm test -n evals assay --logs$/m);
  assert.match(notes, /^ *kubectl port-forward -n evals statefulset\/assay 9464$/m);
  assert.match(notes, /^ *OTEL_EXPORTER_OTLP_ENDPOINT=http:\/\/assay\.evals\.svc:9464$/m);
  assert.match(notes, /kubectl get secret -n evals assay-writers -o jsonpath='\{\.data\.tokens\}'/);
});

test('helm test asks whether the service is ready', options, async (context) => {
  const { manifests } = await render(context, {});
  const { ingress, podSelector } = one(manifests, 'NetworkPolicy')['spec'] as {
    readonly ingress: readonly {
      readonly from: readonly { readonly podSelector?: { readonly matchLabels: object } }[];
    }[];
    readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> };
  };
  const { labels } = one(manifests, 'Pod').metadata;
  assert.deepEqual(ingress[0]!.from[0]!.podSelector!.matchLabels, labels, 'the network lets its pod in');
  assert.notDeepEqual({ ...labels, ...podSelector.matchLabels }, labels, 'and lets it ask');
  const command = readyCommand(manifests);
  assert.match(command, /'http:\/\/assay\.evals\.svc:9465\/readyz\?verbose'/);
  const address = `127.0.0.1:${await freePort()}`;
  const ask = (): Promise<Outcome> =>
    runCommand(process.execPath, ['-e', command.replace('assay.evals.svc:9465', address)]);
  assert.equal((await ask()).status, 1, 'nobody listens');
  const env = { ASSAY_HTTP__PORT: '0', ASSAY_HTTP__EXPOSE: address };
  const child = startProgram(['run'], { cwd: temporaryFolder(context), env });
  context.after(() => child.kill('SIGKILL'));
  await until('it is ready', async () => (await ask()).status === 0);
  assert.match((await ask()).stdout, /truth/);
});
