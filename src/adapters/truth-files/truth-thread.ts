import { Worker } from 'node:worker_threads';
import { TruthError, TruthTimeout, truthError } from '../../formats/truth/error.ts';
import type { TruthPlaces as FieldPlaces } from '../../formats/truth/fields.ts';
import type { RowLimits } from '../../formats/truth/limits.ts';
import { environmentS3, type S3Settings } from '../object-store/object-store.ts';
import { type TruthPlaces, truthPlaces } from './truth-places.ts';
import type { TruthAnswer, TruthRequest } from './truth-worker.ts';

export interface TruthLoadOptions {
  /** Loading that takes longer is ended (configuration: `limits.truth_load`). */
  readonly deadlineMs: number;
  readonly limits?: RowLimits | undefined;
  /** Where fields of records lie (configuration: `truth.fields`). */
  readonly fields?: FieldPlaces;
  /** How buckets are reached, if not by the environment alone. */
  readonly s3?: S3Settings;
  /** There is truth in use meanwhile: the scoring goes first. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
}

/** Truth that was read, on its way to a table. */
export type ReadTruth = Extract<TruthAnswer, { kind: 'loaded' }>;

/** A first version whose reading began while the program was still being loaded. */
export interface LoadedTruth {
  readonly places: TruthPlaces;
  /** The state of the files before they were read. */
  readonly stamp: Promise<string>;
  readonly read: Promise<ReadTruth>;
}

/** Begins to read the first version. */
export function beginTruth(paths: readonly string[], options: TruthLoadOptions): LoadedTruth {
  const places = truthPlaces(paths, options.s3 ?? environmentS3);
  const stamp = places.stamp();
  const read = stamp.then(() => readTruth(places, options));
  // The waiting caller receives the error.
  read.catch(() => undefined);
  return { places, stamp, read };
}

/**
 * Reads truth files, in a thread of its own, so that scoring goes on meanwhile, and under a deadline. Rejects
 * with a TruthError that names the file, or with the signal's reason.
 */
export async function readTruth(places: TruthPlaces, options: TruthLoadOptions): Promise<ReadTruth> {
  options.signal?.throwIfAborted();
  const files = await places.files();
  options.signal?.throwIfAborted();
  const { background = false, s3 = environmentS3, fields = {} } = options;
  return inThread({ files, background, s3, fields, limits: rowLimits(options.limits) }, options);
}

/** The two limits of rows alone, without the rest of the configuration. */
function rowLimits(limits: RowLimits | undefined): RowLimits | undefined {
  return limits && { calls: limits.calls, values: limits.values };
}

function inThread(request: TruthRequest, { deadlineMs, signal }: TruthLoadOptions): Promise<ReadTruth> {
  return new Promise((resolve, reject) => {
    let file = request.files.join(', ');
    const worker = new Worker(new URL('./truth-worker.js', import.meta.url), { workerData: request });
    const timer = setTimeout(() => {
      const remedy = 'it is probably damaged: write it again; if it is only large, raise limits.truth_load';
      end(() => reject(truthError({ file }, `not loaded within ${deadlineMs} ms; ${remedy}`, TruthTimeout)));
    }, deadlineMs);
    const aborted = (): void => end(() => reject(signal!.reason));
    signal?.addEventListener('abort', aborted);
    worker.on('message', (answer: TruthAnswer) => {
      if (answer.kind === 'working') file = answer.file;
      else if (answer.kind === 'loaded') end(() => resolve(answer));
      else end(() => reject(answer.known ? new TruthError(answer.message) : new Error(answer.message)));
    });
    worker.on('error', (error) => end(() => reject(truthError({ file }, `cannot be loaded (${error.message})`))));
    worker.on('exit', () => end(() => reject(truthError({ file }, 'its thread ended without a word'))));

    function end(settle: () => void): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      worker.removeAllListeners();
      worker.on('error', () => undefined);
      void worker.terminate().then(settle, settle);
    }
  });
}
