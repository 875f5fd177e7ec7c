import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KafkaSourceOptions, kafkaSource } from '../../../src/adapters/kafka/kafka-source.ts';
import { partitionName, type Source, type TopicPartition } from '../../../src/ports.ts';
import { sourceOptions, type TestRecord, testLog, topicReady, withKafka } from '../../support/kafka.ts';
import { type RecordingConsumer, type RecordingOptions, recordingConsumer } from '../../support/recording-consumer.ts';
import { patience, until } from '../../support/until.ts';

/** A member of a group, whose consumer saves its positions where the others find them, as checkpoints are. */
interface Member {
  readonly source: Source;
  readonly consumer: RecordingConsumer;
  readonly running: Promise<void>;
  readonly commits: (readonly TopicPartition[])[];
}

withKafka('kafka group', (kafka) => {
  test('members that read other topics share those that both read, and each reads its own', async () => {
    const [common, mine, yours] = await Promise.all([2, 1, 1].map((partitions) => kafka().freshTopic(partitions)));
    const settings = { topic: common!, group: kafka().freshGroup(), positions: new Map() };
    const one = member({ ...settings, options: { topics: [common!, mine!] } });
    await until('the first has all of its topics', () => assigned(one).length === 3);
    const two = member({ ...settings, options: { topics: [common!, yours!] } });
    await until('the second has its own topic and a half', () => two.consumer.next.size === 2);
    await until('the first has given that half', () => one.consumer.next.size === 2);
    for (const topic of [common!, mine!, yours!])
      await kafka().produce(topic, [{ value: `of ${topic}`, partition: 0 }]);
    await until('all is read', () => one.consumer.count() + two.consumer.count() === 3);
    assert.deepEqual(
      [...two.consumer.next.keys()].filter((name) => !name.startsWith(common!)),
      [`${yours}/0`],
    );
    await Promise.all([one.source.stop(), two.source.stop()]);
    await Promise.all([one.running, two.running]);
  });

  test('members come and go: kept partitions stay, moved ones resume from what was saved before, no record twice', async () => {
    const topic = await kafka().freshTopic(4);
    const positions = new Map<string, number>();
    const settings = { topic, group: kafka().freshGroup(), positions };
    const one = member(settings);
    await kafka().produce(topic, values(0, 400));
    await until('one member reads all', () => one.consumer.count() === 400);
    const joining = Date.now();
    const two = member(settings);
    await until('the second member has its half', () => assigned(two).length === 2);
    assert.ok(Date.now() - joining < patience * 10_000);
    await until('the first has given its half', () => one.consumer.next.size === 2);
    assert.deepEqual(
      one.consumer.events.slice(0, 4),
      [0, 1, 2, 3].map((partition) => `assigned ${topic}/${partition} new`),
    );
    const rest = one.consumer.events.slice(4);
    assert.equal(rest[0], 'save');
    assert.equal(rest.filter((event) => event.startsWith('revoked')).length, 2);
    assert.equal(rest.filter((event) => event.endsWith('kept')).length, 2);
    assert.deepEqual(
      one.commits,
      [[0, 1, 2, 3].map((partition) => ({ topic, partition }))],
      'still a member when it saved',
    );
    await kafka().produce(topic, values(400, 800));
    await until('both read all', () => one.consumer.count() + two.consumer.count() === 800);
    await two.source.stop();
    await two.running;
    await until('the first has all again', () => one.consumer.next.size === 4);
    await kafka().produce(topic, values(800, 900));
    await until('it reads the rest', () => one.consumer.count() + two.consumer.count() === 900);
    await one.source.stop();
    await one.running;
    assert.deepEqual(
      offsetsOfAll([one, two]),
      [0, 1, 2, 3].flatMap((partition) => range(225).map((offset) => `${topic}/${partition} ${offset}`)).sort(),
    );
  });

  test('members come and go while records flow: none is lost, none is seen twice', async () => {
    const topic = await kafka().freshTopic(4);
    const settings = { topic, group: kafka().freshGroup(), positions: new Map<string, number>() };
    const total = 24_000;
    const members = [member(settings)];
    const producing = kafka().produce(topic, values(0, total));
    for (let turn = 0; turn < 3; turn++) {
      const next = member(settings);
      members.push(next);
      await until('it has partitions', () => assigned(next).length > 0);
      if (turn === 1) {
        await members[0]!.source.stop();
        await members[0]!.running;
      }
    }
    await producing;
    await until('all is read', () => members.reduce((sum, { consumer }) => sum + consumer.count(), 0) >= total);
    for (const each of members) await each.source.stop();
    await Promise.all(members.map(({ running }) => running));
    const all = offsetsOfAll(members);
    assert.equal(all.length, total);
    assert.equal(new Set(all).size, total);
  });

  test('a member that was away longer than its session: its commit is refused, and it starts anew', async () => {
    const topic = await kafka().freshTopic();
    await kafka().produce(topic, values(0, 10));
    const committed: unknown[] = [];
    let froze = false;
    const consumer = recordingConsumer({
      onRecords() {
        if (froze) return undefined;
        froze = true;
        // Blocks the whole process, as a stopped one is blocked; the broker ends the session after one second.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3500);
        return source
          .commit([{ topic, partition: 0, nextOffset: 10 }])
          .then((accepted) => void committed.push(accepted));
      },
    });
    const source = kafkaSource(sourceOptions(kafka(), [topic], { sessionTimeoutMs: 1000 }));
    const running = source.run(consumer);
    await until('it has joined again', () => consumer.events.length === 2);
    assert.deepEqual(committed, [[]]);
    assert.deepEqual(consumer.events, [`assigned ${topic}/0 new`, `assigned ${topic}/0 new`]);
    await until('it commits as a member again', async () => {
      return (await source.commit([{ topic, partition: 0, nextOffset: 10 }])).length === 1;
    });
    await source.stop();
    await running;
  });

  test('a partition that is added is read from where the consumer says', async () => {
    const topic = await kafka().freshTopic(1);
    const settings = { topic, group: kafka().freshGroup(), positions: new Map<string, number>() };
    const one = member(settings);
    await until('the first is in', () => assigned(one).length === 1);
    await kafka().admin.createPartitions({ topicPartitions: [{ topic, count: 2 }] });
    await topicReady(kafka().admin, topic, 2);
    await kafka().produce(topic, [{ value: 'early', partition: 1 }]);
    // The join of a second member brings new metadata at once.
    const two = member(settings);
    await until(
      'both are read',
      () => one.consumer.count() + two.consumer.count() === 1 && assigned(one).length + assigned(two).length === 2,
    );
    for (const { source, running } of [one, two]) {
      await source.stop();
      await running;
    }
    assert.deepEqual(offsetsOfAll([one, two]), [`${topic}/1 0`]);
  });

  test('until the end, by two members: each stops when its own partitions are done', async () => {
    const topic = await kafka().freshTopic(4);
    await kafka().produce(topic, values(0, 4000));
    const settings = {
      topic,
      group: kafka().freshGroup(),
      positions: new Map<string, number>(),
      options: { untilEnd: true },
    };
    const both = [member(settings), member(settings)];
    await Promise.all(both.map(({ running }) => running));
    assert.equal(new Set(offsetsOfAll(both)).size, 4000);
    assert.equal(offsetsOfAll(both).length, 4000);
  });

  test('the run to the end waits for the share of a member that has not read it', async () => {
    const topic = await kafka().freshTopic(4);
    await kafka().produce(topic, values(0, 400));
    const settings = { topic, group: kafka().freshGroup(), positions: new Map<string, number>() };
    const idle = member({ ...settings, start: () => undefined });
    await until('the idle one has all', () => idle.consumer.events.length === 4);
    const log = testLog();
    const worker = member({ ...settings, options: { untilEnd: true, log } });
    await until('it has read its share', () => worker.consumer.count() === 200);
    await until('it waits', () => log.lines.some((line) => line.includes('waits for other members')));
    await idle.source.stop();
    await idle.running;
    await worker.running;
    assert.equal(worker.consumer.count(), 400);
  });

  interface MemberSettings {
    readonly topic: string;
    readonly group: string;
    readonly positions: Map<string, number>;
    readonly start?: () => undefined;
    readonly options?: Partial<KafkaSourceOptions>;
  }

  function member({ topic, group, positions, start, options = {} }: MemberSettings): Member {
    const commits: (readonly TopicPartition[])[] = [];
    const save = async (): Promise<void> => {
      // As long as a disk may take: the group has to wait for it.
      await new Promise((resolve) => setTimeout(resolve, 100));
      for (const [name, next] of consumer.next) positions.set(name, Math.max(next, positions.get(name) ?? 0));
      const offsets = [...consumer.next].map(([name, nextOffset]) => ({
        topic: name.split('/')[0]!,
        partition: Number(name.split('/')[1]),
        nextOffset,
      }));
      commits.push(await source.commit(offsets));
    };
    const recording: RecordingOptions = {
      start: start ?? ((partition, kept, known) => (kept ? known : (positions.get(partitionName(partition)) ?? 0))),
      save,
      beforeStop: save,
    };
    const consumer = recordingConsumer(recording);
    const source = kafkaSource(sourceOptions(kafka(), [topic], { groupId: group, ...options }));
    return { source, consumer, running: source.run(consumer), commits };
  }
});

function assigned({ consumer }: Member): string[] {
  return [...consumer.next.keys()];
}

function offsetsOfAll(members: readonly Member[]): string[] {
  return members
    .flatMap(({ consumer }) =>
      [...consumer.seen].flatMap(([name, list]) => list.map(({ offset }) => `${name} ${offset}`)),
    )
    .sort();
}

function values(from: number, to: number): TestRecord[] {
  return range(to - from).map((index) => ({ value: `${from + index}`, partition: index % 4 }));
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
