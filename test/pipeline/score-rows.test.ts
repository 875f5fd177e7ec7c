import assert from 'node:assert/strict';
import { test } from 'node:test';
import { partitionName, type ScoreRows } from '../../src/ports.ts';
import { noRows } from '../support/no-rows.ts';
import {
  arrowFiles,
  assign,
  deliver,
  finish,
  manifestOf,
  partitions,
  type Process,
  rowsOf,
  start,
  topic,
  type World,
  worldOf,
} from '../support/rows-world.ts';
import { seed } from '../support/seed.ts';
import { startInstance } from '../support/service-instance.ts';
import { runs } from '../support/soak.ts';

for (const folders of [1, 3])
  test(`instances that die, stop and go on, ${folders === 1 ? 'one folder' : 'a folder each'}: by the manifest, each scored prediction once (SEED=${seed})`, async (context) => {
    for (let run = 0; run < runs(2, 100); run++) {
      const world = worldOf(context, seed + run, folders);
      const told = `SEED=${seed + run}`;
      const last = await liveAndDie(world);
      const expected = await undisturbed(world);
      for (const partition of partitions) {
        const name = partitionName(partition);
        const found = rowsOf(world, partition, told);
        const { scored } = last.instance.pipeline.service.tasks.get(name)!.state.numbers;
        assert.equal(found.length, scored, `${name}, ${told}`);
        assert.deepEqual([...found].sort(), [...expected.get(name)!].sort(), `${name}, ${told}`);
        // Those that waited for their truth had a row before, or wait still.
        const accepted = rowsOf(world, partition, told, false);
        assert.equal(new Set(accepted).size, accepted.length, `${name}, ${told}`);
      }
    }
  });

test('a process that dies while it removes what is old has told of each file once', async (context) => {
  const world = worldOf(context, 4, 1);
  let lists = partitions.length;
  const first = start(world, 0, world.truths[1], {
    files: async (folder) => (!folder.startsWith('_manifest') || lists-- > 0 ? [] : new Promise(() => undefined)),
  });
  first.rows.endAll();
  await assign(first.instance);
  for (const _ of [1, 2, 3]) {
    await deliver(world, first.instance, partitions[0]!, 20);
    await first.instance.pipeline.checkpointAll();
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  const last = start(world, 1, world.truths[1]);
  await finish(world, last);
  const { scored } = last.instance.pipeline.service.tasks.get(`${topic}/0`)!.state.numbers;
  assert.equal(rowsOf(world, partitions[0]!, '').length, scored);
});

test('a process that was suspended saves a checkpoint beyond those of its successor: no row is lost', async (context) => {
  const world = worldOf(context, 5, 1);
  const [partition] = partitions;
  const suspended = start(world, 0, world.truths[1]);
  await assign(suspended.instance);
  await deliver(world, suspended.instance, partition!, 40);
  await suspended.instance.pipeline.checkpointAll();
  const successor = start(world, 1, world.truths[1]);
  await assign(successor.instance);
  for (const _ of [1, 2]) {
    await deliver(world, successor.instance, partition!, 10);
    await successor.instance.pipeline.consumer.beforeStop();
  }
  await deliver(world, suspended.instance, partition!, 60);
  await suspended.instance.pipeline.checkpointAll();
  const last = start(world, 2, world.truths[1]);
  await finish(world, last);
  const { scored } = last.instance.pipeline.service.tasks.get(partitionName(partition!))!.state.numbers;
  assert.equal(rowsOf(world, partition!, '').length, scored);
});

test('rows beyond the limit are written out at once, and come into the file that the checkpoint ends', async (context) => {
  const world = worldOf(context, 1, 1);
  const { instance, rows } = start(world, 0, world.truths[1]);
  await assign(instance);
  await deliver(world, instance, partitions[0]!, 100);
  assert.ok(instance.telemetry.live.limits.get('score_rows')! > 0);
  const segments = [...world.state.keys()].filter((path) => path.endsWith('.rows'));
  assert.ok(segments.length > 0);
  rows.endAll();
  await instance.pipeline.consumer.beforeStop();
  const { scored } = instance.pipeline.service.tasks.get(`${topic}/0`)!.state.numbers;
  assert.equal(rowsOf(world, partitions[0]!, '').length, scored);
  assert.equal(manifestOf(world, partitions[0]!)!.files.length, 1);
});

test('a log that is read from its beginning again leaves no file of the time before', async (context) => {
  const world = worldOf(context, 2, 1);
  const first = start(world, 0, world.truths[1]);
  await finish(world, first);
  const [folder] = world.folders;
  const before = arrowFiles(folder!);
  const again = start({ ...world, state: new Map() }, 0, world.truths[1]);
  await finish(world, again);
  const after = arrowFiles(folder!);
  assert.deepEqual([before.length, after.length], [2, 2]);
  assert.ok(after.every((name) => !before.includes(name)));
});

test('files older than they are to be kept leave folder and manifest', async (context) => {
  const world = worldOf(context, 3, 1);
  const { instance, rows } = start(world, 0, world.truths[1]);
  rows.endAll();
  await assign(instance);
  for (let number = 0; number < 6; number++) {
    await deliver(world, instance, partitions[0]!, 20);
    await instance.pipeline.consumer.beforeStop();
    world.clockMs += 86_400_000;
  }
  const files = manifestOf(world, partitions[0]!)!.files.map(({ name }) => name);
  assert.deepEqual([arrowFiles(world.folders[0]!), files.length], [files.sort(), 5]);
});

/** Processes that take each other's place, until one has read everything. */
async function liveAndDie(world: World): Promise<Process> {
  const { random, truths } = world;
  const stopped: Process[] = [];
  for (let life = 0; life < 12; life++) {
    const process = start(world, life, truths[random.int(2)]!);
    process.valve.left = random.int(60);
    await Promise.race([work(world, process), process.valve.closed]);
    stopped.push(process);
    if (random.int(2) === 0) await goOn(world, stopped[random.int(stopped.length)]!);
    for (const partition of partitions) rowsOf(world, partition, `life ${life}`);
  }
  const last = start(world, 12, truths[1]);
  await assign(last.instance);
  for (const process of stopped) if (random.int(3) === 0) await goOn(world, process);
  await finish(world, last);
  return last;
}

/** A stopped process does not know of the others before its next words with the group. */
async function goOn(world: World, process: Process): Promise<void> {
  process.valve.left = world.random.int(30);
  process.valve.open();
  await Promise.race([step(world, process), process.valve.closed]);
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function work(world: World, process: Process): Promise<void> {
  await assign(process.instance);
  for (let count = world.random.int(8); count >= 0; count--) await step(world, process);
}

async function step(world: World, { instance, rows }: Process): Promise<void> {
  const { random, truths } = world;
  const { consumer, service, checkpointAll } = instance.pipeline;
  for (const partition of partitions)
    if (service.tasks.has(partitionName(partition)))
      await deliver(world, instance, partition, random.int([1, 4, 60][random.int(3)]!));
  if (random.int(4) === 0) instance.useTruth(truths[1]);
  world.clockMs += random.int(40_000);
  if (random.int(6) === 0) rows.endAll();
  await (random.int(2) === 0 ? consumer.beforeStop() : checkpointAll());
}

/** Ids of the events that a process scores which reads everything at once, with all the truth. */
async function undisturbed(world: World): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>(partitions.map((partition) => [partitionName(partition), []]));
  const add: ScoreRows['add'] = (partition, { event }) => void ids.get(partitionName(partition))!.push(event.eventId!);
  const instance = startInstance({
    ...{ config: world.config, topic, partitions: partitions.length, truth: world.truths[1] },
    checkpoints: { load: async () => [], save: async () => undefined, wantsSnapshot: () => true },
    scores: () => ({ ...noRows, add }),
  });
  await assign(instance);
  for (const partition of partitions) await deliver(world, instance, partition, Number.MAX_SAFE_INTEGER);
  return ids;
}
