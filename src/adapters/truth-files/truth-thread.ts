import { Worker } from 'node:worker_threads';
import { TruthError, TruthTimeout, truthError } from '../../formats/truth/error.ts';
import type { TruthPlaces as FieldPlaces } from '../../formats/truth/fields.ts';
import type { NameRule } from '../../scoring/tool-names.ts';
import type { FindingCounts } from '../../scoring/truth.ts';
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
  /** Names that are one tool (configuration: `tools.rename`). */
  readonly rename?: readonly NameRule[];
  /** How buckets are reached, if not by the environment alone. */
  readonly s3?: S3Settings;
  /** There is truth in use meanwhile: the scoring goes first. */
  readonly background?: boolean;
  readonly signal?: AbortSignal;
}

/** Truth that was read, on its way to a table. */
export interface ReadTruth extends Pick<Extract<TruthAnswer, { kind: 'loaded' }>, 'loaded' | 'info'> {
  /** Contradictions in its first rows, which are counted while it is in use already; undefined where the signal ended that. */
  readonly findings: Promise<FindingCounts | undefined>;
}

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
  const { background = false, s3 = environmentS3, fields = {}, rename = [] } = options;
  return inThread({ files, background, s3, fields, rename, limits: rowLimits(options.limits) }, options);
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
      fail(truthError({ file }, `not loaded within ${deadlineMs} ms; ${remedy}`, TruthTimeout));
    }, deadlineMs);
    const counted = settled<FindingCounts | undefined>();
    // A caller that has the table may not ask.
    counted.promise.catch(() => undefined);
    const fail = (error: unknown): void =>
      end(() => {
        reject(error);
        counted.reject(error);
      });
    const aborted = (): void =>
      end(() => {
        reject(signal!.reason);
        counted.resolve(undefined);
      });
    signal?.addEventListener('abort', aborted);
    worker.on('message', (answer: TruthAnswer) => {
      if (answer.kind === 'working') file = answer.file;
      else if (answer.kind === 'loaded') {
        clearTimeout(timer);
        resolve({ loaded: answer.loaded, info: answer.info, findings: counted.promise });
      } else if (answer.kind === 'checked') end(() => counted.resolve(answer.findings));
      else fail(answer.known ? new TruthError(answer.message) : new Error(answer.message));
    });
    worker.on('error', (error) => fail(truthError({ file }, `cannot be loaded (${error.message})`)));
    worker.on('exit', () => fail(truthError({ file }, 'its thread ended without an error')));

    function end(settle: () => void): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', aborted);
      worker.removeAllListeners();
      worker.on('error', () => undefined);
      void worker.terminate().then(settle, settle);
    }
  });
}

/** A promise that is settled from outside. */
function settled<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<Value>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}
