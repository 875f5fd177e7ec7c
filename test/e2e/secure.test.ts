import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import kafkajs, { type AclOperationTypes as Operation, type AclResourceTypes as Resource } from 'kafkajs';
import { kafkaSource } from '../../src/adapters/kafka/kafka-source.ts';
import { testTraffic } from '../support/e2e-traffic.ts';
import {
  type OwnKafka,
  sourceOptions,
  startKafka,
  type TestKafka,
  testKafka,
  testLog,
  whyNoKafka,
} from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { recordingConsumer, valuesOf } from '../support/recording-consumer.ts';
import { serviceConfig, startService } from '../support/service.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

// A broker of its own, with a listener that speaks TLS and asks for passwords: it ignores ASSAY_TEST_KAFKA.
const missing = whyNoKafka({ toStart: true });
if (missing !== undefined && process.env['CI'] !== 'true') console.warn(`SKIPPED: TLS and passwords: ${missing}`);

test('TLS and passwords', { skip: process.env['CI'] === 'true' ? false : (missing ?? false) }, async (suite) => {
  const own = await startKafka({ secure: true });
  try {
    const kafka = await testKafka(own.address.split(','));
    for (const mechanism of ['plain', 'scram-sha-256', 'scram-sha-512'] as const)
      await suite.test(`records are read with ${mechanism}`, () => reads(own, kafka, mechanism));
    await suite.test('records are read with a token of a file, and of a server', (context) =>
      readsWithTokens(own, kafka, context),
    );
    for (const [missing, rights, said] of soak ? refusals : refusals.slice(1, 2))
      await suite.test(`${missing} is missing, and it says so`, (context) =>
        saysWhatIsMissing(own, kafka, context, rights, said),
      );
    await suite.test('a wrong password is waited out: red, and said once', (context) =>
      wrongPassword(own, kafka, temporaryFolder(context)),
    );
    await suite.test(
      'a token of some seconds is renewed in time; one that has ended is named, and waited for',
      (context) => shortTokens(own, kafka, temporaryFolder(context)),
    );
    await suite.test('a certificate that is not trusted is told, and waited out', () => untrusted(own, kafka));
    await kafka.admin.disconnect();
  } finally {
    await own.stop();
  }
});

async function reads(
  own: OwnKafka,
  kafka: TestKafka,
  mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512',
): Promise<void> {
  const { address, ca, username, password } = own.secure!;
  const topic = await kafka.freshTopic();
  await kafka.produce(topic, [{ value: 'one' }, { value: 'two' }]);
  const consumer = recordingConsumer();
  const sasl = { mechanism, username, password };
  const options = sourceOptions(kafka, [topic], { untilEnd: true });
  await kafkaSource({ ...options, brokers: [address], ssl: { ca }, sasl }).run(consumer);
  assert.deepEqual(valuesOf(consumer, `${topic}/0`), ['one', 'two']);
}

/** A token that nobody signed, as the broker of the tests takes it (RFC 7515, `none`). */
function token(lifeSeconds = 3600): string {
  const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  return `${part({ alg: 'none' })}.${part({ sub: 'assay', iat: now - 5, exp: now + lifeSeconds })}.`;
}

async function readsWithTokens(own: OwnKafka, kafka: TestKafka, context: TestContext): Promise<void> {
  const topic = await kafka.freshTopic();
  await kafka.produce(topic, [{ value: 'one' }]);
  const file = join(temporaryFolder(context), 'token');
  writeFileSync(file, `${token()}\n`);
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push(`${request.headers.authorization} ${body}`);
    // The first time it is down: that is waited out.
    if (asked.length === 1) response.writeHead(503).end();
    else response.end(JSON.stringify({ access_token: token(), expires_in: 3600 }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`;
  const { address, ca } = own.secure!;
  const client = { token_url: url, client_id: 'a:b', client_secret: 'se cret', scope: 'kafka' };
  for (const source of [{ token_file: file }, client]) {
    const folder = temporaryFolder(context);
    const config = serviceConfig({
      brokers: [address],
      topics: [topic],
      group: kafka.freshGroup(),
      truth: [testTraffic(folder, 1).truth],
      folder,
      more: {
        kafka: { ssl: { ca }, sasl: { mechanism: 'oauthbearer', ...source } },
        state: { dir: join(folder, 'state') },
      },
    });
    const { status, stderr } = await runProgram(['run', '-c', config, '--until-end']);
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /se cret/);
    assert.equal((await runProgram(['state', 'summary', join(folder, 'state')])).status, 0);
  }
  const login = Buffer.from('a%3Ab:se%20cret').toString('base64');
  assert.deepEqual([...new Set(asked)], [`Basic ${login} grant_type=client_credentials&scope=kafka`]);
}

interface Rights {
  readonly topic: string;
  readonly deadLetters: string;
  readonly group: string;
}

const read = AclOperationTypes.READ;
const all: readonly (readonly [Resource, keyof Rights, Operation])[] = [
  [AclResourceTypes.TOPIC, 'topic', read],
  [AclResourceTypes.TOPIC, 'deadLetters', AclOperationTypes.WRITE],
  [AclResourceTypes.GROUP, 'group', read],
];
const without = (name: keyof Rights) => all.filter(([, resource]) => resource !== name);

/** What is taken away, what is left, and what the program says. */
const refusals: readonly (readonly [string, typeof all, (rights: Rights) => string])[] = [
  [
    'Read on the topic',
    without('topic'),
    ({ topic, group }) => `Read on the topics ${topic} and on the group ${group}`,
  ],
  [
    'all on the topic but Describe',
    [...without('topic'), [AclResourceTypes.TOPIC, 'topic', AclOperationTypes.DESCRIBE]],
    ({ topic, group }) => `Read on the topics ${topic} and on the group ${group}`,
  ],
  [
    'Read on the group',
    without('group'),
    ({ topic, group }) => `Read on the topics ${topic} and on the group ${group}`,
  ],
  ['Write on the dead letters', without('deadLetters'), ({ deadLetters }) => `Write on the topic ${deadLetters}`],
];

async function saysWhatIsMissing(
  own: OwnKafka,
  kafka: TestKafka,
  context: TestContext,
  left: typeof all,
  said: (rights: Rights) => string,
): Promise<void> {
  const rights: Rights = {
    topic: await kafka.freshTopic(),
    deadLetters: await kafka.freshTopic(),
    group: kafka.freshGroup(),
  };
  await kafka.produce(rights.topic, [{ value: 'no event' }]);
  const grant = (resourceType: Resource, resourceName: string, operation: Operation, user: string) => ({
    ...{ resourceType, resourceName, operation, host: '*', principal: `User:${user}` },
    resourcePatternType: ResourcePatternTypes.LITERAL,
    permissionType: AclPermissionTypes.ALLOW,
  });
  const { address, ca, username, password } = own.secure!;
  // A right of somebody else closes what it is about to us.
  const others = all.map(([type, name, operation]) => grant(type, rights[name], operation, 'other'));
  const ours = left.map(([type, name, operation]) => grant(type, rights[name], operation, username));
  await kafka.admin.createAcls({ acl: [...others, ...ours] });
  const folder = temporaryFolder(context);
  const config = serviceConfig({
    brokers: [address],
    topics: [rights.topic],
    group: rights.group,
    truth: [testTraffic(folder, 1).truth],
    folder,
    more: {
      kafka: {
        ssl: { ca },
        sasl: { mechanism: 'scram-sha-512', username, password },
        dead_letter_topic: rights.deadLetters,
      },
      state: { dir: join(folder, 'state') },
    },
  });
  const service = startService(config);
  await until('it says so', () => service.log().includes(`give us the rights: ${said(rights)}`));
  service.kill('SIGKILL');
  await service.ended;
}

async function wrongPassword(own: OwnKafka, kafka: TestKafka, folder: string): Promise<void> {
  const { address, ca, username } = own.secure!;
  const config = serviceConfig({
    brokers: [address],
    topics: [await kafka.freshTopic()],
    group: kafka.freshGroup(),
    truth: [testTraffic(folder, 1).truth],
    folder,
    more: {
      kafka: { ssl: { ca }, sasl: { mechanism: 'scram-sha-512', username, password: 'another' } },
      state: { dir: join(folder, 'state') },
    },
  });
  const service = startService(config);
  const said =
    /refuses our login \(.*uthentication failed.*; user assay; see kafka\.sasl\): reading waits and retries/g;
  await until('it says so', () => said.test(service.log()));
  await until('it is red', async () => /\[-\] outages: .*user assay/.test(await service.text('/readyz?verbose')));
  assert.equal(await service.stop(), 0);
  assert.equal(service.log().match(said)?.length, 1, service.log());
  assert.ok(!service.log().includes('another'), 'the password is not shown');
}

async function shortTokens(own: OwnKafka, kafka: TestKafka, folder: string): Promise<void> {
  const { address, ca } = own.secure!;
  const topic = await kafka.freshTopic();
  const file = join(folder, 'token');
  const write = (): void => writeFileSync(file, token(lifeSeconds));
  const lifeSeconds = 5;
  write();
  const renewing = setInterval(write, 1_000);
  const config = serviceConfig({
    brokers: [address],
    topics: [topic],
    group: kafka.freshGroup(),
    truth: [testTraffic(folder, 1).truth],
    folder,
    more: { kafka: { ssl: { ca }, sasl: { mechanism: 'oauthbearer', token_file: file } } },
  });
  const service = startService(config);
  const ready = async (): Promise<boolean> => (await fetch(`${await service.url()}/readyz`)).ok;
  try {
    await until('it is ready', ready);
    const sinceMs = Date.now();
    await until('three sessions have passed', () => Date.now() - sinceMs > 3 * 1_000 * lifeSeconds);
    assert.doesNotMatch(service.log(), /"level":"(warn|error)"/);
    await kafka.produce(topic, [{ value: 'no event' }]);
    await until('it reads', async () => (await service.consumed()) === 1);
  } finally {
    clearInterval(renewing);
  }
  const said = new RegExp(`refuses our login .*the token of ${file} ended at 20.*; write a new one; see kafka.sasl`);
  await until('the end of the token is named', () => said.test(service.log()));
  await until('it is red', async () => said.test(await service.text('/readyz?verbose')));
  writeFileSync(file, token());
  await until('it goes on', ready);
  assert.equal(await service.stop(), 0, service.log());
}

async function untrusted(own: OwnKafka, kafka: TestKafka): Promise<void> {
  const { address, username, password } = own.secure!;
  const log = testLog();
  const options = sourceOptions(kafka, [await kafka.freshTopic()], { log });
  const source = kafkaSource({
    ...options,
    brokers: [address],
    ssl: true,
    sasl: { mechanism: 'plain', username, password },
  });
  const running = source.run(recordingConsumer());
  await until('it says why', () => log.lines.some((line) => /certificate/.test(line)));
  await source.stop();
  await running;
}
