import { readerOf, settingsOf } from '../../src/app/settings.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { shapingSettings } from '../../src/config/config-hash.ts';
import type { Config } from '../../src/config/config.ts';
import type { Layout } from '../../src/core/layout.ts';
import type { Scored } from '../../src/core/score.ts';
import type { TruthTable } from '../../src/core/truth.ts';
import { activeTruth } from '../../src/core/truth-cache.ts';
import { limitNames } from '../../src/limits.ts';
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.ts';
import type { CheckpointStore, DeadLetters, Log, ScoreRows, Source, TopicPartition } from '../../src/ports.ts';
import { createTelemetry, type Telemetry } from '../../src/telemetry.ts';

export interface InstanceOptions {
  readonly config: Config;
  readonly topic: string;
  readonly partitions: number;
  readonly checkpoints: CheckpointStore;
  readonly truth: TruthTable;
  readonly scores?: (layout: Layout) => ScoreRows;
  readonly onScored?: (partition: TopicPartition, scored: Scored) => void;
  /** Answers other than those of a log that has no ends. */
  readonly source?: Partial<Source>;
  readonly onGap?: 'refuse' | 'skip';
}

/** A pipeline in this process, told by a test what arrives. */
export interface Instance {
  readonly pipeline: Pipeline;
  readonly telemetry: Telemetry;
  useTruth(table: TruthTable): void;
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };
const noLetters: DeadLetters = { write: async () => undefined, close: async () => undefined };

/** Starts one, without partitions: `pipeline.consumer` is the test's to call. */
export function startInstance(options: InstanceOptions): Instance {
  const { config, topic, partitions } = options;
  const settings = settingsOf(config, undefined);
  const truth = { active: activeTruth(options.truth, settings.layout.families) };
  const ids = { next: 0 };
  const telemetry = createTelemetry({
    build: { version: '0', revision: '0', node: '0' },
    configHash: '0',
    exported: () => {
      throw new Error('nobody looks');
    },
    topics: [topic],
    limits: limitNames,
    checkpointIntervalMs: 1,
    snapshotIntervalMs: undefined,
  });
  const source: Source = {
    run: async () => undefined,
    stop: async () => undefined,
    commit: async (offsets) => offsets,
    joined: () => true,
    bounds: async () => ({ low: 0, high: Number.MAX_SAFE_INTEGER }),
    committed: async () => undefined,
    cluster: async () => ({ id: 'a', partitions: new Map([[topic, partitions]]) }),
    offsetAt: async () => 0,
    ...options.source,
  };
  const pipeline = createPipeline({
    group: 'assay',
    settings,
    reader: readerOf(config, true),
    source,
    checkpoints: options.checkpoints,
    deadLetters: noLetters,
    telemetry,
    clock: systemClock,
    log: silent,
    newId: () => `${process.hrtime.bigint()}-${ids.next++}`,
    configuration: {
      settings: Object.fromEntries(shapingSettings(config).map(({ key, value }) => [key, value])),
      config: {},
    },
    truth: () => truth.active,
    from: 'earliest',
    onGap: options.onGap ?? 'refuse',
    rebuild: false,
    onScored: options.onScored,
    scores: options.scores?.(settings.layout),
    signal: new AbortController().signal,
  });
  return {
    pipeline,
    telemetry,
    useTruth(table) {
      truth.active = activeTruth(table, settings.layout.families);
      pipeline.truthChanged();
    },
  };
}
