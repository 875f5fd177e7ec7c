import { type TruthInfo, truthTable } from '../../formats/truth/table.ts';
import type { TruthTable } from '../../scoring/truth.ts';
import { type ReadTruth, readTruth, type TruthLoadOptions } from './truth-thread.ts';

/** Reads truth files and folders as one table; `begun` where that has begun already. Rejects as `readTruth` does. */
export async function loadTruth(
  paths: readonly string[],
  options: TruthLoadOptions,
  begun?: Promise<ReadTruth>,
): Promise<TruthTable & { readonly info: TruthInfo }> {
  const { loaded, info } = await (begun ?? readTruth(paths, options));
  return { ...truthTable(loaded), info };
}
