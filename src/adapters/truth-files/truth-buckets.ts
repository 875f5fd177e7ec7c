import { truthError } from '../../formats/truth/error.ts';
import type { ObjectStore, S3Settings } from '../object-store/object-store.ts';
import { openStore } from '../object-store/open-store.ts';
import { type MarkedFile, truthNames } from './truth-files.ts';

/** Truth in buckets: paths are `s3://bucket/key`, of an object or of a folder of some. */
export interface TruthInBuckets {
  /** The objects that a path stands for. Throws TruthError. */
  marked(path: string): Promise<readonly MarkedFile[]>;
  /** Bytes of an object over a SharedArrayBuffer. Throws TruthError. */
  readShared(path: string): Promise<Uint8Array>;
}

/** Opens each bucket once. */
export function truthInBuckets(s3: S3Settings): TruthInBuckets {
  const stores = new Map<string, Promise<ObjectStore>>();
  const open = async (path: string): Promise<{ readonly store: ObjectStore; readonly key: string }> => {
    const [, location = '', key = ''] = /^(s3:\/\/[^/]+)\/?(.*?)\/*$/.exec(path) ?? [];
    // Nothing is written there, and nothing kept.
    const store = stores.get(location) ?? openStore({ location, s3, cache: undefined, token: '' });
    stores.set(location, store);
    return { store: await store, key };
  };
  return {
    marked: (path) =>
      reported(path, async () => {
        const { store, key } = await open(path);
        const mark = key === '' ? undefined : await store.mark(key);
        if (mark !== undefined) return [{ file: path, mark }];
        const names = truthNames(path, await store.files(key));
        const marks = await Promise.all(names.map((name) => store.mark(key === '' ? name : `${key}/${name}`)));
        const folder = path.replace(/\/+$/, '');
        return names.map((name, at) => ({ file: `${folder}/${name}`, mark: String(marks[at]) }));
      }),
    readShared: (path) =>
      reported(path, async () => {
        const { store, key } = await open(path);
        const bytes = await store.read(key);
        if (bytes === undefined) throw truthError({ file: path }, 'is gone; it was there a moment ago');
        const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
        shared.set(bytes);
        return shared;
      }),
  };
}

/** Turns an error of the store into a TruthError with the message of the store, such as missing rights or no such bucket. */
async function reported<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if ((error as Error).name === 'TruthError') throw error;
    throw truthError({ file }, `cannot be read (${(error as Error).message}); check truth.paths or --truth, and s3`);
  }
}
