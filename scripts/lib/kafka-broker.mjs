import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs from 'kafkajs';
import { defaultKafkaVersion, kafkaJars, run } from './kafka-jars.mjs';
import { kafkaSecurity } from './kafka-security.mjs';

const host = '127.0.0.1';
const startTimeoutMs = 90_000;

/**
 * Starts a Kafka of one or three KRaft brokers on this machine, and resolves when it answers. Data lie in a temporary folder that
 * `stop` removes, unless `dataDir` is given. Brokers are numbered from 1; number 1 is also the controller.
 *
 * @param {{ brokers?: 1 | 3, version?: string, port?: number, dataDir?: string, secure?: boolean, say?: (line: string) => void }} [options]
 *   `port`: of the first broker (default: free ports); `secure`: the first also listens with TLS and passwords
 * @returns {Promise<{ address: string, data: string, secure?: { address: string, ca: string, username: string, password: string }, kill: (broker?: number) => Promise<void>, freeze: (broker?: number) => void, thaw: (broker?: number) => void, restart: (broker?: number) => Promise<void>,
 *   stop: () => Promise<void> }>} `kill`: kill -9; `freeze`: it keeps its connections and answers nothing, until `thaw`; `restart`: the same broker again, on its port and data
 */
export async function startKafka(options = {}) {
  const { brokers = 1, version = defaultKafkaVersion, port, dataDir, secure = false, say = () => {} } = options;
  if (brokers !== 1 && brokers !== 3) throw new Error(`${brokers} brokers: give 1 or 3`);
  const jars = await kafkaJars({ version, say });
  const data = dataDir ?? (await mkdtemp(join(tmpdir(), 'assay-kafka-')));
  const free = await freePorts(brokers + 2);
  const ports = free.slice(0, brokers).map((any, index) => (port === undefined ? any : port + index));
  const id = await clusterId(data);
  const security = secure ? { ...(await kafkaSecurity(data, host)), port: free[brokers + 1] } : undefined;
  const cluster = { jars, data, id, ports, controllerPort: free[brokers], security, temporary: dataDir === undefined };
  const nodes = ports.map((_, index) => ({
    id: index + 1,
    folder: join(data, `broker-${index + 1}`),
    process: undefined,
  }));
  const atExit = () => abandon(cluster, nodes);
  process.on('exit', atExit);

  const stop = async () => {
    await Promise.all(nodes.map((node) => end(node, 'SIGTERM')));
    process.off('exit', atExit);
    if (cluster.temporary) await rm(data, { recursive: true, force: true });
  };
  try {
    say(`Starting ${brokers === 1 ? 'a broker' : `${brokers} brokers`} of Kafka ${version} ...`);
    await Promise.all(nodes.map((node) => format(cluster, node)));
    await Promise.all(nodes.map((node) => start(cluster, node)));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address: ports.map((each) => `${host}:${each}`).join(','),
    data,
    secure: security && { ...security, address: `${host}:${security.port}` },
    kill: (broker = 1) => end(nodes[broker - 1], 'SIGKILL'),
    freeze: (broker = 1) => process.kill(nodes[broker - 1].java, 'SIGSTOP'),
    thaw: (broker = 1) => process.kill(nodes[broker - 1].java, 'SIGCONT'),
    restart: async (broker = 1) => {
      await end(nodes[broker - 1], 'SIGKILL');
      await start(cluster, nodes[broker - 1]);
    },
    stop,
  };
}

async function format(cluster, node) {
  await mkdir(node.folder, { recursive: true });
  const settings = join(node.folder, 'server.properties');
  await writeFile(settings, properties(cluster, node));
  const formatted = await run('java', [
    ...javaOptions(cluster, 64),
    ...['kafka.tools.StorageTool', 'format', '-t', cluster.id, '-c', settings, '--ignore-formatted'],
    ...(cluster.security?.formatArgs ?? []),
  ]);
  if (formatted.status !== 0) throw new Error(`Kafka could not format ${node.folder}:\n${formatted.output}`);
}

/** The id that the data already have, or a new one: 16 bytes in base64url, the first of which avoids a leading dash. */
async function clusterId(data) {
  const known = join(data, 'cluster-id');
  const fresh = Buffer.concat([Buffer.from([1]), randomBytes(15)]).toString('base64url');
  await mkdir(data, { recursive: true });
  await writeFile(known, fresh, { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return await readFile(known, 'utf8');
}

/**
 * Runs Java under a shell that ends it, and clears its data, when this process goes away and with it the shell's input: even a
 * test run that is killed leaves no broker behind. The shell's first line of output is Java's process id.
 */
const guard = `exec 3<&0
java "$@" 3<&- </dev/null &
java=$!
echo $java
(read _ <&3; trap '' TERM; kill -9 $java; [ -z "$TEMPORARY" ] || rm -rf "$TEMPORARY") >/dev/null 2>&1 &
watch=$!
wait $java
kill $watch`;

async function start(cluster, node) {
  const settings = join(node.folder, 'server.properties');
  const child = spawn('sh', ['-c', guard, 'sh', ...javaOptions(cluster, 512), 'kafka.Kafka', settings], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, TEMPORARY: cluster.temporary ? cluster.data : '' },
    // A group of its own: Ctrl-C reaches this process first, which ends the brokers in order.
    detached: true,
  });
  node.process = child;
  node.java = undefined;
  child.stdin.on('error', () => {});
  let output = '';
  const keep = (bytes) => {
    output = (output + bytes).slice(-4000);
  };
  child.stderr.on('data', keep);
  const [id] = await once(child.stdout, 'data');
  node.java = Number.parseInt(String(id), 10);
  child.stdout.on('data', keep);
  const deadline = Date.now() + startTimeoutMs;
  const port = cluster.ports[node.id - 1];
  while (!(await answers(port, cluster.ports.length))) {
    if (node.process !== child) throw new Error(`Broker ${node.id} was stopped before it answered`);
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Error(`Broker ${node.id} does not answer on ${host}:${port}:\n${output}`);
    }
    await sleep(100);
  }
}

/** Whether a client could work with a broker: all others are known, a controller is elected, a group coordinator can be found. */
async function answers(port, brokers) {
  const { Kafka, logLevel } = kafkajs;
  const settings = { clientId: 'assay-probe', brokers: [`${host}:${port}`], logLevel: logLevel.NOTHING };
  const admin = new Kafka({ ...settings, retry: { retries: 0 } }).admin();
  try {
    await admin.connect();
    const cluster = await admin.describeCluster();
    await admin.describeGroups(['assay-probe']);
    return cluster.brokers.length === brokers && cluster.controller !== null;
  } catch {
    return false;
  } finally {
    await admin.disconnect();
  }
}

async function end(node, signal) {
  const child = node.process;
  node.process = undefined;
  if (child === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  signalTo(node, child, signal);
  const patience = setTimeout(() => signalTo(node, child, 'SIGKILL'), 10_000);
  await ended;
  clearTimeout(patience);
}

/** Before Java's process id is known it ends with the shell. */
function signalTo(node, shell, signal) {
  if (node.java === undefined) return shell.kill('SIGKILL');
  try {
    process.kill(node.java, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** The process ends without `stop`: leave no broker and no folder behind. */
function abandon(cluster, nodes) {
  for (const node of nodes) if (node.process?.exitCode === null) signalTo(node, node.process, 'SIGKILL');
  if (cluster.temporary) rmSync(cluster.data, { recursive: true, force: true });
}

function javaOptions(cluster, heapMb) {
  const small = [`-Xmx${heapMb}m`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
  return [...small, '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-cp', join(cluster.jars, '*')];
}

function properties({ ports, controllerPort, security }, { id, folder }) {
  const own = ports[id - 1];
  const copies = ports.length;
  const controls = id === 1;
  const forClients = [`PLAINTEXT://${host}:${own}`];
  if (controls && security !== undefined) forClients.push(`SECURE://${host}:${security.port}`);
  const listeners = [...forClients, ...(controls ? [`CONTROLLER://${host}:${controllerPort}`] : [])];
  return `process.roles=${controls ? 'broker,controller' : 'broker'}
node.id=${id}
controller.quorum.voters=1@${host}:${controllerPort}
listeners=${listeners.join(',')}
advertised.listeners=${forClients.join(',')}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL
${security?.properties ?? ''}log.dirs=${join(folder, 'log')}
auto.create.topics.enable=false
default.replication.factor=${copies}
min.insync.replicas=${Math.min(2, copies)}
offsets.topic.replication.factor=${copies}
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=${copies}
transaction.state.log.min.isr=${Math.min(2, copies)}
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
broker.heartbeat.interval.ms=500
broker.session.timeout.ms=2000
group.min.session.timeout.ms=1000
num.network.threads=2
num.io.threads=2
log.cleaner.dedupe.buffer.size=2097152
`;
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => once(server.listen(0, host), 'listening')));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
