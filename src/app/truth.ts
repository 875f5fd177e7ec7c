import { UsageError } from '../errors.ts';

export interface BuildTruthOptions {
  readonly inputs: readonly string[];
  readonly output: string;
  /** Count invalid and repeated records instead of refusing them. */
  readonly skipInvalid: boolean;
  readonly signal: AbortSignal;
}

export interface InspectTruthOptions {
  readonly path: string;
  readonly signal: AbortSignal;
}

/** `assay truth build`. Resolves with the exit status. */
export async function buildTruth(_options: BuildTruthOptions): Promise<number> {
  throw new UsageError('assay truth build is not built yet');
}

/** `assay truth inspect`. Resolves with the exit status. */
export async function inspectTruth(_options: InspectTruthOptions): Promise<number> {
  throw new UsageError('assay truth inspect is not built yet');
}
