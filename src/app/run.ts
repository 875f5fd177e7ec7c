import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';

export interface RunOptions {
  readonly config: Config;
  /** Stop at the ends that the topics have at start. */
  readonly untilEnd: boolean;
  readonly rebuild: boolean;
  readonly signal: AbortSignal;
}

/** The service. Resolves with the exit status. */
export async function run(_options: RunOptions): Promise<number> {
  throw new UsageError('assay run is not built yet');
}
