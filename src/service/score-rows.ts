import { checkpointIdMs, newCheckpointId } from '../adapters/checkpoint-store/file-checkpoints.ts';
import type { ObjectStore } from '../adapters/object-store/object-store.ts';
import { type ScoreRowFiles, scoreRowFiles } from '../adapters/score-rows/score-rows.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/config.ts';
import { configHash } from '../config/config-hash.ts';
import { tagsOf } from '../config/settings.ts';
import { version } from '../documents/context.ts';
import { programName } from '../name.ts';
import type { Log } from '../ports.ts';
import type { Layout } from '../state/row-layout.ts';
import type { Telemetry } from '../telemetry.ts';

export interface SnapshotStores {
  /** The store of checkpoints. */
  readonly state: ObjectStore;
  readonly scores: ObjectStore;
}

/** Where the service's score rows go; undefined where none are wanted. */
export function scoreRowsOf(
  config: Config,
  layout: Layout,
  { state, scores }: SnapshotStores,
  log: Log,
  { truth }: Telemetry,
): ScoreRowFiles | undefined {
  const { kafka, snapshots, limits } = config;
  if (snapshots.scores === 'none') return undefined;
  return scoreRowFiles({
    about: aboutOf(config),
    format: snapshots.format,
    ...{ group: kafka.group_id, state, files: scores, keepMs: snapshots.keep.ms, nowMs: systemClock.nowMs, log },
    ...{ layout, which: snapshots.scores, rowsMax: limits.score_rows, everyMs: snapshots.every.ms },
    truthVersion: () => truth.version,
    tags: rowTags(config),
    ...{ newId: newCheckpointId, idTimeMs: checkpointIdMs },
  });
}

/** The metadata of every file. */
export function aboutOf(config: Config): Record<string, string> {
  return { [`${programName}.version`]: version, [`${programName}.config_hash`]: configHash(config) };
}

/** Names of the tags that score rows carry: those that slices use, and those that are asked for. */
export function rowTags({ slices, snapshots }: Config): string[] {
  return [...new Set([...tagsOf(slices), ...snapshots.tags])];
}
