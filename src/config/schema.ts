import * as z from 'zod';
import { type CountLimit, countLimits, truthLoadDefault } from './limits.ts';
import type { Config } from './config.ts';
import { choice, duration, flag, list, secret, startingPoint, text, timer, whole } from './fields.ts';
import { metricsSchema } from './metrics-schema.ts';

const ssl = z.strictObject({
  ca: text().optional().describe('Certificates to trust, PEM text. Default: those of Node.'),
  cert: text().optional().describe('Our certificate, PEM text.'),
  key: secret().optional().describe('Its private key, PEM text.'),
  passphrase: secret().optional().describe('Passphrase of the key.'),
  server_name: text()
    .optional()
    .describe('Name that the certificate of a broker must carry, where it is not its host.'),
});

const sasl = z.strictObject({
  mechanism: choice('plain', 'scram-sha-256', 'scram-sha-512').describe('How we say who we are.'),
  username: text().describe('User name.'),
  password: secret().describe('Password.'),
});

const brokerForm = 'is not host:port; write a broker as localhost:9092';

const kafka = z.strictObject({
  brokers: list(z.string({ error: brokerForm }).regex(/^[^\s,/]+:\d{1,5}$/, { error: brokerForm }), '[localhost:9092]')
    .default([])
    .describe('Brokers to begin with, as host:port.'),
  client_id: text().default('assay').describe('Our name in the logs of the brokers.'),
  group_id: text().default('assay').describe('Consumer group. Instances of one group share the partitions.'),
  topics: list(text(), '[predictions]').default([]).describe('Topics with predictions.'),
  truth_topic: text().optional().describe('Compacted topic with truth records, laid over the files.'),
  dead_letter_topic: text().optional().describe('Where refused records go. Default: files under state.dir.'),
  from: startingPoint()
    .prefault('earliest')
    .describe('Where to begin without checkpoint and commit: earliest, latest, or an ISO time.'),
  on_gap: choice('refuse', 'skip')
    .default('refuse')
    .describe('What to do where the log was trimmed past our offset: refuse the partition, or skip and count.'),
  session_timeout: timer(1_000)
    .prefault('10s')
    .describe('A member silent for so long loses its partitions. Heartbeats follow from it.'),
  ssl: z
    .union([flag(), ssl], { error: 'is neither true, false nor a set of ssl keys' })
    .default(false)
    .describe('Whether to speak TLS to the brokers, or how.'),
  sasl: sasl.optional().describe('How to authenticate.'),
});

const truth = z.strictObject({
  paths: list(text(), '[truth.arrow]').default([]).describe('Truth tables: Arrow files, or folders of them.'),
  watch: flag().default(true).describe('Whether folders and files are watched for changes.'),
});

const time = z.strictObject({
  pane: duration(1).prefault('10s').describe('Smallest bucket of event time.'),
  out_of_orderness: duration().prefault('1m').describe('How far the watermark lies behind the greatest event time.'),
  max_future: duration()
    .prefault('5m')
    .describe('An event further than this after its record time stamp is refused. Not in replay.'),
  idle_after: timer()
    .prefault('30s')
    .describe('Without lag and without records for so long, windows move on with the clock.'),
  windows: list(duration(1), '[5m, 1h, 24h]')
    .prefault(['5m', '1h', '24h'])
    .transform((windows) => [...windows].sort((a, b) => a.ms - b.ms))
    .describe('Windows to report besides all.'),
});

const state = z.strictObject({
  dir: text().default('.assay/state').describe('Folder of the checkpoints, shared by the instances of a group.'),
  checkpoint_every: timer().prefault('5s').describe('Time between checkpoints.'),
});

const snapshots = z.strictObject({
  dir: text().default('.assay/snapshots').describe('Folder of the Arrow snapshots.'),
  every: timer().prefault('1m').describe('Time between snapshots.'),
  keep: duration(1).prefault('7d').describe('Snapshots older than this are deleted.'),
  scores: choice('failures', 'all', 'none').default('failures').describe('Which scored predictions get a score row.'),
});

const http = z.strictObject({
  host: text().default('127.0.0.1').describe('Address to listen on.'),
  port: whole(0, 65_535).default(9464).describe('Port to listen on; 0 takes a free one.'),
  samples: whole(0, 1_000).default(20).describe('Failed predictions shown on the page; 0 hides them.'),
  redact: list(text(), '[email, phone]').default([]).describe('Names of arguments whose values the page hides.'),
  allowed_hosts: list(text(), '[assay.example.com]')
    .optional()
    .describe('Names under which the port may be asked. Default: loopback names on a loopback address, else any.'),
});

const log = z.strictObject({
  level: choice('debug', 'info', 'warn', 'error').default('info').describe('Least level that is logged.'),
  pretty: z
    .union([flag(), z.literal('auto')], { error: 'is neither true, false nor auto' })
    .default('auto')
    .describe('Whether logs are lines for people rather than JSON; auto: where stderr is a terminal.'),
});

const dimension = z
  .string({ error: 'is no dimension; write model, agent, or tags.<name>' })
  .regex(/^(model|agent|tags\.[\s\S]+)$/u, { error: 'is no dimension; write model, agent, or tags.<name>' });

const limits = z.strictObject({
  ...(Object.fromEntries(Object.entries(countLimits).map(([name, limit]) => [name, countLimit(limit)])) as Record<
    CountLimit,
    z.ZodDefault<z.ZodNumber>
  >),
  truth_load: timer()
    .prefault(truthLoadDefault)
    .describe('Time to load a version of the truth; beyond, it is refused. A damaged file can make the library loop.'),
});

function countLimit({ default: value, meaning, reason }: (typeof countLimits)[CountLimit]): z.ZodDefault<z.ZodNumber> {
  return whole(1).default(value).describe(`${meaning} ${reason}`);
}

/** The whole configuration as it may be written. Keys that are not listed are errors; every key has a default. */
export const configSchema: z.ZodType<Config, unknown> = z.strictObject({
  kafka: kafka.prefault({}).describe('Where predictions come from.'),
  truth: truth.prefault({}).describe('Where the truth comes from.'),
  time: time.prefault({}).describe('Event time.'),
  join: z
    .strictObject({
      truth_wait: duration().prefault('24h').describe('How long a prediction waits for its truth, in event time.'),
    })
    .prefault({})
    .describe('Joining predictions with their truth.'),
  dedupe: z
    .strictObject({ window: duration().prefault('10m').describe('How long an event_id is remembered, in event time.') })
    .prefault({})
    .describe('De-duplication by event_id.'),
  slices: list(
    list(dimension, '[model, agent]').min(1, { error: 'is empty; the total is always there' }),
    '[[model], [agent]]',
  )
    .default([['model'], ['agent']])
    .describe('Sets of dimensions to report by: model, agent, tags.<name>. The total is always there.'),
  metrics: metricsSchema.prefault({}).describe('What is computed.'),
  state: state.prefault({}).describe('Checkpoints.'),
  snapshots: snapshots.prefault({}).describe('Arrow snapshots.'),
  http: http.prefault({}).describe('Metrics, summary and page.'),
  limits: limits.prefault({}).describe('What nothing may exceed.'),
  log: log.prefault({}).describe('Logs, on stderr.'),
  grace: timer().prefault('25s').describe('Time to stop in: finish the batch, checkpoint, leave the group.'),
});
