import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports.ts';

/**
 * Waits for files that are written at a stop; after a signal for a third of the grace period at most. Score rows that are in no file then lie
 * beside the checkpoint: whoever comes next writes them.
 */
export async function awaitLastFiles(
  files: Promise<unknown>,
  { config: { grace }, log, signal }: { readonly config: Config; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> {
  if (!signal.aborted) return void (await files);
  const written = new AbortController();
  const late = systemClock.sleep(grace.ms / 3, written.signal).then(() => !written.signal.aborted);
  if (await Promise.race([files.then(() => false), late]))
    log.warn({}, 'the last files are not written: score rows will be by whoever takes the partitions over');
  written.abort();
}
