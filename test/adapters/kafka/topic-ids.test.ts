import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kafkaSource } from '../../../src/adapters/kafka/kafka-source.ts';
import { decodeTopicIds } from '../../../src/adapters/kafka/topic-ids.ts';
import { recreated, sourceOptions, testLog, withKafka } from '../../support/kafka.ts';
import { readingOf } from '../../support/truth-reading.ts';
import { until } from '../../support/until.ts';

test('the ids of topics are read beside brokers and partitions, without those of topics that are not there', () => {
  const id = (digit: number): Buffer => Buffer.alloc(16, digit);
  const text = (of: string): Buffer => Buffer.concat([Buffer.from([of.length + 1]), Buffer.from(of)]);
  const int32 = (of: number): Buffer => Buffer.from([of >> 24, of >> 16, of >> 8, of]);
  const partition = [Buffer.alloc(2), int32(0), int32(1), int32(7), ...[[1, 2], [1], []].map(numbers), Buffer.alloc(1)];
  const topic = (error: number, name: string, digit: number): Buffer[] => [
    ...[Buffer.from([0, error]), text(name), id(digit), Buffer.from([0]), Buffer.from([2]), ...partition],
    ...[int32(-2147483648), Buffer.from([0])],
  ];
  const broker = [int32(1), text('host'), int32(9092), Buffer.from([0]), Buffer.from([0])];
  const head = [Buffer.from([0]), int32(0), Buffer.from([2]), ...broker, text('cluster'), int32(1), Buffer.from([4])];
  const topics = [...topic(0, 'a', 0x11), ...topic(3, 'gone', 0), ...topic(0, 'b', 0x22)];
  const bytes = Buffer.concat([...head, ...topics, int32(-2147483648), Buffer.from([0])]);
  assert.deepEqual(
    [...decodeTopicIds(bytes)],
    [
      ['a', '11'.repeat(16)],
      ['b', '22'.repeat(16)],
    ],
  );
});

function numbers(of: readonly number[]): Buffer {
  return Buffer.concat([Buffer.from([of.length + 1]), ...of.map((each) => Buffer.from([0, 0, 0, each]))]);
}

withKafka('ids of topics', (kafka) => {
  test('a topic has another id after it was made anew', async () => {
    const topic = await kafka().freshTopic(1);
    const source = kafkaSource(sourceOptions(kafka(), [topic]));
    const before = (await source.cluster()).topicIds?.get(topic);
    assert.match(before ?? '', /^[0-9a-f]{32}$/);
    await kafka().admin.deleteTopics({ topics: [topic] });
    await recreated(kafka(), topic);
    const after = (await source.cluster()).topicIds?.get(topic);
    assert.match(after ?? '', /^[0-9a-f]{32}$/);
    assert.notEqual(after, before);
    await source.stop();
  });

  test('a truth topic that is made anew while it is read has the rows of the new one alone, and the log has it', async () => {
    const topic = await kafka().freshTopic(1);
    const row = (id: string) => ({ key: id, value: JSON.stringify({ example_id: id, label: 'direct' }) });
    await kafka().produce(topic, [row('e0'), row('e1')]);
    const log = testLog();
    const source = kafkaSource(sourceOptions(kafka(), [topic]));
    const read = readingOf(topic, source, log);
    const running = source.run(read.consumer);
    await until('the rows are read', () => read.rows().rows === 2);
    await kafka().admin.deleteTopics({ topics: [topic] });
    await recreated(kafka(), topic);
    await kafka().produce(topic, ['n0', 'n1', 'n2'].map(row));
    await until('the new rows are read, and the old ones forgotten', () => read.rows().rows === 3);
    await kafka().produce(topic, [row('n3'), { key: 'n0', value: null }, { key: 'n1', value: null }]);
    await until('it goes on', () => read.rows().rows === 2);
    assert.equal(log.lines.filter((line) => /topic of truth or feedback was recreated/.test(line)).length, 1);
    await source.stop();
    await running;
  });
});
