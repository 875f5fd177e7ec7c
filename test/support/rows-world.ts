import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { fileCheckpoints, newCheckpointId } from '../../src/adapters/checkpoint-store/file-checkpoints.ts';
import type { ObjectStore } from '../../src/adapters/object-store/object-store.ts';
import { type ScoreRowFiles, scoreRowFiles } from '../../src/adapters/score-rows/score-rows.ts';
import type { Config } from '../../src/config/config.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { type Manifest, manifestFolder, parseManifest } from '../../src/formats/snapshot/row-files.ts';
import type { TruthRecord } from '../../src/formats/truth/record.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { Log, TopicPartition } from '../../src/ports.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { prng, type Random } from '../sim/prng.ts';
import { configOf } from './configuration.ts';
import { keyedRecord } from './keyed-record.ts';
import { memoryStore } from './memory-store.ts';
import { type Instance, startInstance } from './service-instance.ts';
import { through, type Valve, valveOf } from './valve.ts';

export const topic = 'predictions-1';
export const partitions: readonly TopicPartition[] = [0, 1].map((partition) => ({ topic, partition }));

const recordCount = 300;

const silent: Log = {
  debug() {},
  info() {},
  warn() {},
  error: (fields, message) => console.error(message, JSON.stringify(fields)),
};

/** Of some processes, one after the other, and their stores. */
export interface World {
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
export interface Process {
  readonly instance: Instance;
  readonly rows: ScoreRowFiles;
  readonly valve: Valve;
}

/** Reads all that is left, and ends it. */
export async function finish(world: World, { instance, rows }: Process): Promise<void> {
  if (instance.pipeline.service.tasks.size === 0) await assign(instance);
  for (const partition of partitions) await deliver(world, instance, partition, Number.MAX_SAFE_INTEGER);
  instance.useTruth(world.truths[1]);
  rows.endAll();
  await instance.pipeline.consumer.beforeStop();
}

/** `odd`: what its store of files does otherwise. */
export function start(world: World, number: number, truth: TruthTable, odd: Partial<ObjectStore> = {}): Process {
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

/** `folders`: 1, or one for each process. */
export function worldOf(context: TestContext, number: number, folders: number): World {
  const random = prng(number);
  const traffic = createTraffic({ seed: number, examples: 100, runs: 5, duplicates: 0.05, malformed: 0.02 });
  const logs: LogRecord[][] = [[], []];
  for (let count = 0; count < recordCount; count++)
    for (const { key, value } of traffic.next(Date.UTC(2026, 4, 1) + 10 * count, undefined)) {
      const log = logs[key.charCodeAt(key.length - 1) % 2]!;
      const timestamp = Date.UTC(2026, 4, 1) + 10 * count;
      log.push({ ...keyedRecord(Buffer.from(value), Buffer.from(key)), offset: log.length, timestamp });
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

/** Gives a process all partitions. */
export async function assign({ pipeline }: Instance): Promise<void> {
  for (const partition of partitions) await pipeline.consumer.assigned(partition, false);
}

/** Gives a process its next records. */
export async function deliver(
  world: World,
  { pipeline }: Instance,
  partition: TopicPartition,
  count: number,
): Promise<void> {
  const from = pipeline.consumer.nextOffset(partition)!;
  const log = world.logs[partition.partition]!;
  await pipeline.consumer.records(partition, log, from, Math.min(log.length, from + count));
}

/** Names of the files of rows in a folder. */
export function arrowFiles(folder: ReadonlyMap<string, Uint8Array>): string[] {
  return [...folder.keys()].filter((path) => path.endsWith('.arrow')).sort();
}

/** The newest manifest of a partition, of all folders. */
export function manifestOf({ folders }: World, { topic: name, partition }: TopicPartition): Manifest | undefined {
  const place = `${manifestFolder({ group: 'assay', topic: name, partition })}/`;
  const [newest] = folders
    .flatMap((folder) => [...folder].filter(([path]) => path.startsWith(place)))
    .sort(([a], [b]) => (a < b ? 1 : -1));
  return newest && parseManifest(...newest);
}

/** Event ids in the files of a partition that count, of those `scored` there; every file says how many rows it has, and no event is in two. */
export function rowsOf(world: World, partition: TopicPartition, told: string, scored = true): string[] {
  const ids = (manifestOf(world, partition)?.files ?? []).flatMap(({ name, rows }) => {
    const bytes = world.folders.map((folder) => folder.get(name)).find((found) => found !== undefined);
    assert.ok(bytes !== undefined, `${name} is nowhere, ${told}`);
    const table = tableFromIPC(bytes);
    assert.equal(table.schema.metadata.get('assay.rows'), String(table.numRows));
    assert.equal(table.numRows, rows);
    const moments = [...table.getChild('scored')!];
    return ([...table.getChild('event_id')!] as string[]).filter((_, row) => moments[row] === scored);
  });
  const known = ids.filter((id) => id !== null);
  assert.equal(new Set(known).size, known.length, told);
  return ids;
}
