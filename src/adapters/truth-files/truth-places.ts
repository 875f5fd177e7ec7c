import { TruthError } from '../../formats/truth/error.ts';
import { isBucket, type S3Settings } from '../object-store/object-store.ts';
import { truthInBuckets } from './truth-buckets.ts';
import { type MarkedFile, markedFiles } from './truth-files.ts';

/** Where truth lies: files, folders, and objects of buckets. */
export interface TruthPlaces {
  /** True if a look at them costs requests. */
  readonly isRemote: boolean;
  /** The files, each once, in order. Throws TruthError where there is nothing. */
  files(): Promise<readonly string[]>;
  /** Tells one state of the files from another; that they cannot be read is a state too. */
  stamp(): Promise<string>;
}

/**
 * The truth files that paths stand for: files and objects as they are, of a folder its Arrow files (`*.arrow`, `*.arrows`), or, where
 * it has none, its NDJSON files (`*.ndjson`, `*.jsonl`), by name.
 */
export function truthPlaces(paths: readonly string[], s3: S3Settings): TruthPlaces {
  const buckets = truthInBuckets(s3);
  const found = async (): Promise<MarkedFile[]> => {
    const of = (path: string): Promise<readonly MarkedFile[]> =>
      isBucket(path) ? buckets.marked(path) : markedFiles(path);
    return (await Promise.all(paths.map(of))).flat();
  };
  return {
    isRemote: paths.some(isBucket),
    async files() {
      const files = [...new Set((await found()).map(({ file }) => file))];
      if (files.length === 0)
        throw new TruthError('no truth is given; name an Arrow file, an NDJSON file, or a folder of them');
      return files;
    },
    async stamp() {
      try {
        return (await found()).map(({ file, mark }) => `${file} ${mark}`).join('\n');
      } catch (error) {
        return (error as Error).message;
      }
    },
  };
}
