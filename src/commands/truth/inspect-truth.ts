import { loadTruth } from '../../adapters/truth-files/truth-loader.ts';
import type { TruthPlaces } from '../../formats/truth/fields.ts';
import type { RowLimits } from '../../formats/truth/limits.ts';

export interface InspectTruthOptions {
  readonly path: string;
  readonly limits: RowLimits;
  readonly fields: TruthPlaces;
  readonly signal: AbortSignal;
}

/** `assay truth inspect`. Resolves with the exit status. */
export async function inspectTruth({ path, signal, ...reading }: InspectTruthOptions): Promise<number> {
  const { info, findings } = await loadTruth([path], { deadlineMs: inspectDeadlineMs, ...reading, signal });
  process.stdout.write(`${JSON.stringify({ ...info, findings: await findings }, null, 1)}\n`);
  return 0;
}

/** Looking at a file by hand may take its time; a damaged one must end all the same. */
const inspectDeadlineMs = 300_000;
