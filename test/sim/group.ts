import type { Instance } from './instance.ts';
import type { SimPartition } from './log.ts';
import { fail, type World } from './world.ts';

/** The consumer group, as the brokers see it. */
export interface Group {
  epoch: number;
  /** By partition. */
  readonly owners: (Member | undefined)[];
  readonly committed: (number | undefined)[];
  running: boolean;
  again: boolean;
}

/** A process as a member of the group, as the process sees it. */
export interface Member {
  readonly instance: Instance;
  /** The epoch it was last told of; -1 before it joined, and after it was thrown out. */
  epoch: number;
  readonly held: Map<number, AssignedPartition>;
  /** It takes no records: a join is due. */
  rebalancing: boolean;
  /** Resolves when it has stopped and left: it takes no records any more. */
  leaving: Promise<void> | undefined;
  /** Until then it hears nothing from the group, and goes on with what it has. */
  asleepUntilMs: number;
}

/** A partition on its way from assigned to delivering, as in the Kafka source. */
export interface AssignedPartition {
  readonly partition: SimPartition;
  ready: boolean;
  asking: boolean;
  refused: boolean;
  busy: boolean;
  position: number;
}

export function createGroup(partitions: number): Group {
  const owners = new Array<Member | undefined>(partitions).fill(undefined);
  return { epoch: 0, owners, committed: owners.map(() => undefined), running: false, again: false };
}

export function createMember(instance: Instance): Member {
  return { instance, epoch: -1, held: new Map(), rebalancing: true, leaving: undefined, asleepUntilMs: 0 };
}

/** A join of all members that can be reached; the others lose their partitions without hearing of it. */
export function rebalance(world: World): void {
  const { group, timeline } = world;
  if (group.running) {
    group.again = true;
    return;
  }
  group.running = true;
  const members = [...world.instances].map(({ member }) => member).filter((member) => !isAsleep(world, member));
  let waiting = members.length;
  let done = false;
  const finish = (): void => {
    if (done) return;
    done = true;
    complete(world, members);
  };
  const ready = (): void => {
    if (--waiting === 0) finish();
  };
  for (const member of members) {
    member.rebalancing = true;
    const { consumer } = member.instance.pipeline;
    if (member.leaving !== undefined) void member.leaving.then(ready);
    else if (member.epoch < 0) ready();
    else consumer.save().then(ready, (error) => fail(world, error));
  }
  timeline.after(members.length === 0 ? 0 : 2_000, undefined, finish);
}

function complete(world: World, candidates: readonly Member[]): void {
  const { group, random, timeline } = world;
  const members = candidates.filter(
    (member) => member.instance.alive && member.leaving === undefined && !isAsleep(world, member),
  );
  group.epoch++;
  group.owners.fill(undefined);
  if (members.length > 0) for (let p = 0; p < group.owners.length; p++) group.owners[p] = random.pick(members);
  const { epoch } = group;
  for (const member of members)
    timeline.after(random.int(random.chance(world.faults.slow) ? 1_000 : 30), member.instance, () =>
      tell(world, member, epoch),
    );
  group.running = false;
  if (!group.again) return;
  group.again = false;
  rebalance(world);
}

/** The member learns what it holds now, unless another join is under way. */
function tell(world: World, member: Member, epoch: number): void {
  const { group } = world;
  if (group.epoch !== epoch || group.running || isAsleep(world, member)) return;
  const { consumer } = member.instance.pipeline;
  const uninterrupted = member.epoch === epoch - 1;
  const before = new Map(member.held);
  member.epoch = epoch;
  member.rebalancing = false;
  member.held.clear();
  for (const partition of world.log) {
    if (group.owners[partition.partition] !== member) continue;
    const held = before.get(partition.partition);
    member.held.set(partition.partition, uninterrupted && held !== undefined ? held : newAssignedPartition(partition));
  }
  for (const [number, { partition }] of before) if (!member.held.has(number)) consumer.revoked(partition);
  for (const [number, held] of member.held) {
    held.ready = false;
    if (!held.asking) ask(world, member, held, before.get(number) === held);
  }
}

/** Asks where a partition is to be read from. */
export function ask(world: World, member: Member, held: AssignedPartition, kept: boolean): void {
  const current = (): boolean => member.held.get(held.partition.partition) === held;
  held.asking = true;
  held.ready = false;
  const answered = (offset: number | undefined): void => {
    if (!current()) return;
    held.asking = false;
    held.refused = offset === undefined;
    if (offset === undefined) return;
    held.ready = true;
    const committed = world.group.committed[held.partition.partition];
    held.position = world.plant.resume === 'committed offset' && !kept ? (committed ?? offset) : offset;
  };
  member.instance.pipeline.consumer
    .assigned(held.partition, kept)
    .then(answered, (error) => void (current() && fail(world, error)));
}

/** The member was thrown out, and learns it: all that it holds is in doubt. */
export function wake(world: World, member: Member): void {
  member.asleepUntilMs = 0;
  member.epoch = -1;
  member.rebalancing = true;
  rebalance(world);
}

export function isAsleep(world: World, member: Member): boolean {
  return member.asleepUntilMs > world.timeline.nowMs;
}

function newAssignedPartition(partition: SimPartition): AssignedPartition {
  return { partition, ready: false, asking: false, refused: false, busy: false, position: 0 };
}
