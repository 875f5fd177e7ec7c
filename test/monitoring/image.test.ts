import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { type Container, startContainer } from '../support/container.ts';
import { freePort } from '../support/free-port.ts';
import { createImages, type ImageConfig, type Images, lentByMachine, whyNoImages } from '../support/image.ts';
import { type TestKafka, withKafka } from '../support/kafka.ts';
import { soak } from '../support/soak.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// Not every sandbox lets a file system be mounted, CI included: then the image cannot be built, and the reason is told.
const missing = soak ? told(await whyNoImages()) : 'an image: npm run test:soak';

const predictions = 200;
const { version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;

withKafka('the image', (kafka) => {
  test('built from the Dockerfile it runs as another user on a read-only root, is healthy, scores, and ends with 0', {
    skip: missing ?? false,
  }, async (context) => {
    const images = createImages(temporaryFolder(context));
    const impossible = told(await images.prepare());
    if (impossible !== undefined) return context.skip(impossible);
    const { root, image } = await buildImage(images);
    const port = await freePort();
    const { folder, topic } = await prepare(context, kafka());
    const container = startContainer({
      root,
      image,
      env: { ASSAY_HTTP__PORT: String(port) },
      mounts: { ...lentByMachine(), [folder]: '/etc/assay' },
    });
    context.after(() => container.kill());
    const url = `http://127.0.0.1:${port}`;
    await becomes(`${url}/readyz`, container);
    assert.ok((await fetch(`${url}/livez`)).ok);
    assert.match(await (await fetch(url)).text(), /<title>/);
    await healthCheckHolds(container, image, await freePort());
    assert.notEqual(container.user(), 0);
    const written = await container.exec(['node', '-e', "require('fs').writeFileSync('/app/x', '')"]);
    assert.match(written.stderr, /EROFS/);
    await kafka().produce(topic, records());
    await until('everything is scored', async () => (await scored(url)) === predictions);
    assert.equal(await container.stop(), 0, container.log());
    assert.match(container.log(), /"msg":"stopped"/);
  });
});

function told(reason: string | undefined): string | undefined {
  if (reason !== undefined) console.warn(`*** SKIPPED: the image is not built: ${reason} ***`);
  return reason;
}

/** Builds, and looks at what the image holds and says. */
async function buildImage(images: Images): Promise<{ readonly root: string; readonly image: ImageConfig }> {
  await images.build('assay', { REVISION: '0123abc', SOURCE: 'https://git.example.com/assay' });
  const image = await images.inspect('assay');
  const { User, Labels, Entrypoint, Cmd, StopSignal, Healthcheck, Volumes, ExposedPorts } = image;
  const labels = ['title', 'source', 'licenses', 'version', 'revision'].map(
    (name) => Labels[`org.opencontainers.image.${name}`],
  );
  assert.deepEqual(labels, ['Assay', 'https://git.example.com/assay', license, version, '0123abc']);
  assert.deepEqual(
    [User, Entrypoint, Cmd, StopSignal, Object.keys(Volumes), Object.keys(ExposedPorts)],
    [
      'node',
      ['node', 'dist/bin/assay.js'],
      ['run', '-c', '/etc/assay/assay.yaml'],
      'SIGTERM',
      ['/var/lib/assay'],
      ['9464/tcp'],
    ],
  );
  assert.deepEqual(Healthcheck.Test.slice(0, 3), ['CMD', 'node', '-e'], 'no shell, no curl');
  const root = await images.mount('assay');
  const holds = (path: string): boolean => existsSync(join(root, 'app', path));
  const shipped = [
    'dist/bin/assay.js',
    'dist/page/index.html',
    'dist/sbom.cdx.json',
    'node_modules/kafkajs',
    'LICENSE',
  ];
  for (const path of shipped) assert.ok(holds(path), path);
  assert.deepEqual(['src', 'test', 'node_modules/typescript', '.git'].map(holds), [false, false, false, false]);
  return { root, image };
}

/** What is mounted at /etc/assay, and the topic that it names. */
async function prepare(
  context: TestContext,
  kafka: TestKafka,
): Promise<{ readonly folder: string; readonly topic: string }> {
  const folder = join(temporaryFolder(context), 'config');
  mkdirSync(folder);
  const topic = await kafka.freshTopic(2);
  const truth = traffic().examples.map(({ record }) => `${JSON.stringify(record)}\n`);
  writeFileSync(join(folder, 'truth.ndjson'), truth.join(''));
  const config = {
    kafka: { brokers: kafka.brokers, topics: [topic], group_id: kafka.freshGroup() },
    truth: { paths: ['/etc/assay/truth.ndjson'] },
  };
  writeFileSync(join(folder, 'assay.yaml'), JSON.stringify(config));
  chmodSync(folder, 0o755);
  return { folder, topic };
}

function traffic(): ReturnType<typeof createTraffic> {
  return createTraffic({ seed: 3, examples: 40, runs: 5, duplicates: 0, malformed: 0 });
}

function records(): ReturnType<ReturnType<typeof createTraffic>['next']> {
  const { next } = traffic();
  return Array.from({ length: predictions }, () => next(Date.now(), undefined)).flat();
}

async function becomes(address: string, container: Container): Promise<void> {
  const answers = (): Promise<boolean> =>
    fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(`${address} answers`, answers).catch((error: Error) => {
    throw new Error(`${error.message}\n${container.log()}`);
  });
}

/** Docker runs it within, and takes 0 for healthy; where nobody listens it is 1. */
async function healthCheckHolds(container: Container, image: ImageConfig, freePort: number): Promise<void> {
  const [, ...command] = image.Healthcheck.Test;
  const { status, stderr } = await container.exec(command);
  assert.equal(status, 0, stderr);
  assert.equal((await container.exec(command, { ASSAY_HTTP__PORT: String(freePort) })).status, 1);
}

async function scored(url: string): Promise<number> {
  const { records } = (await (await fetch(`${url}/api/v1/summary`)).json()) as {
    readonly records: { readonly scored: number };
  };
  return records.scored;
}
