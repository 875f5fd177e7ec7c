import { type Consumer, type Log, partitionName, type TopicPartition } from '../../ports.ts';
import type { Group, OffsetManager, TopicPartitions } from './kafkajs-parts.ts';

/**
 * The partitions of this member, and how far each is on its way from "assigned" to "delivering". Changed only here, by
 * kafka-delivery.ts and by kafka-source.ts, always synchronously.
 */
export interface Assignment {
  readonly consumer: Consumer;
  readonly partitions: Map<string, AssignedPartition>;
  /** Grows with every join: what was fetched or begun in an older one is dropped. */
  epoch: number;
  memberId: string | undefined;
  /** Undefined while this process is not a member. */
  group: Group | undefined;
  /** Commits of the current epoch. */
  commits: OffsetManager | undefined;
  /** A join is due: batches are dropped until it is done. */
  rebalancing: boolean;
  /** The source stops or has failed: the consumer gets no further call but `beforeStop`. */
  stopping: boolean;
  /** The end of the batch in work. */
  batch: Promise<void>;
  /** Ends the source with an error of the consumer. */
  fail(error: unknown): void;
  /** Positions or answers have changed. */
  changed(): void;
  readonly log: Log;
}

export interface AssignedPartition {
  readonly partition: TopicPartition;
  readonly name: string;
  /** The consumer has given a position, and nothing has put it in doubt since. */
  ready: boolean;
  /** It has given one at least once since the partition was assigned. */
  opened: boolean;
  /** It was asked and has not answered. */
  asking: boolean;
  /** It answered that it does not want the partition. */
  refused: boolean;
  /** Back pressure that a rebalance did not wait for. */
  busy: Promise<void> | undefined;
  /** How often in a row what comes at the position could not be read. */
  failedReads: number;
  outOfRangeAtMs: number;
  /** Where the log ended at the last fetch. */
  end: number;
}

/** An assignment without members, to begin with. */
export function newAssignment(
  consumer: Consumer,
  { fail, changed, log }: Pick<Assignment, 'fail' | 'changed' | 'log'>,
): Assignment {
  return {
    consumer,
    partitions: new Map(),
    epoch: 0,
    memberId: undefined,
    group: undefined,
    commits: undefined,
    rebalancing: false,
    stopping: false,
    batch: Promise.resolve(),
    fail,
    changed,
    log,
  };
}

/**
 * The member has joined the group. kafkajs has reset the positions of all partitions to the committed offsets, those that stay as
 * well, so each one pauses, within this turn and before any fetch, until the consumer has said where to go on. A partition
 * is kept if the member id has stayed: a member that missed a rebalance gets another.
 */
export function joined(
  assignment: Assignment,
  group: Group,
  memberId: string,
  assigned: readonly TopicPartition[],
): void {
  const { partitions, consumer } = assignment;
  const sameMember = memberId === assignment.memberId;
  const before = new Map(partitions);
  Object.assign(assignment, { group, memberId, commits: group.offsetManager, rebalancing: false });
  assignment.epoch += 1;
  group.pause(byTopic(assigned));
  partitions.clear();
  for (const partition of assigned) {
    const name = partitionName(partition);
    partitions.set(name, (sameMember && before.get(name)) || newAssignedPartition(partition, name));
  }
  if (assignment.stopping) return;
  consumer.rebalanced?.();
  for (const [name, { partition }] of before) if (!partitions.has(name)) consumer.revoked(partition);
  for (const each of partitions.values()) {
    each.ready = false;
    // An answer that is still awaited will do: the partition was held all the time.
    if (!each.asking) void ask(assignment, each, before.get(each.name) === each);
  }
  assignment.changed();
}

/** The process is no member any more; what it held is kept in memory until a join says who owns it now. */
export function lost(assignment: Assignment): void {
  assignment.epoch += 1;
  assignment.group = undefined;
  assignment.commits = undefined;
  for (const each of assignment.partitions.values()) each.ready = false;
}

/**
 * Handles a position at which Kafka has no record (the log was trimmed or truncated): the consumer decides where to go on. kafkajs would go to the start or end of the log, and commit that.
 */
export function outOfRange(assignment: Assignment, partition: TopicPartition): void {
  const each = assignment.partitions.get(partitionName(partition));
  if (each === undefined || each.asking || assignment.stopping) return;
  const now = Date.now();
  const again = now - each.outOfRangeAtMs < repeatMs;
  each.outOfRangeAtMs = now;
  assignment.group?.pause(byTopic([partition]));
  // A consumer that still wants the same offset has not looked at the log: the second time it must forget its state.
  void ask(assignment, each, !again, again ? repeatMs : 0);
}

/**
 * Handles a topic that Kafka did not know for a moment, and may have been recreated: the consumer looks at the logs before they are read on.
 * kafkajs does not say which topic it was.
 */
export function inDoubt(assignment: Assignment): void {
  if (assignment.stopping) return;
  for (const each of assignment.partitions.values()) {
    if (!each.ready) continue;
    assignment.group?.pause(byTopic([each.partition]));
    void ask(assignment, each, true);
  }
}

/** The consumer wants no more of a partition that was being read. */
export function refused(assignment: Assignment, each: AssignedPartition): void {
  each.ready = false;
  each.refused = true;
  assignment.group?.pause(byTopic([each.partition]));
}

/** Lets the other partitions go on where back pressure on one lasts: it pauses until that is over. */
export function pauseUntil(assignment: Assignment, each: AssignedPartition, free: Promise<void>): void {
  each.ready = false;
  assignment.group?.pause(byTopic([each.partition]));
  each.busy = free.finally(() => {
    each.busy = undefined;
    const isOurs = assignment.partitions.get(each.name) === each && !assignment.stopping;
    // A call of the consumer has waited for this as well.
    if (isOurs && !each.asking) answered(assignment, each, assignment.consumer.nextOffset(each.partition));
  });
}

/**
 * The next batch of a partition cannot be read: it is fetched again from its leader some times. After that the partition is refused, and
 * only tried again now and then; the others go on.
 */
export function unreadable(assignment: Assignment, each: AssignedPartition, problem: string): void {
  if (each.asking || assignment.stopping) return;
  each.failedReads += 1;
  const refuse = each.failedReads > refetches;
  assignment.group?.pause(byTopic([each.partition]));
  if (refuse)
    assignment.consumer.unreadable(each.partition, `Kafka sends what cannot be read, ${problem}`, unreadableRemedy);
  else
    assignment.log.warn(
      { partition: each.name },
      `${each.name}: what Kafka sent cannot be read, ${problem}; asked again`,
    );
  void ask(assignment, each, true, refuse ? unreadableMs : refetchMs * 2 ** (each.failedReads - 1));
  each.refused = refuse;
}

/** A batch that cannot be read is fetched again after 100 ms, 200 ms ... */
const refetches = 4;
const refetchMs = 100;

const unreadableMs = 10_000;
const unreadableRemedy =
  'see whether another client can read it (kafka-dump-log.sh); if none can, delete the records up to it';

/** Positions that are out of range so soon after each other are the same one. */
const repeatMs = 1000;

/** Moves the next fetch of a partition to its consumer's position. */
export function seek(group: Group, { topic, partition }: TopicPartition, offset: number): void {
  group.seek({ topic, partition, offset: String(offset) });
}

async function ask(assignment: Assignment, each: AssignedPartition, kept: boolean, delayMs: number = 0): Promise<void> {
  each.asking = true;
  each.ready = false;
  const current = (): boolean => assignment.partitions.get(each.name) === each && !assignment.stopping;
  try {
    if (each.busy !== undefined) await each.busy;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
    if (!current()) return;
    const offset = await assignment.consumer.assigned(each.partition, kept);
    if (current()) answered(assignment, each, offset);
  } catch (error) {
    if (current()) assignment.fail(error);
  }
}

function answered(assignment: Assignment, each: AssignedPartition, offset: number | undefined): void {
  const { group } = assignment;
  // Between two memberships. The next join makes another `AssignedPartition` and asks again.
  if (group === undefined) return;
  each.asking = false;
  each.refused = offset === undefined;
  if (offset !== undefined) {
    if (!Number.isSafeInteger(offset) || offset < 0)
      throw new Error(`${each.name}: ${offset} is not an offset to read from`);
    each.ready = true;
    each.opened = true;
    seek(group, each.partition, offset);
    group.resume(byTopic([each.partition]));
  }
  assignment.changed();
}

function newAssignedPartition(partition: TopicPartition, name: string): AssignedPartition {
  const state = { ready: false, opened: false, asking: false, refused: false, busy: undefined, failedReads: 0 };
  return { partition, name, ...state, outOfRangeAtMs: Number.NEGATIVE_INFINITY, end: 0 };
}

/** Partitions grouped by topic, the form of kafkajs. */
export function byTopic(partitions: readonly TopicPartition[]): TopicPartitions[] {
  const topics = new Map<string, number[]>();
  for (const { topic, partition } of partitions) {
    const known = topics.get(topic);
    if (known === undefined) topics.set(topic, [partition]);
    else known.push(partition);
  }
  return [...topics].map(([topic, numbers]) => ({ topic, partitions: numbers }));
}
