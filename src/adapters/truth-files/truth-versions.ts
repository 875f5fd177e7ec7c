import { setTimeout as sleep } from 'node:timers/promises';
import type { NameRule } from '../../scoring/tool-names.ts';
import type { TruthPlaces as FieldPlaces } from '../../formats/truth/fields.ts';
import type { RowLimits } from '../../formats/truth/limits.ts';
import { environmentS3, type S3Settings } from '../object-store/object-store.ts';
import { loadTruth, type TruthFromFiles } from './truth-loader.ts';
import { type TruthPlaces, truthPlaces } from './truth-places.ts';
import type { LoadedTruth } from './truth-thread.ts';

export interface TruthVersionsOptions {
  readonly paths: readonly string[];
  /** Longest time to load a version. */
  readonly deadlineMs: number;
  readonly limits?: RowLimits;
  /** Where fields of records lie. */
  readonly fields?: FieldPlaces;
  /** Names that are one tool. */
  readonly rename?: readonly NameRule[];
  /** How buckets are reached, if not by the environment alone. */
  readonly s3?: S3Settings;
  /** Look for further versions after the first. */
  readonly watch: boolean;
  /** Called with the error of files that are no truth, once for each state of the files. */
  readonly onRefused: (error: Error) => void;
  readonly signal: AbortSignal;
  /** The first version, where its reading has begun. */
  readonly begun?: LoadedTruth | undefined;
  /** Between two looks at the files. */
  readonly pollMs?: number;
}

/** Between two looks, where a look costs requests. */
const remotePollMs = 5_000;

/** Files that are written to are left alone until nothing has happened to them for so long. */
const stillMs = 1_000;

/**
 * The versions of the truth in some files and folders, one after the other, as the files change. The first is loaded at once; where it
 * is refused, the files are watched until they are better. Polls: that works for every kind of volume, and for files that are replaced
 * behind a symbolic link. Ends when the signal aborts.
 */
export async function* truthVersions(options: TruthVersionsOptions): AsyncGenerator<TruthFromFiles, void, void> {
  const { paths, signal, watch, s3 = environmentS3 } = options;
  let used: string | undefined;
  let background = false;
  let begun = options.begun;
  const places = begun?.places ?? truthPlaces(paths, s3);
  const { pollMs = places.isRemote ? remotePollMs : 500 } = options;
  let seen = await (begun?.stamp ?? places.stamp());
  let changedMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    if (seen !== used && performance.now() - changedMs >= stillMs) {
      used = seen;
      const isUnchanged = () => places.stamp().then((now) => now === seen);
      const table = await load({ ...options, background, begun }, places, isUnchanged);
      begun = undefined;
      if (table !== undefined) {
        background = true;
        yield table;
        if (!watch) return;
      }
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    const now = await places.stamp();
    if (now === seen) continue;
    seen = now;
    changedMs = performance.now();
  }
}

/** The table, unless it is refused or the files changed while they were read: then its content is unknown. */
async function load(
  options: TruthVersionsOptions & { readonly background: boolean },
  places: TruthPlaces,
  isUnchanged: () => Promise<boolean>,
): Promise<TruthFromFiles | undefined> {
  const { deadlineMs, limits, fields, rename, s3 = environmentS3, background, begun, onRefused, signal } = options;
  const reading = { deadlineMs, limits, ...(fields && { fields }), ...(rename && { rename }) };
  try {
    const table = await loadTruth(places, { ...reading, s3, background, signal }, begun?.read);
    return (await isUnchanged()) ? table : undefined;
  } catch (error) {
    if (!signal.aborted && (await isUnchanged())) onRefused(error as Error);
    return undefined;
  }
}
