import { systemClock } from '../../src/adapters/system-clock.ts';
import { settingsOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import type { Pipeline } from '../../src/pipeline/pipeline.ts';
import type { CheckpointStore, DeadLetters, ScoreRows, Source } from '../../src/ports.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import type { Layout } from '../../src/state/row-layout.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import type { Telemetry } from '../../src/telemetry.ts';
import { barePipeline } from './bare-pipeline.ts';

export interface InstanceOptions {
  readonly config: Config;
  readonly topic: string;
  readonly partitions: number;
  readonly checkpoints: CheckpointStore;
  readonly truth: TruthTable;
  readonly scores?: (layout: Layout) => ScoreRows;
  /** Answers other than those of a log that has no ends. */
  readonly source?: Partial<Source>;
  readonly onGap?: 'refuse' | 'skip';
  readonly newId?: () => string;
}

/** A pipeline in this process, told by a test what arrives. */
export interface Instance {
  readonly pipeline: Pipeline;
  readonly telemetry: Telemetry;
  useTruth(table: TruthTable): void;
}

const noLetters: DeadLetters = { write: async () => undefined, close: async () => undefined };

/** Starts one, without partitions: `pipeline.consumer` is the test's to call. */
export function startInstance(options: InstanceOptions): Instance {
  const { config, topic, partitions } = options;
  const settings = settingsOf(config, undefined);
  const truth = { active: activeTruth(options.truth, settings.layout.families) };
  const ids = { next: 0 };
  const { pipeline, telemetry } = barePipeline({
    config,
    topic,
    settings,
    source: { ...endlessLog(topic, partitions), ...options.source },
    checkpoints: options.checkpoints,
    deadLetters: noLetters,
    clock: systemClock,
    newId: options.newId ?? (() => `${process.hrtime.bigint()}-${ids.next++}`),
    truth: () => truth.active,
    onGap: options.onGap ?? 'refuse',
    scores: options.scores?.(settings.layout),
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

/** The source of a log that has no ends, and delivers nothing by itself. */
export function endlessLog(topic: string, partitions: number): Source {
  return {
    run: async () => undefined,
    stop: async () => undefined,
    commit: async (offsets) => offsets,
    joined: () => true,
    bounds: async () => ({ low: 0, high: Number.MAX_SAFE_INTEGER }),
    committed: async () => undefined,
    cluster: async () => ({ id: 'a', partitions: new Map([[topic, partitions]]) }),
    offsetAt: async () => 0,
  };
}
