import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type TestTraffic, testTraffic } from './e2e-traffic.ts';
import type { TestKafka } from './kafka.ts';
import { replaySummary, type ServiceSettings, type Summary, serviceConfig, stateSummary } from './service.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Generated traffic, a topic for it, and the configuration of a service that reads the topic. */
export interface Scene {
  readonly folder: string;
  readonly topic: string;
  readonly traffic: TestTraffic;
  readonly settings: ServiceSettings;
  readonly config: string;
  /** Folder of its state. */
  readonly state: string;
}

/** Makes a scene of so many events, or of truth alone; `more` are sections of the configuration. Nothing is written to the topic yet. */
export async function sceneOf(
  context: TestContext,
  kafka: TestKafka,
  events: number | readonly object[],
  {
    partitions = 1,
    folder = temporaryFolder(context),
    brokers = kafka.brokers,
    more = {},
  }: { readonly partitions?: number } & Partial<Pick<ServiceSettings, 'folder' | 'brokers' | 'more'>> = {},
): Promise<Scene> {
  const traffic = typeof events === 'number' ? testTraffic(folder, events) : truthAlone(folder, events);
  const topic = await kafka.freshTopic(partitions);
  const settings = { brokers, topics: [topic], group: kafka.freshGroup(), truth: [traffic.truth], folder, more };
  return { folder, topic, traffic, settings, config: serviceConfig(settings), state: join(folder, 'state') };
}

function truthAlone(folder: string, records: readonly object[]): TestTraffic {
  const truth = join(folder, 'truth.ndjson');
  writeFileSync(truth, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return { truth, earlyTruth: truth, events: '', records: [] };
}

/** The state of a scene, or a summary of it, is that of a replay of its events. */
export async function assertReplayed({ config, traffic, state }: Scene, summary?: Summary): Promise<void> {
  const { records, groups } = summary ?? (await stateSummary(state));
  const replay = await replaySummary(config, traffic.events);
  assert.deepEqual(records, replay.records);
  assert.deepEqual(groups, replay.groups);
}
