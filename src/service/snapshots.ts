import { hostname } from 'node:os';
import { checkpointIdMs } from '../adapters/checkpoint-store/file-checkpoints.ts';
import { processToken } from '../adapters/object-store/folder-store.ts';
import type { ObjectStore } from '../adapters/object-store/object-store.ts';
import {
  aggregatesName,
  datedAggregatesName,
  type SnapshotStore,
  scoresFolder,
  snapshotStore,
} from '../adapters/object-store/snapshots.ts';
import { rowFile } from '../adapters/score-rows/row-file.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { folderName } from '../formats/checkpoint/names.ts';
import { aggregateSnapshot, lakeSnapshot } from '../formats/snapshot/aggregates.ts';
import type { Config } from '../config/config.ts';
import { programName } from '../name.ts';
import { inTurn, type SerialQueue } from '../pipeline/time-slices.ts';
import type { Log } from '../ports.ts';
import type { View } from '../view/summary.ts';
import type { ReadModel } from './read-model.ts';
import { aboutOf } from './score-rows.ts';

/** A name for what this process writes that no other writes. */
const instance = `${folderName(hostname())}-${processToken}`;

/** Arrow snapshots of a running service. */
export interface Snapshots {
  /** Writes the last one. A failure is logged, and no error. */
  writeLast(): Promise<void>;
  /** Writes one every `snapshots.every` until the signal aborts, and deletes those that are older than `snapshots.keep`. */
  run(signal: AbortSignal): Promise<void>;
}

/** Deleting looks at every file: not with every snapshot. */
const expireEveryMs = 600_000;
const outageName = 'snapshots';

/** Snapshots of the partitions that a read model holds. */
export function serviceSnapshots(model: ReadModel, store: ObjectStore, log: Log): Snapshots {
  const { config, outages } = model;
  const { dir, every, keep } = config.snapshots;
  const folder = snapshotStore(
    store,
    config.snapshots.format === 'parquet' ? '_latest.json' : 'latest.json',
    checkpointIdMs,
  );
  const state = { expiredMs: Number.NEGATIVE_INFINITY, failing: false };
  const report = (error: unknown): void => {
    if (error === undefined) outages.delete(outageName);
    else outages.add(outageName);
    if (error !== undefined && !state.failing) log.error({ err: error, dir }, 'no snapshot can be written');
    if (error === undefined && state.failing) log.info({ dir }, 'snapshots are written again');
    state.failing = error !== undefined;
  };
  const expire = async (): Promise<void> => {
    const now = systemClock.monotonicMs();
    if (now - state.expiredMs < Math.min(expireEveryMs, Math.max(every.ms, keep.ms))) return;
    state.expiredMs = now;
    const files = await folder.expire(systemClock.nowMs() - keep.ms);
    if (files > 0) log.info({ files, keep: keep.text }, 'old snapshots deleted');
  };
  const queue: SerialQueue = { last: Promise.resolve() };
  // Two of one second have one name: the last one is written after the one that was under way.
  const write = (ending: boolean): Promise<void> => inTurn(queue, () => writeNow(ending));
  const writeNow = async (ending: boolean): Promise<void> => {
    try {
      await writeSnapshot(model, folder, ending);
      await expire();
      report(undefined);
    } catch (error) {
      report(error);
    }
  };
  return {
    writeLast: () => write(true),
    async run(signal) {
      while (!signal.aborted) {
        await systemClock.sleep(every.ms, signal);
        if (!signal.aborted) await write(false);
      }
    },
  };
}

/** A partition that is still being restored would be missing: the snapshot waits for it. */
async function writeSnapshot(
  { config, states, reports, telemetry, views }: ReadModel,
  folder: SnapshotStore,
  ending: boolean,
): Promise<void> {
  const scorers = [...reports.values()];
  if (states.size === 0 || scorers.some(({ restoring }) => restoring > 0)) return;
  const { view } = views.exported();
  const { asOfMs } = view;
  if (asOfMs === undefined) return;
  const partitions = [...states.keys()].sort().join(',');
  const isLake = config.snapshots.format === 'parquet';
  const aggregates = isLake
    ? datedAggregatesName(asOfMs, instance, systemClock.nowMs())
    : aggregatesName(asOfMs, instance);
  await folder.writeAggregates(
    aggregates,
    await aggregateBytes(view, asOfMs, config, { partitions, truth: telemetry.truth.version, ending }),
  );
  const newest = scorers
    .flatMap(({ scores }) => scores ?? [])
    .sort()
    .at(-1);
  await folder.writeLatest({
    as_of: new Date(asOfMs).toISOString(),
    aggregates,
    scores: newest === undefined ? null : `${scoresFolder}/${newest}`,
  });
  telemetry.snapshots.lastSuccessMs = systemClock.nowMs();
}

interface AggregatesOf {
  readonly partitions: string;
  readonly truth: string | undefined;
  /** True once no event is scored any more. */
  readonly ending: boolean;
}

async function aggregateBytes(
  view: View,
  asOfMs: number,
  config: Config,
  { partitions, truth, ending }: AggregatesOf,
): Promise<Uint8Array> {
  const source = { [`${programName}.instance`]: instance, [`${programName}.partitions`]: partitions };
  if (config.snapshots.format === 'arrow') {
    const about = new Map(Object.entries(source));
    return Buffer.concat(aggregateSnapshot(view, asOfMs, config.slices, about));
  }
  const pieces = lakeSnapshot(view, asOfMs, { instance, partitions });
  const metadata = {
    ...aboutOf(config),
    ...(truth !== undefined && { [`${programName}.truth_version`]: truth }),
    ...source,
  };
  return await rowFile('parquet', [Buffer.concat(pieces)], metadata, ending);
}
