import { truthTable } from '../../formats/truth/table.ts';
import type { TruthTable } from '../../scoring/truth.ts';
import { environmentS3 } from '../object-store/object-store.ts';
import { type TruthPlaces, truthPlaces } from './truth-places.ts';
import { type ReadTruth, readTruth, type TruthLoadOptions } from './truth-thread.ts';

/** A table of files, and what they hold. */
export type TruthFromFiles = TruthTable & Pick<ReadTruth, 'info' | 'findings'>;

/** Reads truth files, folders and objects as one table; `begun` where that has begun already. Rejects as `readTruth` does. */
export async function loadTruth(
  paths: readonly string[] | TruthPlaces,
  options: TruthLoadOptions,
  begun?: Promise<ReadTruth>,
): Promise<TruthFromFiles> {
  const places = 'files' in paths ? paths : truthPlaces(paths, options.s3 ?? environmentS3);
  const { loaded, ...read } = await (begun ?? readTruth(places, options));
  return { ...truthTable(loaded), ...read };
}
