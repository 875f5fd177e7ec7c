/**
 * Where immutable files lie: a folder, or a bucket of an object store. Paths are relative, with `/`. Nothing is overwritten or renamed; a list
 * may be stale, and a removal may come to nothing. An outage is a rejection.
 */
export interface ObjectStore {
  /** How messages name it. */
  readonly name: string;
  /** Names of the files in a folder, sorted; none where there is no folder. */
  files(folder: string): Promise<string[]>;
  /** Names of those that were last written before a time; what says by its name that it is later need not be looked at. */
  filesBefore(folder: string, timeMs: number, isLater?: (name: string) => boolean): Promise<string[]>;
  /** Names of the folders in a folder, sorted. */
  folders(folder: string): Promise<string[]>;
  /** Bytes of a file, undefined where it is gone. `anew`: not from what is kept nearer than the store. */
  read(path: string, anew?: boolean): Promise<Uint8Array | undefined>;
  /** Bytes that a file has, undefined where it is gone. */
  size(path: string): Promise<number | undefined>;
  /** Tells one state of a file from another, where a writer puts a new one in its place; undefined where it is gone. */
  mark(path: string): Promise<string | undefined>;
  /** Whole and durable under its path when resolved, or not there at all; where it matters, no faster than at a pace in bytes a second. */
  write(path: string, bytes: Uint8Array, pace?: number): Promise<void>;
  /** Removes a file that may be gone already. */
  remove(path: string): Promise<void>;
  removeFolder(path: string): Promise<void>;
  /** Removes what writers that are no more left half written in a folder. */
  removeUnfinished(folder: string): Promise<void>;
}

/** Which store, and how it is reached: plain data, which a thread can be given. */
export interface StoreSettings {
  /** A folder, or `s3://bucket/prefix`. */
  readonly location: string;
  readonly s3: S3Settings;
  /** Folder that keeps a copy of what was read or written of a bucket. */
  readonly cache: string | undefined;
  /** Marks the unfinished files of this process. */
  readonly token: string;
}

/** Settings of S3. An undefined one comes from the environment and the files of AWS's tools, as credentials always do. */
export interface S3Settings {
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  /** True if the bucket is named in the path. */
  readonly pathStyle: boolean | undefined;
}

/** Buckets as environment and files of AWS's tools say. */
export const environmentS3: S3Settings = { endpoint: undefined, region: undefined, pathStyle: undefined };

/** Returns whether a location is a bucket, and no folder. */
export function isBucket(location: string): boolean {
  return location.startsWith('s3://');
}

/** The code of an error of the system or of a store, '' where there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A catch for errors of the codes given: the promise resolves with undefined. */
export function ignore(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!codes.includes(codeOf(error))) throw error;
    return undefined;
  };
}
