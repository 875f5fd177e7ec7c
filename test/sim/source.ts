import { type Consumer, partitionName, type Source } from '../../src/ports.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { type AssignedPartition, ask, type Member } from './group.ts';
import type { Instance } from './instance.ts';
import { indexAt, type SimRecord } from './log.ts';
import { fail, operate, type World, witness } from './world.ts';

/** The questions and commits of a process. What it is given is delivered by `poll`. */
export function simSource(world: World, instance: Instance): Source {
  const { group, log } = world;
  const partitionOf = (partition: number): (typeof log)[number] => log[partition]!;
  return {
    run: () => new Promise(() => undefined),
    stop: () => Promise.resolve(),
    joined: () => instance.member.epoch >= 0,
    commit(offsets) {
      const { member } = instance;
      const { epoch } = member;
      const fenced = world.plant.commits !== 'not fenced';
      const effect = (): typeof offsets => {
        if (fenced && epoch !== group.epoch) {
          if (world.random.chance(0.5)) return [];
          throw new Error('the group rebalances');
        }
        const held = offsets.filter(({ partition }) => !fenced || group.owners[partition] === member);
        for (const { partition, nextOffset } of held) group.committed[partition] = nextOffset;
        return held;
      };
      return operate(world, instance, { effect }).then((accepted) => {
        for (const { partition, nextOffset } of accepted)
          witness(world, () => world.checks.published(world, instance, partition, nextOffset));
        return accepted;
      });
    },
    bounds: ({ partition }) =>
      operate(world, instance, {
        effect: () => ({ low: partitionOf(partition).low, high: partitionOf(partition).high }),
      }),
    committed: ({ partition }) => operate(world, instance, { effect: () => group.committed[partition] }),
    cluster: () =>
      operate(world, instance, {
        effect: () => ({ id: 'simulation', partitions: new Map([[log[0]!.topic, log.length]]) }),
      }),
    offsetAt: ({ partition }, timeMs) =>
      operate(world, instance, {
        effect: () =>
          partitionOf(partition).records.find((r) => r.timestamp >= timeMs)?.offset ?? partitionOf(partition).high,
      }),
  };
}

/** Gives a process the next records of one of its partitions, as the Kafka source does. */
export function poll(world: World, member: Member): void {
  const { random } = world;
  const { consumer } = member.instance.pipeline;
  const free = [...member.held.values()].filter(({ ready, busy }) => ready && !busy);
  if (member.rebalancing || member.leaving !== undefined || free.length === 0) return;
  const held = random.pick(free);
  const next = consumer.nextOffset(held.partition);
  if (next === undefined) return;
  if (random.chance(0.5)) consumer.highWatermark(held.partition, held.partition.high);
  const follows = world.plant.resume === undefined;
  let from = follows ? next : held.position;
  // Never from behind the position: of a log that was trimmed past it, the process is told.
  if (random.chance(world.faults.redelivery) && from >= held.partition.low)
    from = Math.max(held.partition.low, from - random.between(1, 30));
  if (from < held.partition.low) {
    ask(world, member, held, true);
    return;
  }
  deliver(world, member, held, from);
}

function deliver(world: World, member: Member, held: AssignedPartition, from: number): void {
  const { random, scenario } = world;
  const { partition } = held;
  const { consumer } = member.instance.pipeline;
  const start = indexAt(partition, from);
  const end = Math.min(partition.records.length, start + random.between(1, scenario.batchMax));
  const following = partition.records[end]?.offset ?? partition.high;
  const last = partition.records[end - 1];
  // A batch may end in offsets without a record.
  const past = end === start || random.chance(0.5) ? following : last!.offset + 1;
  const before = random.int(Math.min(3, start) + 1);
  const records = borrow(partition.records.slice(start - before, end + 1));
  const done = (): void => {
    held.busy = false;
    held.position = past;
    for (const { bytes } of records) bytes.fill(0x58);
    if (member.held.get(partition.partition) === held && held.ready) consumer.advanced(partition, past);
  };
  removeFence(world, consumer, member, held, partition.records[start]);
  try {
    const pressure = end === start ? undefined : consumer.records(partition, records, before, before + end - start);
    held.busy = pressure !== undefined;
    if (pressure === undefined) done();
    else pressure.then(done, (error) => fail(world, error));
  } catch (error) {
    fail(world, error);
  }
}

/** Records in one run of bytes that is not theirs. */
function borrow(records: readonly SimRecord[]): LogRecord[] {
  const lengths = records.map(({ key, value }) => (key?.length ?? 0) + (value?.length ?? 0));
  // A Buffer, as the records of Kafka are: its `slice` is no copy.
  const bytes = Buffer.alloc(3 + lengths.reduce((sum, length) => sum + length, 0));
  let at = 3;
  const put = (part: Uint8Array | null): number => {
    if (part === null) return -1;
    bytes.set(part, at);
    at += part.length;
    return at - part.length;
  };
  return records.map(({ key, value, offset, timestamp }) => {
    const keyStart = put(key);
    const keyEnd = at;
    const start = put(value);
    return { bytes, start, end: start < 0 ? -1 : at, keyStart, keyEnd, offset, timestamp };
  });
}

/** Planted: the state forgets that it has applied these records. */
function removeFence(
  world: World,
  _consumer: Consumer,
  member: Member,
  held: AssignedPartition,
  first: SimRecord | undefined,
): void {
  if (world.plant.fence === undefined || first === undefined) return;
  const task = member.instance.pipeline.service.tasks.get(partitionName(held.partition));
  if (task !== undefined) task.state.numbers.nextOffset = Math.min(task.state.numbers.nextOffset, first.offset);
}
