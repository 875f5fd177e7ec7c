import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/config/load.ts';
import type { CheckpointStore, TopicPartition } from '../../src/ports.ts';
import { bestChain, type Folder, put, snapshotsIn } from '../sim/disk.ts';
import { exampleId, truthVersion } from '../sim/truth.ts';
import { type Instance, startInstance } from '../support/service-instance.ts';
import { recordAt } from '../support/folding.ts';

const topic = 'predictions';
const partition: TopicPartition = { topic, partition: 0 };
const startMs = Date.UTC(2026, 0, 1);

/** A process that writes to a folder until its `dies` th save, and notes how many snapshots there were at each commit. */
function start(folder: Folder, dies: number): { readonly instance: Instance; readonly snapshotsAtCommit: number[] } {
  const snapshotsAtCommit: number[] = [];
  let saves = 0;
  const checkpoints: CheckpointStore = {
    load: async () => bestChain(folder) ?? [],
    save: (_, file) => (++saves < dies ? Promise.resolve(void put(folder, file)) : new Promise<void>(() => undefined)),
    wantsSnapshot: () => snapshotsIn(folder) < 2,
  };
  const source = {
    commit: async (offsets: readonly TopicPartition[]) => {
      snapshotsAtCommit.push(snapshotsIn(folder));
      return offsets;
    },
    bounds: async () => ({ low: 0, high: 1 }),
  };
  const { config } = loadConfig({});
  const truth = truthVersion(0, false);
  return { instance: startInstance({ config, topic, partitions: 1, checkpoints, truth, source }), snapshotsAtCommit };
}

const record = recordAt({ example_id: exampleId(0), ts: startMs }, 0, startMs);

test('no offset is committed before there are two snapshots, though the process that began the partition died after one', async () => {
  const folder: Folder = [];
  const first = start(folder, 2);
  await first.instance.pipeline.consumer.assigned(partition, false);
  await first.instance.pipeline.consumer.records(partition, [record], 0, 1);
  void first.instance.pipeline.checkpointAll();
  for (let turn = 0; turn < 100 && folder.length === 0; turn++) await new Promise(setImmediate);
  assert.deepEqual([snapshotsIn(folder), first.snapshotsAtCommit], [1, []]);
  const next = start(folder, Number.POSITIVE_INFINITY);
  await next.instance.pipeline.consumer.assigned(partition, false);
  await next.instance.pipeline.checkpointAll();
  assert.deepEqual([snapshotsIn(folder), next.snapshotsAtCommit], [2, [2]]);
});
