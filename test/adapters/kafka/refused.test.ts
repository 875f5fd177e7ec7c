import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssignerProtocol, type Consumer as Member, type PartitionAssigner } from 'kafkajs';
import { kafkaSource } from '../../../src/adapters/kafka/kafka-source.ts';
import { sourceOptions, testLog, withKafka } from '../../support/kafka.ts';
import { recordingConsumer } from '../../support/recording-consumer.ts';
import { until } from '../../support/until.ts';

/** An assignor that no other program has. */
const ownAssigner: PartitionAssigner = () => ({
  name: 'OwnAssigner',
  version: 1,
  assign: async ({ members }) =>
    members.map(({ memberId }) => ({
      memberId,
      memberAssignment: AssignerProtocol.MemberAssignment.encode({
        version: 1,
        assignment: {},
        userData: Buffer.alloc(0),
      }),
    })),
  protocol: ({ topics }) => ({
    name: 'OwnAssigner',
    metadata: AssignerProtocol.MemberMetadata.encode({ version: 1, topics, userData: Buffer.alloc(0) }),
  }),
});

withKafka('what a real broker refuses', (kafka) => {
  test('a group whose members share by another assignor', async () => {
    const [topic, groupId] = [await kafka().freshTopic(1), kafka().freshGroup()];
    const member: Member = kafka()
      .client()
      .consumer({ groupId, partitionAssigners: [ownAssigner] });
    let hasJoined = false;
    member.on(member.events.GROUP_JOIN, () => void (hasJoined = true));
    await member.connect();
    await member.subscribe({ topics: [topic] });
    await member.run({ eachMessage: async () => undefined });
    await until('the other program is in the group', () => hasJoined);
    const source = kafkaSource(sourceOptions(kafka(), [topic], { groupId }));
    await assert.rejects(source.run(recordingConsumer()), /another assignor .* group of its own \(kafka\.group_id\)/);
    await member.disconnect();
  });

  test('a session longer than the broker allows', async () => {
    const topic = await kafka().freshTopic(1);
    const source = kafkaSource(sourceOptions(kafka(), [topic], { sessionTimeoutMs: 24 * 3_600_000 }));
    await assert.rejects(
      source.run(recordingConsumer()),
      /refuses kafka\.session_timeout: .*group\.max\.session\.timeout\.ms/,
    );
  });

  test('a login with a password towards a listener without SASL: an outage that names both remedies', async () => {
    const [topic, log, ending] = [await kafka().freshTopic(1), testLog(), new AbortController()];
    const sasl = { mechanism: 'plain', username: 'carol', password: 'secret' } as const;
    const source = kafkaSource({ ...sourceOptions(kafka(), [topic]), sasl, log, signal: ending.signal });
    const running = source.run(recordingConsumer());
    await until('it is told', () =>
      log.lines.some((line) => /its listener has no SASL .*remove kafka\.sasl/.test(line)),
    );
    ending.abort();
    await source.stop();
    await running.catch(() => undefined);
  });
});
