import { limitFileModes } from '../../adapters/files/file-mode.ts';
import { ignore } from '../../adapters/object-store/object-store.ts';
import { scoresFolder } from '../../adapters/object-store/snapshots.ts';
import { compactRows } from '../../adapters/score-rows/compact-rows.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../errors.ts';
import { configuredStore } from '../../service/state-store.ts';

export interface CompactFlags {
  /** `snapshots.dir` of the configuration. */
  readonly dir: string;
  readonly config: Config;
  readonly signal: AbortSignal;
}

/** `assay compact`: merges small files of score rows. Resolves with the exit status: 1 where a partition was passed over. */
export async function compact({ dir, config, signal }: CompactFlags): Promise<number> {
  limitFileModes(config.files.mode);
  const store = await configuredStore(config, `${dir}/${scoresFolder}`);
  const done = await compactRows({ store, nowMs: systemClock.nowMs(), signal }).catch(ignore('ENOENT', 'ENOTDIR'));
  if (done === undefined)
    throw new UsageError(`compact: ${dir} holds no score rows of a service; name a snapshots.dir`);
  const { partitions, parts, files, rows, passedOver } = done;
  for (const partition of passedOver)
    process.stderr.write(`${partition} is passed over: files that its manifest names are not in ${dir}\n`);
  process.stderr.write(`${parts} files with ${rows} rows became ${files}, of ${partitions} partitions\n`);
  return passedOver.length > 0 ? 1 : 0;
}
