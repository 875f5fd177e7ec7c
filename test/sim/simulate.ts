import { partitionName } from '../../src/ports.ts';
import { createIds } from '../../src/state/containers/ids.ts';
import { createChecks } from './checks.ts';
import { bestChain, isIntact } from './disk.ts';
import { drawScenario, type Scenario } from './faults.ts';
import { checkEnd } from './final.ts';
import { createGroup, isAsleep, rebalance, wake } from './group.ts';
import { type Instance, startInstance } from './instance.ts';
import { append, appendGap } from './log.ts';
import type { Plant } from './plants.ts';
import { prng } from './prng.ts';
import { poll } from './source.ts';
import { damagedBytes } from './store.ts';
import { settle } from './timeline.ts';
import { createWorld, fail, heal, type World, witness } from './world.ts';

export interface SimulationOptions {
  readonly plant?: Plant;
  /** Instead of the drawn one. */
  readonly scenario?: (drawn: Scenario) => Scenario;
  readonly watch?: (world: World) => void;
}

/** What came to pass, to see that it did. */
export const nothingHappened = {
  steps: 0,
  processes: 0,
  stops: 0,
  rebalances: 0,
  sleeps: 0,
  damage: 0,
  truths: 0,
  scored: 0,
  pending: 0,
  expired: 0,
  duplicates: 0,
  late: 0,
  unverified: 0,
  runs: 0,
  openRuns: 0,
  lateSteps: 0,
  deadLetters: 0,
};
export type Happenings = { -readonly [Name in keyof typeof nothingHappened]: number };

/** Steps within which a world without faults must come to rest. */
const healingSteps = 60_000;

/**
 * Runs the real pipeline, in several processes, over a simulated log, group, disk and clock, all drawn from one integer; things go
 * wrong, then nothing does any more, and everything must come right. Throws where a law is broken, naming the seed.
 */
export async function simulate(seed: number, options: SimulationOptions = {}): Promise<Happenings> {
  const drawn = drawScenario(prng(~seed));
  const scenario = options.scenario?.(drawn) ?? drawn;
  const world = createWorld(seed, scenario, options.plant ?? {}, ({ length }) => ({
    deadLetters: new Map(),
    group: createGroup(length),
    checks: createChecks(length),
  }));
  options.watch?.(world);
  const happened: Happenings = { ...nothingHappened };
  try {
    for (let i = 0; i < scenario.instances; i++) start(world);
    produce(world, { left: scenario.records });
    trouble(world, happened);
    await turns(world, happened, () => isProduced(world, scenario) && world.timeline.nowMs > 5_000);
    heal(world);
    recover(world);
    const limit = happened.steps + healingSteps;
    await turns(world, happened, () => {
      if (happened.steps > limit)
        throw new Error(`no rest after ${healingSteps} steps without faults: ${unrest(world)}`);
      return happened.steps % 50 === 0 && unrest(world) === undefined;
    });
    const { scored, pending, expired, duplicates, late, unverified, runs, open_runs } = checkEnd(world);
    Object.assign(happened, { scored, pending, expired, duplicates, late, unverified, runs, openRuns: open_runs });
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  happened.processes = world.everyone.length;
  happened.damage = world.checks.damage;
  happened.deadLetters = world.deadLetters.size;
  for (const { pipeline } of world.instances)
    for (const { state } of pipeline.service.tasks.values()) {
      happened.truths += state.activations.length;
      happened.lateSteps += state.input.late_steps;
    }
  return happened;
}

/** One thing happens after the other, and all that follows from it at once, until the end. */
async function turns(world: World, happened: Happenings, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if (!world.timeline.step()) throw new Error('nothing is left to happen');
    await settle();
    happened.steps++;
    if (world.failure !== undefined) throw world.failure;
    if (world.plant.journal !== undefined) forgetRemoved(world);
    if (world.plant.runs !== undefined) spoilRuns(world);
    world.checks.step(world);
  }
}

/** Planted: what was taken out of the state is not in the next delta. */
function forgetRemoved({ instances }: World): void {
  for (const { pipeline } of instances)
    for (const { state } of pipeline.service.tasks.values()) state.panes.table.changes.removedKeys.length = 0;
}

/** Planted: the open runs of a state are not those of its log, or those of its next delta are not. */
function spoilRuns({ instances, plant }: World): void {
  for (const { pipeline } of instances)
    for (const { state } of pipeline.service.tasks.values()) {
      const { log, ended } = state.openRuns;
      if (plant.runs === 'step lost') log.added.delete(log.next - 1);
      if (plant.runs === 'closed twice') log.removed.length = 0;
      if (plant.runs === 'ends forgotten') Object.assign(ended, createIds(), { floor: ended.floor });
    }
}

/** A process starts, joins, and goes about its work. */
function start(world: World): void {
  const instance = startInstance(world);
  const { random, timeline, scenario } = world;
  const every = (delayMs: () => number, work: () => void): void =>
    timeline.after(delayMs(), instance, () => {
      work();
      every(delayMs, work);
    });
  every(
    () => random.between(5, 60),
    () => poll(world, instance.member),
  );
  every(
    () => scenario.checkpointEveryMs * (0.5 + random.next()),
    () => void instance.pipeline.checkpointAll().catch((error) => fail(world, error)),
  );
  every(
    () => 100 + random.int(100),
    () => {
      const latest = world.truths.length - 1;
      if (instance.truth < latest && (world.healed || random.chance(world.faults.truth * 0.15)))
        instance.useTruth(world.healed ? latest : instance.truth + 1);
    },
  );
  rebalance(world);
}

/** The log grows. */
function produce(world: World, remaining: { left: number }): void {
  const { random, timeline, log, traffic, scenario } = world;
  timeline.after(random.between(50, 250), undefined, () => {
    for (let count = random.between(1, 6); count > 0 && remaining.left > 0; count--, remaining.left--) {
      const partition = random.pick(log);
      if (random.chance(scenario.gaps)) appendGap(partition, random.between(1, 3));
      append(partition, traffic.next(partition.partition));
    }
    if (remaining.left > 0) return produce(world, remaining);
    for (const partition of log) if (random.chance(scenario.gaps * 3)) appendGap(partition, 1);
  });
}

function isProduced({ log }: World, { records }: Scenario): boolean {
  return log.reduce((sum, partition) => sum + partition.records.length, 0) === records;
}

/** What goes wrong with the world, ten times a second. */
function trouble(world: World, happened: Happenings): void {
  const { random, timeline, instances } = world;
  const tick = 0.1;
  timeline.after(1_000 * tick, undefined, () => {
    const { faults } = world;
    for (const instance of [...instances]) if (random.chance(faults.crash * tick)) instance.crash();
    for (const instance of [...instances]) if (random.chance(faults.stop * tick)) stop(world, instance, happened);
    for (const instance of [...instances])
      if (random.chance(faults.sleep * tick)) fallAsleep(world, instance, happened);
    for (const instance of [...instances]) if (random.chance(faults.stall * tick)) stall(world, instance, happened);
    if (random.chance(faults.outage * tick)) world.diskOutUntilMs = timeline.nowMs + random.int(3_000);
    if (random.chance(faults.outage * tick)) world.deadLettersOutUntilMs = timeline.nowMs + random.int(3_000);
    if (random.chance(faults.damage * tick)) damage(world);
    if (random.chance(faults.trim * tick)) trim(world);
    if (random.chance(faults.rebalance * tick)) {
      happened.rebalances++;
      rebalance(world);
    }
    replaceTheDead(world);
    trouble(world, happened);
  });
}

/** Whoever died is started anew after a while; the group notices later, or at once when the new one joins. */
function replaceTheDead(world: World): void {
  const { random, timeline, instances, scenario } = world;
  for (let missing = scenario.instances - instances.size - world.starting; missing > 0; missing--) {
    world.starting++;
    timeline.after(random.int(2_000), undefined, () => {
      world.starting--;
      start(world);
    });
  }
}

function fallAsleep(world: World, { member }: Instance, happened: Happenings): void {
  const { random, timeline } = world;
  if (isAsleep(world, member)) return;
  happened.sleeps++;
  member.asleepUntilMs = timeline.nowMs + random.between(200, 4_000);
  timeline.after(random.between(50, 500), undefined, () => rebalance(world));
  timeline.after(member.asleepUntilMs - timeline.nowMs, member.instance, () => wake(world, member));
}

/** The process takes no more records, finishes those in work, checkpoints, leaves the group and ends. */
function stop(world: World, instance: Instance, happened: Happenings): void {
  const { member, pipeline } = instance;
  if (member.leaving !== undefined) return;
  happened.stops++;
  member.leaving = new Promise((resolve) => {
    const end = (): void => {
      instance.crash();
      resolve();
      rebalance(world);
    };
    const finish = (): void => {
      if ([...member.held.values()].some(({ busy }) => busy)) world.timeline.after(10, instance, finish);
      else pipeline.consumer.beforeStop().then(end, (error) => fail(world, error));
    };
    finish();
  });
}

/** To the group the process is gone; it does not know. */
function stall(world: World, instance: Instance, happened: Happenings): void {
  fallAsleep(world, instance, happened);
  world.timeline.postpone(instance, world.random.between(200, 4_000));
}

/** One file of a partition is damaged, and no other before that one is gone. */
function damage(world: World): void {
  const partition = world.random.pick(world.log);
  const folder = world.folders[partition.partition]!;
  if (folder.length === 0 || !folder.every(isIntact)) return;
  const file = world.random.pick(folder);
  file.bytes = damagedBytes(world, file.bytes);
  if (!isIntact(file)) witness(world, () => world.checks.damaged(world, partition.partition));
}

/** What is older than a checkpoint that will always be found may leave the log. */
function trim(world: World): void {
  if (world.scenario.faults.damage > 0) return;
  const partition = world.random.pick(world.log);
  partition.low = Math.max(partition.low, world.checks.durableOffset(partition.partition) - world.random.int(3));
}

/** All that was brought down comes up, and has the latest truth. */
function recover(world: World): void {
  const { timeline, instances } = world;
  for (const { member } of instances) if (isAsleep(world, member)) wake(world, member);
  const missing = world.scenario.instances - instances.size - world.starting;
  for (let i = 0; i < missing; i++) start(world);
  timeline.after(3_000, undefined, () => rebalance(world));
}

/** What is not yet as it should be at the end; undefined where all is. */
function unrest(world: World): string | undefined {
  const { group, log, folders, starting, truths, instances } = world;
  if (group.running || starting > 0 || instances.size < world.scenario.instances) return 'the group is not complete';
  for (const instance of instances) {
    if (instance.truth !== truths.length - 1) return `process ${instance.number} has truth ${instance.truth}`;
    const { outages, refused, restoring } = instance.pipeline.service;
    if (refused.size > 0) return `process ${instance.number} refuses ${[...refused.values()]}`;
    if (outages.size + restoring.size > 0)
      return `process ${instance.number} waits: ${[...outages, ...restoring.keys()]}`;
  }
  for (const partition of log) {
    const name = partitionName(partition);
    const owner = group.owners[partition.partition];
    const task = owner?.instance.pipeline.service.tasks.get(name);
    if (task === undefined) return `${name} is nobody's`;
    if (task.state.numbers.nextOffset !== partition.high)
      return `${name} stands at ${task.state.numbers.nextOffset} of ${partition.high}`;
    if (task.busy !== undefined || task.touched) return `${name} is at work`;
    if (task.committedId !== task.checkpointId) return `${name} has a checkpoint that is not counted`;
    if (group.committed[partition.partition] !== partition.high) return `${name} is not committed`;
    // What hangs from a damaged file is found out later, or at a restart.
    const saved = bestChain(folders[partition.partition]!)?.at(-1)?.nextOffset;
    if (saved !== partition.high && world.checks.damage === 0) return `${name} is saved at ${saved}`;
  }
  return undefined;
}
