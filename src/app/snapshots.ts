import { join } from 'node:path';
import { type ScoreRowFiles, scoreRowFiles } from '../adapters/files/score-rows.ts';
import { scoresFolder, snapshotFolder } from '../adapters/files/snapshot-folder.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { aggregateSnapshot } from '../formats/snapshot/aggregates.ts';
import type { Config } from '../config/config.ts';
import type { Layout } from '../state/row-layout.ts';
import { inSlices } from '../pipeline/time-slices.ts';
import type { Log } from '../ports.ts';
import type { ScoringService } from './running-service.ts';

/** Where the service's score rows go; undefined where none are wanted. */
export function scoreRowsOf({ snapshots, limits }: Config, layout: Layout): ScoreRowFiles | undefined {
  if (snapshots.scores === 'none') return undefined;
  const folder = join(snapshots.dir, scoresFolder);
  return scoreRowFiles({ folder, layout, which: snapshots.scores, rowsMax: limits.score_rows });
}

/** Arrow snapshots of a running service. */
export interface Snapshots {
  /** Writes one now. A failure is told, and no error: the next one will do. */
  write(): Promise<void>;
  /** Writes one every `snapshots.every` until the signal aborts, and deletes those that are older than `snapshots.keep`. */
  run(signal: AbortSignal): Promise<void>;
}

/** Deleting looks at every file: not with every snapshot. */
const expireEveryMs = 600_000;
const outageName = 'snapshots';

/** Snapshots of the partitions that an instance holds. */
export function serviceSnapshots(service: ScoringService, config: Config, log: Log): Snapshots {
  const { dir, every, keep } = config.snapshots;
  const folder = snapshotFolder(dir);
  const state = { expiredMs: Number.NEGATIVE_INFINITY, failing: false };
  const told = (error: unknown): void => {
    service.pipeline.service.outage(outageName, error !== undefined);
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
  const write = async (): Promise<void> => {
    try {
      await writeSnapshot(service, config, folder);
      await expire();
      told(undefined);
    } catch (error) {
      told(error);
    }
  };
  return {
    write,
    async run(signal) {
      while (!signal.aborted) {
        await systemClock.sleep(every.ms, signal);
        if (!signal.aborted) await write();
      }
    },
  };
}

/** A partition that is still being restored would be missing: the snapshot waits for it. */
async function writeSnapshot(
  { pipeline, live, telemetry, scoreRows }: ScoringService,
  { slices }: Config,
  folder: ReturnType<typeof snapshotFolder>,
): Promise<void> {
  const { tasks, restoring } = pipeline.service;
  if (tasks.size === 0 || restoring.size > 0) return;
  const { view } = await live.exported();
  const { asOfMs } = view;
  if (asOfMs === undefined) return;
  const pieces = await inSlices(systemClock, aggregateSnapshot(view, asOfMs, slices));
  const aggregates = await folder.writeAggregates(asOfMs, pieces);
  const newest = scoreRows?.newest();
  await folder.writeLatest({
    as_of: new Date(asOfMs).toISOString(),
    aggregates,
    scores: newest === undefined ? null : `${scoresFolder}/${newest}`,
  });
  telemetry.snapshots.lastSuccessMs = systemClock.nowMs();
}
