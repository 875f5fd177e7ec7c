import {
  type Assigner,
  AssignerProtocol,
  type Cluster,
  type GroupMember,
  type PartitionAssigner,
  PartitionAssigners,
} from 'kafkajs';
import type { Log } from '../../ports.ts';

/**
 * Shares the partitions of each topic out among the members that read it, in turn. kafkajs shares out the topics of the leader among all
 * members: while a topic is added to one instance after the other, and where instances of a group read different topics, partitions would
 * lie with members that do not read them. A topic that the leader is not shown stays without a reader, and the log names it.
 */
export function sharedByReaders(given: Parameters<PartitionAssigner>[0], log: Log): Assigner {
  const { cluster } = given;
  const usual = PartitionAssigners.roundRobin(given);
  return {
    ...usual,
    async assign({ members }) {
      const readers = members.map(readerOf).sort((a, b) => (a.memberId < b.memberId ? -1 : 1));
      const topics = [...new Set(readers.flatMap((reader) => reader.topics))].sort();
      const shares = new Map(readers.map(({ memberId }) => [memberId, {} as Record<string, number[]>]));
      let turn = 0;
      for (const topic of topics) {
        const own = readers.filter((reader) => reader.topics.includes(topic));
        for (const partition of await partitionsOf(cluster, topic, log)) {
          const share = shares.get(own[turn++ % own.length]!.memberId)!;
          (share[topic] ??= []).push(partition);
        }
      }
      return [...shares].map(([memberId, assignment]) => ({
        memberId,
        memberAssignment: AssignerProtocol.MemberAssignment.encode({
          version: usual.version,
          assignment,
          userData: Buffer.alloc(0),
        }),
      }));
    },
  };
}

interface Reader {
  readonly memberId: string;
  readonly topics: readonly string[];
}

function readerOf({ memberId, memberMetadata }: GroupMember): Reader {
  return { memberId, topics: AssignerProtocol.MemberMetadata.decode(memberMetadata)?.topics ?? [] };
}

async function partitionsOf(cluster: Cluster, topic: string, log: Log): Promise<number[]> {
  try {
    await cluster.addTargetTopic(topic);
  } catch (error) {
    const message =
      'A topic that another member of the group reads is not shown to this one: it stays without a reader';
    log.warn({ topic, error: String(error) }, message);
    return [];
  }
  return cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId);
}
