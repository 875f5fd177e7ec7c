import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { parseScoreFileName } from '../../src/adapters/files/score-names.ts';
import { scoreRowFiles } from '../../src/adapters/files/score-rows.ts';
import type { Config } from '../../src/config/config.ts';
import { createTraffic } from '../../src/demo/traffic.ts';
import type { TruthRecord } from '../../src/formats/truth/record.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { type Checkpoint, type CheckpointStore, partitionName, type TopicPartition } from '../../src/ports.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { prng, type Random } from '../sim/prng.ts';
import { configOf } from '../support/configuration.ts';
import { type Instance, startInstance } from '../support/service-instance.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const topic = 'predictions-1';
const partitions: readonly TopicPartition[] = [0, 1].map((partition) => ({ topic, partition }));
const recordCount = 300;
const rowsMax = 20;

interface World {
  readonly config: Config;
  readonly folder: string;
  readonly random: Random;
  readonly logs: readonly (readonly LogRecord[])[];
  /** Without some rows, and whole. */
  readonly truths: readonly [TruthTable, TruthTable];
  readonly saved: Map<string, Checkpoint[]>;
  /** Where the process dies: when a checkpoint is to be saved, or was. */
  dies: 'before saving' | 'after saving' | undefined;
  death: Promise<'dead'>;
  die: () => void;
}

test('whatever process dies when, each scored prediction is in exactly one file', async (context) => {
  const seed = Number(process.env['SEED'] ?? 20260501);
  for (let run = 0; run < 16; run++) {
    const world = worldOf(context, seed + run);
    const scored = await liveAndDie(world);
    const expected = await undisturbed(world);
    for (const partition of partitions) {
      const name = partitionName(partition);
      const found = rowsOf(world.folder, partition);
      assert.deepEqual([...found].sort(), [...expected.get(name)!].sort(), `${name}, SEED=${seed + run}`);
      assert.equal(found.length, scored.get(name), `${name}, SEED=${seed + run}`);
    }
  }
});

test('rows beyond the limit are written out at once, into the file that the checkpoint finishes', async (context) => {
  const world = worldOf(context, 1);
  const instance = start(world, world.truths[1]);
  await assign(instance);
  await deliver(world, instance, partitions[0]!, 100);
  assert.ok(instance.telemetry.live.limits.get('score_rows')! > 0);
  const unfinished = readdirSync(world.folder);
  assert.ok(unfinished.length === 1 && unfinished[0]!.endsWith('.tmp'), String(unfinished));
  await instance.pipeline.checkpointAll();
  const [file, ...others] = readdirSync(world.folder);
  assert.deepEqual(others, []);
  const place = { ...partitions[0], nextOffset: 0, scored: 0 };
  assert.deepEqual(parseScoreFileName(file!), place);
  const { scored } = instance.pipeline.service.tasks.get(`${topic}/0`)!.state.numbers;
  assert.equal(rowsOf(world.folder, partitions[0]!).length, scored);
});

function worldOf(context: TestContext, seed: number): World {
  const random = prng(seed);
  const traffic = createTraffic({ seed, examples: 100, runs: 5, duplicates: 0.05, malformed: 0.02 });
  const logs: LogRecord[][] = [[], []];
  for (let number = 0; number < recordCount; number++)
    for (const { key, value } of traffic.next(Date.UTC(2026, 4, 1) + 10 * number, undefined)) {
      const log = logs[key.charCodeAt(key.length - 1) % 2]!;
      const bytes = Buffer.from(value);
      const timestamp = Date.UTC(2026, 4, 1) + 10 * number;
      log.push({ bytes, start: 0, end: bytes.length, key: Buffer.from(key), offset: log.length, timestamp });
    }
  const records: readonly TruthRecord[] = traffic.examples.map(({ record }) => record);
  const early = records.filter((_, index) => index % 4 === 0);
  const world: World = {
    config: configOf(context, {}),
    folder: temporaryFolder(context),
    random,
    logs,
    truths: [truthFromRecords(early), truthFromRecords(records)],
    saved: new Map(),
    dies: undefined,
    death: Promise.resolve('dead'),
    die: () => undefined,
  };
  return world;
}

function start(world: World, truth: TruthTable): Instance {
  world.dies = undefined;
  world.death = new Promise((resolve) => {
    world.die = () => resolve('dead');
  });
  return startInstance({
    config: world.config,
    topic,
    partitions: partitions.length,
    checkpoints: storeOf(world),
    truth,
    scores: (layout) => scoreRowFiles({ folder: world.folder, layout, which: 'all', rowsMax }),
  });
}

/** Snapshots only. A dead process never hears of its save. */
function storeOf(world: World): CheckpointStore {
  const never = (): Promise<never> => {
    world.die();
    return new Promise(() => undefined);
  };
  return {
    load: async (partition) => world.saved.get(partitionName(partition))?.slice(-1) ?? [],
    async save(partition, file) {
      if (world.dies === 'before saving') return never();
      const name = partitionName(partition);
      world.saved.set(name, [...(world.saved.get(name) ?? []), file].slice(-2));
      return world.dies === 'after saving' ? never() : undefined;
    },
    wantsSnapshot: () => true,
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

/** Processes that take each other's place, until one has read everything; how many predictions each partition has scored. */
async function liveAndDie(world: World): Promise<Map<string, number>> {
  const { random, logs, truths } = world;
  for (let life = 0; ; life++) {
    const instance = start(world, truths[life > 20 ? 1 : random.int(2)]!);
    const { consumer, service } = instance.pipeline;
    await assign(instance);
    for (let _step = 0; ; _step++) {
      for (const partition of partitions)
        await deliver(world, instance, partition, random.int([1, 4, 60][random.int(3)]!));
      if (random.int(4) === 0) instance.useTruth(truths[1]);
      const done = partitions.every(
        (partition) => consumer.nextOffset(partition) === logs[partition.partition]!.length,
      );
      if (done) instance.useTruth(truths[1]);
      if (!done && random.int(3) === 0) world.dies = random.int(2) === 0 ? 'before saving' : 'after saving';
      if (await dead(world, instance)) {
        // What the system does for a dead process: its files are closed.
        for (const partition of partitions) consumer.revoked(partition);
        break;
      }
      if (done) return new Map([...service.tasks].map(([name, { state }]) => [name, state.numbers.scored]));
    }
  }
}

/** Takes a checkpoint; whether the process died over it. */
async function dead(world: World, { pipeline }: Instance): Promise<boolean> {
  const ended = await Promise.race([pipeline.checkpointAll(), world.death]);
  return ended === 'dead';
}

/** Ids of the events that a process scores which reads everything at once, with all the truth. */
async function undisturbed(world: World): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>(partitions.map((partition) => [partitionName(partition), []]));
  const instance = startInstance({
    config: world.config,
    topic,
    partitions: partitions.length,
    checkpoints: { load: async () => [], save: async () => undefined, wantsSnapshot: () => true },
    truth: world.truths[1],
    onScored: (partition, { accepted }) =>
      void ids.get(partitionName(partition))!.push(accepted.batch.eventId(accepted.event)!),
  });
  await assign(instance);
  for (const partition of partitions) await deliver(world, instance, partition, Number.MAX_SAFE_INTEGER);
  return ids;
}

/** Event ids in the files of a partition; every file says how many rows it has. */
function rowsOf(folder: string, { topic: name, partition }: TopicPartition): string[] {
  const files = readdirSync(folder).filter((file) => file.startsWith(`scores-${name}-${partition}-`));
  return files.flatMap((file) => {
    const table = tableFromIPC(readFileSync(join(folder, file)));
    assert.equal(table.schema.metadata.get('assay.rows'), String(table.numRows));
    return [...table.getChild('event_id')!] as string[];
  });
}
