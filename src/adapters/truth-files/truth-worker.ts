import { parentPort, workerData } from 'node:worker_threads';
import { registerArrowCodecs } from '../../formats/arrow/codecs.ts';
import { truthBuilder } from '../../formats/truth/builder.ts';
import { TruthError, truthError } from '../../formats/truth/error.ts';
import type { RowLimits } from '../../formats/truth/limits.ts';
import { truthReader } from '../../formats/truth/record.ts';
import { type LoadedTruth, openTruth, type TruthFile } from '../../formats/truth/open.ts';
import { type TruthInfo, truthInfo } from '../../formats/truth/table.ts';
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
}

/** The answer of the thread. */
export type TruthAnswer =
  | { readonly kind: 'working'; readonly file: string }
  | { readonly kind: 'loaded'; readonly loaded: LoadedTruth; readonly info: TruthInfo }
  | { readonly kind: 'refused'; readonly known: boolean; readonly message: string };

/** The thread in which truth files are read and opened: its maker ends it where it never comes back. */
async function load({ files, background, s3, limits }: TruthRequest): Promise<void> {
  if (background) yieldToOthers();
  const answer = (message: TruthAnswer): void => parentPort!.postMessage(message);
  try {
    const arrow: TruthFile[] = [];
    const lines: TruthFile[] = [];
    const buckets = truthInBuckets(s3);
    for (const name of files) {
      answer({ kind: 'working', file: name });
      const bytes = isBucket(name) ? await buckets.readShared(name) : readShared(name);
      (isLines(name, bytes) ? lines : arrow).push({ name, bytes });
    }
    await registerArrowCodecs();
    const all = lines.length === 0 ? arrow : [...arrow, await tableOf(lines, limits)];
    const loaded = openTruth(all, { limits, working: (file) => answer({ kind: 'working', file }) });
    answer({ kind: 'loaded', loaded, info: truthInfo(loaded) });
  } catch (error) {
    const known = error instanceof TruthError;
    answer({
      kind: 'refused',
      known,
      message: known || !(error instanceof Error) ? String((error as Error).message) : `${error.stack}`,
    });
  }
}

/** NDJSON by its name, else by its first byte. */
function isLines(name: string, bytes: Uint8Array): boolean {
  if (/\.(ndjson|jsonl)$/i.test(name)) return true;
  if (/\.(arrow|arrows|feather|ipc)$/i.test(name)) return false;
  return bytes[0] === 0x7b || (bytes[0] === 0xef && bytes[3] === 0x7b);
}

/** All NDJSON files as one table, so that a repeated id is found with its line. What reads them is loaded where there are any. */
async function tableOf(files: readonly TruthFile[], limits: RowLimits | undefined): Promise<TruthFile> {
  const { truthLines } = await import('../../formats/truth/lines.ts');
  const builder = truthBuilder();
  const refused = (file: string, line: number, problem: string): never => {
    throw truthError({ file, line }, problem);
  };
  const lines = truthLines(builder, refused, truthReader({ limits }));
  for (const { name, bytes } of files) lines.addFile(name, bytes);
  return { name: files.map(({ name }) => name).join(', '), bytes: builder.finish() };
}

void load(workerData as TruthRequest);
