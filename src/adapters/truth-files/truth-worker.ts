import { parentPort, workerData } from 'node:worker_threads';
import { fileKind, headBytes } from '../../formats/files/kind.ts';
import { truthBuilder } from '../../formats/truth/builder.ts';
import { nothingToScore } from '../../formats/truth/counts.ts';
import { TruthError, truthError } from '../../formats/truth/error.ts';
import type { TruthPlaces } from '../../formats/truth/fields.ts';
import type { RowLimits } from '../../formats/truth/limits.ts';
import type { Refused } from '../../formats/truth/lines.ts';
import { type LoadedTruth, openTruth, readsByRows, type TruthFile } from '../../formats/truth/open.ts';
import type { TruthReading } from '../../formats/truth/record.ts';
import { countFindings, countsOf, type TruthInfo, truthInfo, truthTable } from '../../formats/truth/table.ts';
import type { FindingCounts } from '../../scoring/truth.ts';
import { type NameRule, toolNaming } from '../../scoring/tool-names.ts';
import { yieldToOthers } from '../thread-priority.ts';
import { isBucket, type S3Settings } from '../object-store/object-store.ts';
import { truthInBuckets } from './truth-buckets.ts';
import { readShared } from './truth-files.ts';

/** A request to the thread. */
export interface TruthRequest {
  readonly files: readonly string[];
  readonly background: boolean;
  readonly s3: S3Settings;
  readonly limits: RowLimits | undefined;
  readonly fields: TruthPlaces;
  readonly rename: readonly NameRule[];
}

/** The answer of the thread. */
export type TruthAnswer =
  | { readonly kind: 'working'; readonly file: string }
  | { readonly kind: 'loaded'; readonly loaded: LoadedTruth; readonly info: TruthInfo }
  | { readonly kind: 'checked'; readonly findings: FindingCounts }
  | { readonly kind: 'refused'; readonly known: boolean; readonly message: string };

/** The thread in which truth files are read and opened: its maker ends it where it never comes back. */
async function load({ files, background, s3, limits, fields, rename }: TruthRequest): Promise<void> {
  if (background) yieldToOthers();
  const answer = (message: TruthAnswer): void => parentPort!.postMessage(message);
  try {
    const tables: TruthFile[] = [];
    const records: TruthFile[] = [];
    const buckets = truthInBuckets(s3);
    const hasPlaces = Object.keys(fields).length > 0;
    for (const name of files) {
      answer({ kind: 'working', file: name });
      const bytes = isBucket(name) ? await buckets.readShared(name) : readShared(name);
      (isTable(name, bytes) && !readsByRows(bytes, hasPlaces) ? tables : records).push({ name, bytes });
    }
    if (tables.length > 0) await readsCompressed();
    const { table, unread } = records.length === 0 ? none : await tableOf(records, { limits, fields });
    const all = table === undefined ? tables : [...tables, table];
    const loaded = openTruth(all, { limits, working: (file) => answer({ kind: 'working', file }) });
    const info = truthInfo(loaded, unread);
    const problem = nothingToScore(countsOf(info), info.unread);
    if (problem !== undefined) throw truthError({ file: files.join(', ') }, problem);
    answer({ kind: 'loaded', loaded, info });
    // The table is in use meanwhile.
    yieldToOthers();
    const naming = rename.length === 0 ? undefined : toolNaming(rename);
    answer({ kind: 'checked', findings: countFindings(truthTable(loaded), naming) });
  } catch (error) {
    const known = error instanceof TruthError;
    answer({
      kind: 'refused',
      known,
      message: known || !(error instanceof Error) ? String((error as Error).message) : `${error.stack}`,
    });
  }
}

const none = { table: undefined, unread: [] };

/** Returns whether a file is an Arrow table; by its name where its content says nothing, so that damage is named. */
function isTable(name: string, bytes: Uint8Array): boolean {
  const { kind } = fileKind(Buffer.from(bytes.subarray(0, headBytes)), bytes.length <= headBytes, () => true) ?? {};
  return kind === 'arrow' || ((kind === 'empty' || kind === 'unknown') && /\.(arrow|arrows|feather|ipc)$/i.test(name));
}

/** Loads what decompresses buffers of tables: it costs a sixth of the thread, and most truth is records. */
async function readsCompressed(): Promise<void> {
  const { registerArrowCodecs } = await import('../../formats/arrow/codecs.ts');
  await registerArrowCodecs();
}

/** All files of records as one table, so that a repeated id is found with its place. What reads them is loaded where there are any. */
async function tableOf(
  files: readonly TruthFile[],
  reading: TruthReading,
): Promise<{ readonly table: TruthFile; readonly unread: readonly string[] }> {
  const { readTruthFiles } = await import('./truth-records.ts');
  const builder = truthBuilder();
  const refused: Refused = (file, number, problem, unit) => {
    throw truthError({ file, [unit]: number }, problem);
  };
  const { unread } = await readTruthFiles(files, builder, refused, reading);
  return { table: { name: files.map(({ name }) => name).join(', '), bytes: builder.finish() }, unread };
}

void load(workerData as TruthRequest);
