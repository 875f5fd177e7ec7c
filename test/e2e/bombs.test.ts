import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type BombForm, bomb, forgery, produceBomb, snappyClaim } from '../support/bombs.ts';
import { javaFrame } from '../support/codecs.ts';
import { deadLetters } from '../support/dead-letters.ts';
import { type TestKafka, withKafka } from '../support/kafka.ts';
import { kafkaProxy } from '../support/kafka-proxy.ts';
import { replaySummary, startService, stateSummary, type TestService } from '../support/service.ts';
import { memoryOf } from '../support/process-memory.ts';
import { soak } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

const [kilo, mega, giga] = [1e3, 1e6, 1e9];
/** What reading good batches adds to a process that has just begun. */
const usualGrowth = 48 << 20;
const chunk = 500;

/** Kinds of bombs, and how many bytes they stand for. */
type Bombs = readonly (readonly [BombForm, number])[];

const few: Bombs = [
  ['gzip', 200 * mega],
  ['snappy', 16 * mega],
  ['snappy of Java', 16 * mega],
  ['lz4', 200 * mega],
  ['zstd', 200 * mega],
];
const small: Bombs = few.map(([form]) => [form, mega]);
/** As much as a message of 1 MB can stand for. */
const large: Bombs = [
  ...(['gzip', 'lz4', 'zstd'] as const).map((form) => [form, 68 * mega] as const),
  ['lz4', 250 * mega],
  ['gzip', giga],
  ['zstd', giga],
  ['gzip', giga],
  ['zstd', 4 * giga],
];

withKafka('batches of few bytes that stand for many', (kafka) => {
  test('in each codec: refused by offset, in bounded memory, and what follows is scored', (context) =>
    explode(context, kafka(), 1 << 20, few));

  const skip = soak ? false : 'npm run test:soak';
  test('of 1 MB, in each codec', { skip }, (context) => explode(context, kafka(), 512 * kilo, small));
  test('up to 4 GB, with the usual limit', { skip }, (context) => explode(context, kafka(), 64 << 20, large));

  test('snappy blocks that claim another length than they have', async (context) => {
    const blocks = [snappyClaim(2 ** 32 - 1, 10 * kilo), snappyClaim(100, 16 * mega)];
    const forgeries = blocks.flatMap((block) => [forgery(block), forgery(javaFrame([block]))]);
    const proxy = await kafkaProxy(context, kafka().brokers[0]!, (response) => {
      for (const { forge } of forgeries) forge(response);
    });
    const scene = await begin(context, kafka(), 1 << 20, 2 + forgeries.length, proxy);
    await scene.follow();
    for (const [at, { value }] of forgeries.entries()) {
      // A claim that is too small is damage: what the block holds is not measured.
      const code = at < 2 ? 'too_large' : 'not_json';
      await scene.produceBad(1, (topic) => kafka().produce(topic, [{ value, partition: 0 }]), code);
      await scene.follow();
    }
    await scene.restart();
    await scene.follow();
    await scene.end();
  });
});

async function explode(context: TestContext, kafka: TestKafka, limit: number, bombs: Bombs): Promise<void> {
  const scene = await begin(context, kafka, limit, 2 + bombs.length, kafka.brokers[0]!);
  await scene.follow();
  const rest = memory(scene.service()).now;
  for (const [form, bytes] of bombs) {
    const made = await bomb(form, bytes);
    assert.ok(made.body.length < 2 ** 20, `${form}: ${made.body.length} bytes`);
    await scene.produceBad(made.records, (topic) => produceBomb(kafka, topic, made));
    await scene.follow();
    const growth = memory(scene.service()).peak - rest;
    context.diagnostic(
      `${form}, ${bytes / mega} MB in ${made.body.length} bytes: ${Math.round(growth / mega)} MB above rest`,
    );
    // What a bomb before this one took may not be collected yet. Not a number where memory cannot be told.
    assert.ok(!(growth > 2 * limit + usualGrowth), `${form}: ${growth} bytes more than at rest`);
  }
  await scene.restart();
  await scene.follow();
  await scene.end();
}

/** A service that reads a topic of good chunks and bad batches in turn. */
async function begin(context: TestContext, kafka: TestKafka, limit: number, chunks: number, broker: string) {
  const deadLetterTopic = await kafka.freshTopic(1);
  const more = { kafka: { dead_letter_topic: deadLetterTopic }, limits: { batch_bytes: limit } };
  const { state, topic, traffic, config } = await sceneOf(context, kafka, chunk * chunks, { brokers: [broker], more });
  let service = startService(config);
  let produced = 0;
  const bad: string[] = [];
  return {
    service: () => service,
    async produceBad(records: number, produce: (topic: string) => Promise<void>, code = 'too_large'): Promise<void> {
      for (let at = 0; at < records; at++) bad.push(`0/${produced + bad.length} ${code} unread`);
      await produce(topic);
    },
    /** The next chunk is read as well. */
    async follow(): Promise<void> {
      const records = traffic.records.slice(produced, produced + chunk).map((each) => ({ ...each, partition: 0 }));
      await kafka.produce(topic, records, 'gzip');
      produced += chunk;
      const read = async (): Promise<number> => (await service.summary()).records['read'] as number;
      await until('what follows is read', async () => (await read()) >= produced + bad.length, 60_000);
    },
    async restart(): Promise<void> {
      assert.equal(await service.stop(), 0, service.log());
      service = startService(config);
    },
    /** Good records count as in a replay, bad ones are dead letters, each once. */
    async end(): Promise<void> {
      assert.equal(await service.stop(), 0, service.log());
      assert.match(service.log(), /partition restored/);
      const { records, groups } = await stateSummary(state);
      const replay = await replaySummary(config, traffic.events);
      assert.deepEqual(groups, replay.groups);
      const tooLarge = bad.filter((place) => place.includes('too_large'));
      assert.equal((records['rejected'] as Record<string, number>)['too_large'], tooLarge.length);
      const letters = (await deadLetters(kafka, deadLetterTopic)).places;
      assert.deepEqual(
        letters.filter((place) => place.includes('unread')),
        [...bad].sort(),
      );
    },
  };
}

/** Bytes of memory that a process has, and the most that it had since the last look; none where there is no /proc. */
function memory({ process: { pid } }: TestService): { readonly now: number; readonly peak: number } {
  try {
    const held = { now: memoryOf(pid, 'VmRSS'), peak: memoryOf(pid, 'VmHWM') };
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    return held;
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}
