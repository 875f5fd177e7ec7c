import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bomb, produceBomb } from '../support/bombs.ts';
import { deadLetters } from '../support/dead-letters.ts';
import { type TestRecord, withKafka } from '../support/kafka.ts';
import { runToEnd, serviceConfig, startService, stateSummary } from '../support/service.ts';
import { patience, until } from '../support/until.ts';
import { sceneOf, type Scene } from '../support/scene.ts';

withKafka('what a partition brings holds back no other', (kafka) => {
  test('a batch of too many plain bytes: its records are refused by offset, the next ones scored, a restart changes nothing', async (context) => {
    const deadLetterTopic = await kafka().freshTopic(1);
    const more = { kafka: { dead_letter_topic: deadLetterTopic } };
    const scene = await sceneOf(context, kafka(), 60, { more: { ...more, limits: { batch_bytes: 100_000 } } });
    const { settings, state, topic, config } = scene;
    const good = goodOf(scene, 1);
    const large = good.slice(0, 40).map((each) => ({ ...each, value: `${each.value}${' '.repeat(5_000)}` }));
    await kafka().produce(topic, good.slice(0, 5));
    await kafka().produce(topic, large, 'gzip');
    await kafka().produce(topic, good.slice(5, 10), 'gzip');
    await runToEnd(config);
    const { records, groups } = await stateSummary(state);
    assert.equal(records['read'], 50);
    assert.deepEqual(records['rejected'], { too_large: 40 });
    const places = Array.from({ length: 40 }, (_, at) => `0/${5 + at} too_large unread`).sort();
    assert.deepEqual((await deadLetters(kafka(), deadLetterTopic)).places, places);
    assert.match(await runToEnd(config), /partition restored/);
    const again = await stateSummary(state);
    assert.deepEqual([again.records, again.groups], [records, groups]);
    const higher = serviceConfig({ ...settings, more: { ...more, limits: { batch_bytes: 1_000_000 } } });
    await kafka().produce(topic, large, 'gzip');
    await runToEnd(higher);
    assert.equal((await stateSummary(state)).records['read'], 90);
    assert.deepEqual((await deadLetters(kafka(), deadLetterTopic)).places, places);
  });

  test('a batch that cannot be unpacked, with a right checksum: its records are refused by offset, the next ones scored', async (context) => {
    const deadLetterTopic = await kafka().freshTopic(1);
    const more = { kafka: { dead_letter_topic: deadLetterTopic } };
    const scene = await sceneOf(context, kafka(), 60, { more });
    const { state, topic, config } = scene;
    const good = goodOf(scene, 1);
    const { body: frame, ...rest } = await bomb('lz4', 5_000);
    // A broker does not look at the checksum at the end of an LZ4 frame: this header says that there is one, and it is wrong.
    assert.equal(frame.subarray(0, 7).toString('hex'), '04224d18604082');
    const body = Buffer.concat([Buffer.from('04224d186440a7', 'hex'), frame.subarray(7), Buffer.alloc(4, 0x55)]);
    await kafka().produce(topic, good.slice(0, 5));
    await produceBomb(kafka(), topic, { body, ...rest });
    await kafka().produce(topic, good.slice(5, 10));
    await runToEnd(config);
    const { records } = await stateSummary(state);
    assert.deepEqual([records['read'], records['rejected']], [15, { not_json: 5 }]);
    const places = Array.from({ length: 5 }, (_, at) => `0/${5 + at} not_json unread`).sort();
    assert.deepEqual((await deadLetters(kafka(), deadLetterTopic)).places, places);
  });

  test('without its dead-letter topic only the partition with dead letters waits, and a stop takes seconds', async (context) => {
    const deadLetterTopic = `dead-${kafka().freshGroup()}`;
    const more = { kafka: { dead_letter_topic: deadLetterTopic } };
    const scene = await sceneOf(context, kafka(), 400, { partitions: 2, more });
    const { settings, state, topic, config } = scene;
    const bad: TestRecord = { value: 'no JSON', partition: 0 };
    const good = goodOf(scene, 2);
    await kafka().produce(topic, [bad, ...good]);
    const { high } = (await kafka().admin.fetchTopicOffsets(topic)).find(({ partition }) => partition === 1)!;
    const committed = async (): Promise<(string | undefined)[]> => {
      const [offsets] = await kafka().admin.fetchOffsets({ groupId: settings.group, topics: [topic] });
      return [0, 1].map((partition) => offsets?.partitions.find((each) => each.partition === partition)?.offset);
    };
    const service = startService(config);
    await until('the other partition is committed', async () => (await committed())[1] === high);
    // A checkpoint before the first record commits 0, which says the same as no commit.
    assert.match((await committed())[0] ?? '', /^(-1|0)$/);
    await kafka().produce(
      topic,
      good.slice(0, 10).map((each) => ({ ...each, partition: 1 })),
    );
    await until('it goes on', async () => (await committed())[1] === String(Number(high) + 10));
    assert.match(await service.text('/readyz?verbose'), new RegExp(`outages: dead letters ${topic}/0`));
    const startMs = Date.now();
    assert.equal(await service.stop(), 0, service.log());
    assert.ok(Date.now() - startMs < patience * 10_000, `${Date.now() - startMs} ms`);
    assert.match(service.log(), /its dead letters cannot be written, its last records will be read again/);
    await kafka().admin.createTopics({ topics: [{ topic: deadLetterTopic }], waitForLeaders: false });
    await runToEnd(config);
    assert.deepEqual((await deadLetters(kafka(), deadLetterTopic)).places, ['0/0 not_json']);
    assert.equal((await stateSummary(state)).records['read'], good.length + 11);
  });
});

/** Records of a scene that are events, over so many partitions in turn. */
function goodOf({ traffic }: Scene, partitions: number) {
  const good = traffic.records.filter(({ value }) => isGood(value));
  return good.map((each, at) => ({ ...each, partition: at % partitions }));
}

function isGood(value: Buffer | string | null): boolean {
  try {
    const event = JSON.parse(String(value)) as { run?: unknown; ts?: unknown };
    return typeof event.run === 'number' && !Number.isNaN(Date.parse(String(event.ts)));
  } catch {
    return false;
  }
}
