import { type LoadedTruth, beginTruth } from '../../adapters/truth-files/truth-thread.ts';
import type { Config } from '../../config/config.ts';
import { truthLoading } from '../../service/truth-loading.ts';

/** Begins to read the truth of a service while its program is still being loaded; undefined where there are no truth files. */
export function beginRun(config: Config, signal: AbortSignal): LoadedTruth | undefined {
  const { paths } = config.truth;
  if (paths.length === 0) return undefined;
  return beginTruth(paths, { ...truthLoading(config), signal });
}
