import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { fileCheckpoints, newCheckpointId } from '../../src/adapters/checkpoint-store/file-checkpoints.ts';
import type { ObjectStore } from '../../src/adapters/object-store/object-store.ts';
import { type ScoreRowFiles, scoreRowFiles } from '../../src/adapters/score-rows/score-rows.ts';
import type { Config } from '../../src/config/config.ts';
import { createTraffic } from '../../src/demo/traffic.ts';
import { type Manifest, manifestFolder, parseManifest } from '../../src/formats/snapshot/row-files.ts';
import type { TruthRecord } from '../../src/formats/truth/record.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { type Log, partitionName, type ScoreRows, type TopicPartition } from '../../src/ports.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { prng, type Random } from '../sim/prng.ts';
import { memoryStore } from '../support/memory-store.ts';
import { noRows } from '../support/no-rows.ts';
import { configOf } from '../support/configuration.ts';
import { type Instance, startInstance } from '../support/service-instance.ts';
import { through, type Valve, valveOf } from '../support/valve.ts';

const topic = 'predictions-1';
const partitions: readonly TopicPartition[] = [0, 1].map((partition) => ({ topic, partition }));
const recordCount = 300;
const runs = process.env['ASSAY_SOAK'] === '1' ? 100 : 2;
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const silent: Log = {
  debug() {},
  info() {},
  warn() {},
  error: (fields, message) => console.error(message, JSON.stringify(fields)),
};

interface World {
  readonly config: Config;
  readonly random: Random;
  /** Of checkpoints: contents by path. */
  readonly state: Map<string, Uint8Array>;
  /** Of the files of each instance in its turn: one for all, or some. */
  readonly folders: readonly Map<string, Uint8Array>[];
  readonly logs: readonly (readonly LogRecord[])[];
  /** Without some rows, and whole. */
  readonly truths: readonly [TruthTable, TruthTable];
  /** The instance whose commits the group accepts. */
  owner: number;
  clockMs: number;
}

/** A process, as the system sees it: it can be stopped anywhere, and may go on later. */
interface Process {
  readonly instance: Instance;
  readonly rows: ScoreRowFiles;
  readonly valve: Valve;
}

for (const folders of [1, 3])
  test(`instances that die, stop and go on, ${folders === 1 ? 'one folder' : 'a folder each'}: by the manifest, each scored prediction once (SEED=${seed})`, async (context) => {
    for (let run = 0; run < runs; run++) {
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

async function finish(world: World, { instance, rows }: Process): Promise<void> {
  if (instance.pipeline.service.tasks.size === 0) await assign(instance);
  for (const partition of partitions) await deliver(world, instance, partition, Number.MAX_SAFE_INTEGER);
  instance.useTruth(world.truths[1]);
  rows.endAll();
  await instance.pipeline.consumer.beforeStop();
}

/** `odd`: what its store of files does otherwise. */
function start(world: World, number: number, truth: TruthTable, odd: Partial<ObjectStore> = {}): Process {
  world.owner = number;
  const valve = valveOf();
  const state = through(memoryStore(world.state), valve);
  const files = { ...through(memoryStore(world.folders[number % world.folders.length]!), valve), ...odd };
  let rows: ScoreRowFiles;
  const instance = startInstance({
    config: world.config,
    topic,
    partitions: partitions.length,
    checkpoints: fileCheckpoints({ ...state, settings: undefined as never }, 'assay', {
      log: silent,
      compactAfterFiles: 1_000,
    }),
    truth,
    source: {
      commit: async (offsets) => {
        await valve.pass();
        return world.owner === number ? offsets : [];
      },
    },
    newId: newCheckpointId,
    scores: (layout) => {
      rows = scoreRowFiles({
        ...{ group: 'assay', state, files, keepMs: 4 * 86_400_000, nowMs: () => world.clockMs, log: silent },
        ...{ about: {}, truthVersion: () => 't', format: 'arrow', tags: [] },
        ...{ layout, which: 'all', rowsMax: 20, everyMs: 60_000 },
        ...{ newId: newCheckpointId, idTimeMs: () => Number.POSITIVE_INFINITY },
      });
      return rows;
    },
  });
  return { instance, rows: rows!, valve };
}

function worldOf(context: TestContext, number: number, folders: number): World {
  const random = prng(number);
  const traffic = createTraffic({ seed: number, examples: 100, runs: 5, duplicates: 0.05, malformed: 0.02 });
  const logs: LogRecord[][] = [[], []];
  for (let count = 0; count < recordCount; count++)
    for (const { key, value } of traffic.next(Date.UTC(2026, 4, 1) + 10 * count, undefined)) {
      const log = logs[key.charCodeAt(key.length - 1) % 2]!;
      const bytes = Buffer.from(value);
      const timestamp = Date.UTC(2026, 4, 1) + 10 * count;
      log.push({ bytes, start: 0, end: bytes.length, key: Buffer.from(key), offset: log.length, timestamp });
    }
  const records: readonly TruthRecord[] = traffic.examples.map(({ record }) => record);
  const early = records.filter((_, index) => index % 4 === 0);
  return {
    config: configOf(context, {}),
    random,
    state: new Map(),
    folders: Array.from({ length: folders }, () => new Map()),
    logs,
    truths: [truthFromRecords(early), truthFromRecords(records)],
    owner: 0,
    clockMs: Date.UTC(2026, 4, 1),
  };
}

async function assign({ pipeline }: Instance): Promise<void> {
  for (const partition of partitions) await pipeline.consumer.assigned(partition, false);
}

async function deliver(world: World, { pipeline }: Instance, partition: TopicPartition, count: number): Promise<void> {
  const from = pipeline.consumer.nextOffset(partition)!;
  const log = world.logs[partition.partition]!;
  await pipeline.consumer.records(partition, log, from, Math.min(log.length, from + count));
}

/** Ids of the events that a process scores which reads everything at once, with all the truth. */
async function undisturbed(world: World): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>(partitions.map((partition) => [partitionName(partition), []]));
  const add: ScoreRows['add'] = (partition, { accepted: { batch, event } }) =>
    void ids.get(partitionName(partition))!.push(batch.eventId(event)!);
  const instance = startInstance({
    ...{ config: world.config, topic, partitions: partitions.length, truth: world.truths[1] },
    checkpoints: { load: async () => [], save: async () => undefined, wantsSnapshot: () => true },
    scores: () => ({ ...noRows, add }),
  });
  await assign(instance);
  for (const partition of partitions) await deliver(world, instance, partition, Number.MAX_SAFE_INTEGER);
  return ids;
}

function arrowFiles(folder: ReadonlyMap<string, Uint8Array>): string[] {
  return [...folder.keys()].filter((path) => path.endsWith('.arrow')).sort();
}

/** The newest manifest of a partition, of all folders. */
function manifestOf({ folders }: World, { topic: name, partition }: TopicPartition): Manifest | undefined {
  const place = `${manifestFolder({ group: 'assay', topic: name, partition })}/`;
  const [newest] = folders
    .flatMap((folder) => [...folder].filter(([path]) => path.startsWith(place)))
    .sort(([a], [b]) => (a < b ? 1 : -1));
  return newest && parseManifest(...newest);
}

/** Event ids in the files of a partition that count; every file says how many rows it has, and no event is in two. */
function rowsOf(world: World, partition: TopicPartition, told: string): string[] {
  const ids = (manifestOf(world, partition)?.files ?? []).flatMap(({ name, rows }) => {
    const bytes = world.folders.map((folder) => folder.get(name)).find((found) => found !== undefined);
    assert.ok(bytes !== undefined, `${name} is nowhere, ${told}`);
    const table = tableFromIPC(bytes);
    assert.equal(table.schema.metadata.get('assay.rows'), String(table.numRows));
    assert.equal(table.numRows, rows);
    return [...table.getChild('event_id')!] as string[];
  });
  const known = ids.filter((id) => id !== null);
  assert.equal(new Set(known).size, known.length, told);
  return ids;
}
