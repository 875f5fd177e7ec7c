import { UsageError } from '../errors.ts';

export interface StateOptions {
  /** `state.dir` of the configuration. */
  readonly dir: string;
  readonly signal: AbortSignal;
}

/** `assay state summary`. Resolves with the exit status. */
export async function summariseState(_options: StateOptions): Promise<number> {
  throw new UsageError('assay state summary is not built yet');
}

/** `assay state list`. Resolves with the exit status. */
export async function listCheckpoints(_options: StateOptions): Promise<number> {
  throw new UsageError('assay state list is not built yet');
}

/** `assay state drop`. Resolves with the exit status. */
export async function dropPartition(_options: StateOptions & { readonly partition: string }): Promise<number> {
  throw new UsageError('assay state drop is not built yet');
}
