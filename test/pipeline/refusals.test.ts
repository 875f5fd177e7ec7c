import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load.ts';
import { UsageError } from '../../src/errors.ts';
import type { CheckpointStore, Source, TopicPartition } from '../../src/ports.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { bestChain, type Folder, put, snapshotsIn } from '../sim/disk.ts';
import { exampleId, truthVersion } from '../sim/truth.ts';
import { type Instance, type InstanceOptions, startInstance } from '../support/service-instance.ts';
import { configWith, recordAt } from '../support/folding.ts';

const topic = 'predictions';
const first: TopicPartition = { topic, partition: 0 };
const second: TopicPartition = { topic, partition: 1 };
const startMs = Date.UTC(2026, 0, 1);
const ends = (low: number, high: number): Partial<Source> => ({ bounds: async () => ({ low, high }) });

/** A disk, and processes one after the other. */
function createDisk(): { start(options?: Partial<InstanceOptions>): Instance } {
  const folders: Folder[] = [[], []];
  const checkpoints: CheckpointStore = {
    load: async ({ partition }) => bestChain(folders[partition]!) ?? [],
    save: async ({ partition }, file) => void put(folders[partition]!, file),
    wantsSnapshot: ({ partition }) => snapshotsIn(folders[partition]!) < 2,
  };
  const config = loadConfig({}).config;
  const truth = truthVersion(0, false);
  return { start: (options) => startInstance({ config, topic, partitions: 2, checkpoints, truth, ...options }) };
}

/** Records with the offsets given; `from` tells those of another log. */
function records(offsets: readonly number[], from = 'here'): LogRecord[] {
  return offsets.map((offset) => {
    const event = { example_id: exampleId(0), event_id: `${from}-${offset}`, ts: startMs + offset };
    return recordAt(event, offset, startMs + offset);
  });
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, offset) => offset);
}

async function deliver({ pipeline }: Instance, all: readonly LogRecord[]): Promise<void> {
  await pipeline.consumer.records(first, all, 0, all.length);
}

/** A disk on which a process has left the first ten records of a log. */
async function withTenRecords(): Promise<ReturnType<typeof createDisk>> {
  const disk = createDisk();
  const instance = disk.start();
  assert.equal(await instance.pipeline.consumer.assigned(first, false), 0);
  await deliver(instance, records(upTo(10)));
  await instance.pipeline.checkpointAll();
  return disk;
}

function refusal({ pipeline }: Instance): string {
  return pipeline.service.refused.get('predictions/0') ?? '';
}

function readOf({ pipeline }: Instance): number | undefined {
  return pipeline.service.tasks.get('predictions/0')?.state.numbers.read;
}

test('a partition without a checkpoint, but with a committed offset, is refused alone', async () => {
  const committed = async ({ partition }: TopicPartition) => (partition === 0 ? 5 : undefined);
  const instance = createDisk().start({ source: { committed } });
  assert.equal(await instance.pipeline.consumer.assigned(first, false), undefined);
  assert.equal(await instance.pipeline.consumer.assigned(second, false), 0);
  assert.match(refusal(instance), /predictions\/0 has no checkpoint.* committed offset 5.*--rebuild/);
  assert.equal(instance.pipeline.consumer.nextOffset(first), undefined);
});

test('a log that was trimmed past the checkpoint is refused, or the gap is skipped and counted', async () => {
  const disk = await withTenRecords();
  const refused = disk.start({ source: ends(13, 20) });
  assert.equal(await refused.pipeline.consumer.assigned(first, false), undefined);
  assert.match(refusal(refused), /begins at offset 13, behind our checkpoint at 10: 3 records.*kafka\.on_gap/);

  const skipping = disk.start({ source: ends(13, 20), onGap: 'skip' });
  assert.equal(await skipping.pipeline.consumer.assigned(first, false), 13);
  assert.equal(skipping.telemetry.live.lostRecords, 3);
  await skipping.pipeline.checkpointAll();
  assert.equal(await disk.start({ source: ends(13, 20) }).pipeline.consumer.assigned(first, false), 13);
});

test('a log trimmed right up to the checkpoint is read on', async () => {
  const instance = (await withTenRecords()).start({ source: ends(10, 20) });
  assert.equal(await instance.pipeline.consumer.assigned(first, false), 10);
});

test('a log trimmed past a position that is held is refused, or the gap is skipped', async () => {
  for (const onGap of ['refuse', 'skip'] as const) {
    const bounds = { low: 0, high: 20 };
    const instance = createDisk().start({ source: { bounds: async () => bounds }, onGap });
    await instance.pipeline.consumer.assigned(first, false);
    await deliver(instance, records(upTo(10)));
    assert.equal(await instance.pipeline.consumer.assigned(first, true), 9, 'the last record is compared once more');
    bounds.low = 15;
    const next = await instance.pipeline.consumer.assigned(first, true);
    assert.equal(next, onGap === 'skip' ? 15 : undefined);
    assert.equal(refusal(instance).includes('begins at offset 15'), onGap === 'refuse');
  }
});

test('a log that ends before the checkpoint is refused', async () => {
  const instance = (await withTenRecords()).start({ source: ends(0, 7) });
  assert.equal(await instance.pipeline.consumer.assigned(first, false), undefined);
  assert.match(refusal(instance), /ends at offset 7, before our checkpoint at 10/);
});

test('another record in the place of the last one applied: the topic was recreated', async () => {
  const instance = (await withTenRecords()).start();
  assert.equal(await instance.pipeline.consumer.assigned(first, false), 9);
  await deliver(instance, records([8, 9, 10], 'elsewhere'));
  assert.match(refusal(instance), /another record at offset 9/);
  assert.equal(instance.pipeline.consumer.nextOffset(first), undefined);
});

test('another record in the place of the last one applied, of a position that is held: the same refusal', async () => {
  const instance = createDisk().start();
  await instance.pipeline.consumer.assigned(first, false);
  await deliver(instance, records(upTo(10)));
  assert.equal(await instance.pipeline.consumer.assigned(first, true), 9);
  await deliver(instance, records([9, 10], 'elsewhere'));
  assert.match(
    refusal(instance),
    /another record at offset 9 .* the topic was recreated\. Use another kafka\.group_id/,
  );
});

test('the last record applied is read once more, and not counted again', async () => {
  const instance = (await withTenRecords()).start();
  await instance.pipeline.consumer.assigned(first, false);
  await deliver(instance, records([7, 8]));
  assert.equal(instance.pipeline.consumer.nextOffset(first), 9, 'it has not come by yet');
  await deliver(instance, records([9, 10]));
  assert.equal(instance.pipeline.consumer.nextOffset(first), 11);
  assert.equal(readOf(instance), 11);
});

test('where compaction has taken the last record applied, reading goes on', async () => {
  const disk = await withTenRecords();
  const ahead = disk.start();
  await ahead.pipeline.consumer.assigned(first, false);
  await deliver(ahead, records([12]));
  assert.equal(readOf(ahead), 11);

  const nothing = disk.start();
  await nothing.pipeline.consumer.assigned(first, false);
  nothing.pipeline.consumer.advanced(first, 12);
  assert.equal(nothing.pipeline.consumer.nextOffset(first), 12);
});

test('a checkpoint of another cluster, or of more partitions than there are, is refused', async () => {
  const disk = await withTenRecords();
  const clusterOf = (id: string, partitions: number): Partial<Source> => ({
    cluster: async () => ({ id, partitions: new Map([[topic, partitions]]) }),
  });
  const elsewhere = disk.start({ source: clusterOf('b', 2) });
  assert.equal(await elsewhere.pipeline.consumer.assigned(first, false), undefined);
  assert.match(refusal(elsewhere), /cluster a, .* cluster b/);
  const shrunk = disk.start({ source: clusterOf('a', 1) });
  assert.equal(await shrunk.pipeline.consumer.assigned(first, false), undefined);
  assert.match(refusal(shrunk), /1 partitions, it had 2/);
});

test('a configuration that would mix two meanings in one number is wrong usage, and says what differs', async () => {
  const disk = await withTenRecords();
  const instance = disk.start({ config: configWith({ 'time.pane': '20s' }) });
  await assert.rejects(instance.pipeline.consumer.assigned(first, false), (error) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, /time\.pane: .*10s.*20s/);
    return true;
  });
});

test('a partition that is revoked while it is restored is not held', async () => {
  const { pipeline } = (await withTenRecords()).start();
  const answer = pipeline.consumer.assigned(first, false);
  pipeline.consumer.revoked(first);
  assert.equal(await answer, undefined);
  assert.equal(pipeline.service.tasks.size + pipeline.service.restoring.size, 0);
});

test('a commit that was refused is tried again with the next checkpoint, and its counts come with it', async () => {
  let refuses = true;
  const commit: Source['commit'] = async (offsets) => {
    if (refuses) throw new Error('the group rebalances');
    return offsets;
  };
  const instance = createDisk().start({ source: { commit } });
  await instance.pipeline.consumer.assigned(first, false);
  await deliver(instance, records(upTo(10)));
  const counters = instance.telemetry.published.topics.get(topic)!;
  await instance.pipeline.checkpointAll();
  assert.equal(counters.scored, 0);
  refuses = false;
  await instance.pipeline.checkpointAll();
  assert.equal(counters.scored, 10);
  await instance.pipeline.checkpointAll();
  assert.equal(counters.scored, 10);
});
