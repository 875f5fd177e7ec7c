import assert from 'node:assert/strict';
import { pathsOf, type SchemaNode, schemaAt } from '../../src/config/json-schema.ts';
import { runProgram } from './program.ts';

/** Every key that holds a value, with its example, as the built program describes its configuration. */
export async function everyKey(): Promise<ReadonlyMap<string, unknown>> {
  const schema = JSON.parse((await runProgram(['config', 'schema'])).stdout) as SchemaNode;
  const nodes = pathsOf(schema).map((path) => ({ key: path.join('.'), node: schemaAt(schema, path)! }));
  return new Map(
    nodes
      .filter(({ node }) => node.type !== 'object' || node.properties === undefined)
      .map(({ key, node }) => [key, node.examples![0]]),
  );
}

/** The keys of a configuration that is written as nested objects. */
export function keysIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path.join('.')];
  return Object.entries(value).flatMap(([key, inner]) => keysIn(inner, [...path, key]));
}

/** `{kafka: {group_id: 'a'}}` of `kafka.group_id` and `a`. */
export function nested(key: string, value: unknown): Record<string, unknown> {
  return key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;
}

/** Every command of the built program with each of its flags, as its help names them: `replay --gate`. */
export async function everyFlag(command: readonly string[] = []): Promise<string[]> {
  const { stdout } = await runProgram([...command, '--help']);
  assert.ok(stdout.startsWith(`Usage: ${['assay', ...command].join(' ')}`), stdout);
  const flags = named(stdout, 'Options', /^ {2}(?:-\w, )?(--[\w-]+)/gm);
  const below = named(stdout, 'Commands', /^ {2}(\w+)/gm).filter((name) => name !== 'help');
  const deeper: string[] = [];
  for (const name of below) deeper.push(...(await everyFlag([...command, name])));
  return [...flags.map((flag) => [...command, flag].join(' ')), ...deeper];
}

/** The names in a section of a help text, which ends with an empty line. */
function named(help: string, section: string, pattern: RegExp): string[] {
  const [, after = ''] = help.split(`\n${section}:\n`);
  return [...after.split('\n\n')[0]!.matchAll(pattern)].map(([, name]) => name!);
}

/** What the runs of the service have in common with each other and with the check that no key is without a run. */
export interface ServiceWorld {
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly truthTopic: string;
  readonly feedbackTopic: string;
  readonly deadLetterTopic: string;
  readonly group: string;
  readonly truth: string;
  readonly folder: string;
  readonly port: number;
  readonly from: string;
}

const tightLimits = {
  pending: 1,
  open_runs: 1,
  revisable: 1,
  dedupe_ids: 1,
  stability_groups: 1,
  slices: 2,
  names: 1,
  breakdowns: 1,
  blames: 1,
  groups_exported: 1,
  series: 150,
  record_bytes: 5_000,
  batch_bytes: 100_000,
  depth: 12,
  elements: 2,
  calls: 4,
  values: 500,
  score_rows: 10,
};

/** A service with a value other than the default for each key that only a service reads. */
export function serviceKeys(world: ServiceWorld): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const { brokers, topic, truthTopic, feedbackTopic, deadLetterTopic, group, truth, folder, port, from } = world;
  return {
    kafka: {
      brokers,
      client_id: 'every-key',
      group_id: group,
      topics: [topic],
      truth_topic: truthTopic,
      feedback_topic: feedbackTopic,
      dead_letter_topic: deadLetterTopic,
      from,
      on_gap: 'skip',
      session_timeout: '7s',
    },
    input: { topics: { [topic]: { format: 'auto' } } },
    runs: { by: '/conversation' },
    truth: { paths: [truth], watch: false },
    time: { max_future: '2h', idle_after: '100ms' },
    feedback: { wait: '2h', outcomes: { good: ['resolved'], bad: ['reopened'] } },
    state: { dir: `${folder}/state`, checkpoint_every: '200ms' },
    snapshots: { dir: `${folder}/snapshots`, every: '300ms', keep: '1ms', scores: 'all', format: 'parquet' },
    http: { host: '0.0.0.0', port, samples: 2, redact: ['from'], metrics: 'all', allowed_hosts: ['assay.test'] },
    page: { marks: 'agent' },
    links: {
      trace: 'https://traces.test/{example_id}',
      page: 'https://assay.test/',
      dashboard: 'https://grafana.test/',
      runbooks: 'https://wiki.test/',
    },
    limits: tightLimits,
    log: { level: 'debug', pretty: false },
  };
}

/** A service whose truth takes too long, told in lines for people, and whose stop may take its time. */
export function impatientKeys(world: ServiceWorld): Readonly<Record<string, unknown>> {
  const { brokers, topic, group, truth, folder } = world;
  return {
    kafka: { brokers, topics: [topic], group_id: group },
    truth: { paths: [truth] },
    state: { dir: `${folder}/other-state` },
    http: { port: 0 },
    limits: { truth_load: '1ms' },
    log: { pretty: true },
    grace: '3s',
  };
}

/** Commands and flags that need a broker, or the checkpoints of a service: in test/e2e/every-key.test.ts. */
export const serviceFlags: readonly string[] = [
  ...['run --config', 'run --until-end', 'run --rebuild'],
  ...['state list', 'state summary', 'state drop --partition'],
  // In test/e2e/view.test.ts.
  'view --config',
  // In test/e2e/judge.test.ts.
  'judge --until-end',
];

/** Keys for a broker that speaks TLS, in test/cli/tls.test.ts, and asks who is there, in test/e2e/secure.test.ts and test/cli/msk-login.test.ts. */
export const secureKeys: readonly string[] = [
  ...['ca', 'cert', 'key', 'passphrase', 'server_name', 'ca_file', 'cert_file', 'key_file'].map(
    (name) => `kafka.ssl.${name}`,
  ),
  ...['mechanism', 'username', 'password'].map((name) => `kafka.sasl.${name}`),
  ...['token_file', 'token_url', 'client_id', 'client_secret', 'scope', 'region'].map((name) => `kafka.sasl.${name}`),
  'kafka.ssl',
];

/** Keys of a schema registry, in test/e2e/schema-registry.test.ts. */
export const registryKeys: readonly string[] = ['url', 'username', 'password', 'ca_file'].map(
  (name) => `kafka.schema_registry.${name}`,
);

const endpointKeys = [
  ...['endpoint', 'model', 'api_key_file', 'price.input', 'price.output'],
  ...['budget_usd_per_day', 'concurrency', 'timeout'],
];

/** Keys for strangers at the port, in test/e2e/login.test.ts. */
export const loginKeys: readonly string[] = ['http.web_config', 'http.expose', 'http.show_content'];

/** Keys of judgements and of `assay judge`, in test/cli/judge-keys.test.ts; the topic of judgements in test/e2e/judge.test.ts. */
export const judgeKeys: readonly string[] = [
  ...['kafka.judgements_topic', 'metrics.semantic.threshold', 'metrics.judge.normalization', 'metrics.judge.threshold'],
  ...['judge.sample', 'judge.sample.right', 'judge.sample.wrong', 'judge.sample.without_truth'],
  'judge.judge.rubric',
  ...['semantic', 'judge'].flatMap((judge) => endpointKeys.map((key) => `judge.${judge}.${key}`)),
];

/** In test/cli/files.test.ts, and test/e2e/threads.test.ts. */
export const fileKeys: readonly string[] = ['files.mode', 'run.threads'];

/** In test/e2e/local-log.test.ts. */
export const insideKeys: readonly string[] = ['ingest.partitions', 'ingest.keep', 'ingest.backlog'];

/** In test/cli/bucket.test.ts, and with what they are for in test/e2e/bucket.test.ts. */
export const bucketKeys: readonly string[] = ['state.cache', 's3.endpoint', 's3.region', 's3.path_style'];

/** Keys of records that are sent over HTTP, in test/e2e/door.test.ts. */
export const doorKeys: readonly string[] = ['ingest.to', 'ingest.tokens'];
