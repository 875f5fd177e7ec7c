import { setTimeout as sleep } from 'node:timers/promises';
import type { TruthTable } from '../../scoring/truth.ts';
import type { RowLimits } from '../../formats/truth/limits.ts';
import { stampOf } from './truth-files.ts';
import { loadTruth } from './truth-loader.ts';
import type { BegunTruth } from './truth-thread.ts';

export interface TruthVersionsOptions {
  readonly paths: readonly string[];
  /** Longest time to load a version. */
  readonly deadlineMs: number;
  readonly limits?: RowLimits;
  /** Look for further versions after the first. */
  readonly watch: boolean;
  /** Told of files that are no truth, once for each state of them. */
  readonly onRefused: (error: Error) => void;
  readonly signal: AbortSignal;
  /** The first version, where its reading has begun. */
  readonly begun?: BegunTruth | undefined;
  /** Between two looks at the files. */
  readonly pollMs?: number;
}

/** Files that are written to are left alone until nothing has happened to them for so long. */
const stillMs = 1_000;

/**
 * The versions of the truth in some files and folders, one after the other, as the files change. The first is loaded at once; where it
 * is refused, the files are watched until they are better. Polls: that works for every kind of volume, and for files that are replaced
 * behind a symbolic link. Ends when the signal aborts.
 */
export async function* truthVersions(options: TruthVersionsOptions): AsyncGenerator<TruthTable, void, void> {
  const { paths, signal, watch, pollMs = 500 } = options;
  let used: string | undefined;
  let background = false;
  let begun = options.begun;
  let seen = await (begun?.stamp ?? stampOf(paths));
  let changedMs = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    if (seen !== used && performance.now() - changedMs >= stillMs) {
      used = seen;
      const table = await load({ ...options, background, begun }, () => stampOf(paths).then((now) => now === seen));
      begun = undefined;
      if (table !== undefined) {
        background = true;
        yield table;
        if (!watch) return;
      }
    }
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    const now = await stampOf(paths);
    if (now === seen) continue;
    seen = now;
    changedMs = performance.now();
  }
}

/** The table, unless it is refused or the files changed while they were read: then nobody knows what it is. */
async function load(
  options: TruthVersionsOptions & { readonly background: boolean },
  isUnchanged: () => Promise<boolean>,
): Promise<TruthTable | undefined> {
  const { paths, deadlineMs, limits, background, begun, onRefused, signal } = options;
  try {
    const table = await loadTruth(paths, { deadlineMs, limits, background, signal }, begun?.read);
    return (await isUnchanged()) ? table : undefined;
  } catch (error) {
    if (!signal.aborted && (await isUnchanged())) onRefused(error as Error);
    return undefined;
  }
}
