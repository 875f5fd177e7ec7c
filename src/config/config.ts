import * as z from 'zod';
import { choice, duration, flag, key, list, secret, startingPoint, text, timer, whole } from './fields.ts';
import { decision } from './decision.ts';
import { feedback } from './feedback.ts';
import { runs } from './runs.ts';
import { ingest } from './ingest.ts';
import { input } from './input.ts';
import { judge } from './judge.ts';
import { sasl } from './kafka-sasl.ts';
import { limits } from './limits.ts';
import { links } from './links.ts';
import { metrics } from './metrics.ts';
import { schemaRegistry } from './schema-registry.ts';
import { tools } from './tools.ts';
import { watches } from './watches.ts';
import { s3, snapshots, state } from './storage.ts';
import { truthFields } from './truth-fields.ts';
import { programName } from '../name.ts';

/** The effective configuration: every key of the YAML file under its own name, defaults filled in. */
export type Config = ReadonlyDeep<z.output<typeof configSchema>>;

type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;

const certificate = '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n';

const ssl = z.strictObject({
  ca: key(text().optional(), certificate, 'Certificates to trust, PEM text. Default: those of Node.'),
  cert: key(text().optional(), certificate, 'Our certificate, PEM text.'),
  key: key(secret().optional(), certificate.replaceAll('CERTIFICATE', 'PRIVATE KEY'), 'Its private key, PEM text.'),
  ca_file: key(text().optional(), '/etc/assay/ca.pem', 'The same as ca, as a file that is read for each connection.'),
  cert_file: key(
    text().optional(),
    '/etc/assay/tls.crt',
    'The same as cert, as a file that is read for each connection: it may be renewed.',
  ),
  key_file: key(
    text().optional(),
    '/etc/assay/tls.key',
    'The same as key, as a file that is read for each connection.',
  ),
  passphrase: key(secret().optional(), 'correct horse', 'Passphrase of the key.'),
  server_name: key(
    text().optional(),
    'kafka.example.com',
    'Name that the certificate of a broker must carry, where it is not its host.',
  ),
});

const brokerForm = 'is not host:port; write a broker as localhost:9092';
const brokerLogin = 'holds a login; write host:port alone, and the login under kafka.sasl';
const broker = z.string({ error: brokerForm }).regex(/^[^\s,/@]+:\d{1,5}$/, {
  error: ({ input }) => (String(input).includes('@') ? brokerLogin : brokerForm),
});

const kafka = z.strictObject({
  brokers: key(
    list(broker, '[localhost:9092]').default([]),
    ['localhost:9092'],
    'Brokers to begin with, as host:port. Default: `assay run` reads a log of its own, which is filled over HTTP.',
  ),
  client_id: key(text().default(programName), 'assay-eu', 'Our name in the logs of the brokers.'),
  group_id: key(
    text().default(programName),
    'assay-canary',
    'Consumer group. Instances of one group share the partitions.',
  ),
  topics: key(
    list(text(), '[predictions]').default([]),
    ['predictions'],
    'Topics with predictions. Where brokers are named, `assay run` needs one.',
  ),
  truth_topic: key(text().optional(), 'truth', 'Compacted topic with truth records, laid over the files.'),
  feedback_topic: key(
    text().optional(),
    'feedback',
    'Topic with feedback on single events; docs/reference/feedback.md.',
  ),
  judgements_topic: key(text().optional(), 'judgements', 'Topic with judgements, keyed and partitioned as topics.'),
  dead_letter_topic: key(
    text().optional(),
    'predictions-refused',
    'Where refused records go. Default: files under state.dir.',
  ),
  from: key(
    startingPoint().prefault('earliest'),
    '2026-05-01T00:00:00Z',
    'Where to begin without checkpoint and commit: earliest, latest, or an ISO time.',
  ),
  on_gap: key(
    choice('refuse', 'skip').default('refuse'),
    'skip',
    'What to do where the log was trimmed past our offset: refuse the partition, or skip and count.',
  ),
  session_timeout: key(
    timer(1_000).prefault('10s'),
    '30s',
    'A member silent for so long loses its partitions. Heartbeats follow from it.',
  ),
  ssl: key(
    z.union([flag(), ssl], { error: 'is neither true, false nor a set of ssl keys' }).default(false),
    true,
    'TLS to the brokers: true, false, or its settings. Any key below turns it on.',
  ),
  sasl: sasl.optional().describe('How to authenticate. Default: not at all.'),
  schema_registry: schemaRegistry,
});

const truth = z.strictObject({
  paths: key(
    list(text(), '[truth.arrow]').default([]),
    ['truth.arrow'],
    'Truth: files (NDJSON, JSON, CSV, Parquet, Arrow; also gzip, zstd), or folders of them; or s3://bucket/key.',
  ),
  fields: truthFields,
  watch: key(flag().default(true), false, 'Whether folders and files are watched for changes.'),
});

const time = z.strictObject({
  pane: key(duration(1).prefault('10s'), '1m', 'Smallest bucket of event time.'),
  out_of_orderness: key(duration().prefault('1m'), '5m', 'How far the watermark lies behind the greatest event time.'),
  max_future: key(
    duration().prefault('5m'),
    '1h',
    'An event further than this after its record time stamp is refused. Not in replay.',
  ),
  idle_after: key(
    timer().prefault('30s'),
    '10s',
    'Without lag and without records for so long, windows move on with the clock.',
  ),
  windows: key(
    list(duration(1), '[5m, 1h, 24h]')
      .prefault(['5m', '1h', '24h'])
      .transform((windows) => [...windows].sort((a, b) => a.ms - b.ms)),
    ['1h', '7d'],
    'Windows to report besides all. Their texts are their names in every output.',
  ),
});

const join = z.strictObject({
  truth_wait: key(duration().prefault('24h'), '2h', 'How long a prediction waits for its truth, in event time.'),
});

const dedupe = z.strictObject({
  window: key(duration().prefault('10m'), '1h', 'How long an event_id is remembered, in event time.'),
});

const dimensionForm = 'is no dimension; write model, agent, or tags.<name>';
const dimension = z.string({ error: dimensionForm }).regex(/^(model|agent|tags\.[\s\S]+)$/u, { error: dimensionForm });

const slices = list(
  list(dimension, '[model, agent]').min(1, { error: 'is empty; the total is always there' }),
  '[[model], [agent]]',
).default([['model'], ['agent']]);

const exposeForm = 'is no address; write host:port, such as 0.0.0.0:9465';

const http = z.strictObject({
  host: key(text().default('127.0.0.1'), '0.0.0.0', 'Address to listen on.'),
  port: key(whole(0, 65_535).default(9464), 8080, 'Port to listen on; 0 takes a free one.'),
  samples: key(whole(0, 1_000).default(20), 100, 'Failed predictions that the web page shows; 0: no single events.'),
  metrics: key(
    z
      .union([z.literal('all'), list(text(), '[per_class, trajectory]')], {
        error: 'is neither all nor a list of names, such as [per_class, trajectory]',
      })
      .default([]),
    ['per_class', 'trajectory'],
    'Values of the label metric on /metrics besides the headlines: names, beginnings of names, families, or all; docs/reference/metrics.md.',
  ),
  redact: key(
    list(text(), '[email, phone]').default([]),
    ['email', 'phone'],
    'Names of arguments whose values the web page hides.',
  ),
  show_content: key(
    flag().optional(),
    false,
    'true: the web page shows arguments and outputs. Default: true on a loopback address, or behind a login.',
  ),
  web_config: key(
    text().optional(),
    '/etc/assay/web.yaml',
    'File with TLS and logins for this address, in the form that exporters for Prometheus take.',
  ),
  expose: key(
    z
      .string({ error: exposeForm })
      .regex(/^(\[[0-9a-fA-F:.]+\]|[^\s,/@:]+):\d{1,5}$/, { error: exposeForm })
      .optional(),
    '0.0.0.0:9465',
    'Another address for health and metrics alone, without TLS or login, as host:port.',
  ),
  allowed_hosts: key(
    list(text(), '[assay.example.com]').optional(),
    ['assay.example.com'],
    'Names under which the port may be asked. Default: loopback names on a loopback address, else any.',
  ),
});

const page = z.strictObject({
  marks: key(
    dimension.optional(),
    'tags.version',
    'Dimension of a set of slices: the charts of the web page mark the time at which a value of it was first seen, such as a new version.',
  ),
});

const modeForm =
  'is no mode of files that their owner may read and write; write octal digits in quotes, such as "0640"';

const files = z.strictObject({
  mode: key(
    z
      .string({ error: modeForm })
      .regex(/^0?6[0-6][0-6]$/, { error: modeForm })
      .default('0600'),
    '0640',
    'Who may read what is written: checkpoints, dead letters, score rows, snapshots, summaries, reports, truth tables. Folders follow.',
  ),
});

const log = z.strictObject({
  level: key(choice('debug', 'info', 'warn', 'error').default('info'), 'debug', 'Least level that is logged.'),
  pretty: key(
    z.union([flag(), z.literal('auto')], { error: 'is neither true, false nor auto' }).default('auto'),
    false,
    'Whether logs are lines for people rather than JSON; auto: where stderr is a terminal.',
  ),
});

const run = z.strictObject({
  threads: key(
    z.union([whole(1).max(64), z.literal('auto')], { error: 'is neither auto nor a number from 1 to 64' }).default(1),
    2,
    'Threads that score, each a member of the group with partitions of its own, besides the one that serves web page and metrics; auto: as many as there are processors.',
  ),
});

/** The whole configuration as it may be written. Keys that are not listed are errors; every key has a default. */
export const configSchema = z.strictObject({
  kafka: kafka.prefault({}).describe('Where predictions come from.'),
  ingest: ingest
    .prefault({})
    .describe('Records that are sent to http.port, and the log inside that keeps them; docs/reference/log-inside.md.'),
  input: input.prefault({}).describe('The form of the records; docs/reference/inputs.md.'),
  runs: runs.prefault({}).describe('Runs of several steps; docs/reference/inputs.md, "Lists of messages".'),
  decision: decision.prefault({}).describe('Decisions that are said in words; docs/reference/inputs.md.'),
  tools: tools.prefault({}).describe('Names of tools; docs/reference/inputs.md.'),
  truth: truth.prefault({}).describe('Where the truth comes from.'),
  time: time.prefault({}).describe('Event time.'),
  join: join.prefault({}).describe('Joining predictions with their truth.'),
  feedback: feedback
    .prefault({})
    .describe('Feedback of people and systems on single events, which comes later; docs/reference/feedback.md.'),
  dedupe: dedupe.prefault({}).describe('De-duplication by example_id and event_id.'),
  slices: key(
    slices,
    [['model'], ['model', 'tags.region']],
    'Sets of dimensions to report by: model, agent, tags.<name>. The total is always there.',
  ),
  metrics: metrics.prefault({}).describe('The families of metrics that are computed, and their settings.'),
  watches: key(
    watches,
    [{ metric: 'decision.tool_hall', by: ['model'], baseline: 0.02 }],
    'Rates that raise an alarm; docs/reference/scoring.md, "Watches". Default: every headline rate with a learned baseline, one false alarm in 30d for all of them.',
  ),
  judge: judge.prefault({}).describe('Whom `assay judge` asks; docs/reference/judgements.md.'),
  run: run.prefault({}).describe('How `assay run` uses the machine.'),
  state: state.prefault({}).describe('Checkpoints.'),
  s3: s3.prefault({}).describe('How s3:// is reached; credentials are found in environment, profile or role.'),
  snapshots: snapshots.prefault({}).describe('Arrow snapshots.'),
  http: http.prefault({}).describe('Metrics, summary and web page.'),
  page: page.prefault({}).describe('The web page.'),
  links: links.prefault({}).describe('Addresses that web page, alerts and API link to.'),
  limits: limits.prefault({}).describe('Bounds of records, state and outputs.'),
  files: files.prefault({}).describe('Files that are written.'),
  log: log.prefault({}).describe('Logs, on stderr.'),
  grace: key(timer().prefault('25s'), '1m', 'Time to stop in: finish the batch, checkpoint, leave the group.'),
});
