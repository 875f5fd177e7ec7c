import { changes } from '../../src/service/changes.ts';
import { readersOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import { shapingByKey } from '../../src/config/config-hash.ts';
import { limitNames } from '../../src/config/limits.ts';
import { createPipeline, type Pipeline } from '../../src/pipeline/pipeline.ts';
import type { ServiceOptions } from '../../src/pipeline/service.ts';
import type { Log } from '../../src/ports.ts';
import { createTelemetry, type Telemetry } from '../../src/telemetry.ts';

/** What a test brings to a pipeline; the rest is that of a service which nobody looks at. */
type Brought = 'settings' | 'source' | 'checkpoints' | 'deadLetters' | 'clock' | 'newId' | 'truth';

export interface BareOptions extends Pick<ServiceOptions, Brought>, Partial<Omit<ServiceOptions, Brought>> {
  readonly config: Config;
  readonly topic: string;
}

/** The pipeline of the program without its surroundings: no log, no metrics page, no way to stop it. */
export function barePipeline({ config, topic, ...options }: BareOptions): {
  readonly pipeline: Pipeline;
  readonly telemetry: Telemetry;
} {
  const telemetry = unwatchedTelemetry(topic);
  const pipeline = createPipeline({
    group: 'assay',
    reader: readersOf(config),
    telemetry,
    log: silent,
    configuration: {
      settings: shapingByKey(config),
      config: {},
    },
    changes,
    from: 'earliest',
    onGap: 'refuse',
    rebuild: false,
    signal: new AbortController().signal,
    ...options,
  });
  return { pipeline, telemetry };
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

function unwatchedTelemetry(topic: string): Telemetry {
  return createTelemetry({
    build: { version: '0', revision: '0', node: '0' },
    configHash: '0',
    topics: [topic],
    limits: limitNames,
    checkpointIntervalMs: 1,
    snapshotIntervalMs: undefined,
  });
}
