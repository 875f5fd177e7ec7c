import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { ObjectStore, S3Settings } from './object-store.ts';
import { withRemedy } from './remedies.ts';

/** A connection on which nothing moves for so long is given up, and the request tried again. */
const idleMs = 10_000;
const connectMs = 5_000;

/**
 * The objects of a bucket under a prefix: `location` is `s3://bucket/prefix`. A write is one request, whatever its size; a folder is listed
 * with one request for a thousand names.
 */
export function s3Store(location: string, settings: S3Settings): ObjectStore {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(location) ?? [];
  const client = clientOf(settings);
  const keyOf = (path: string): string => [prefix, path].filter((part) => part !== '').join('/');
  const target = (path: string) => ({ Bucket: bucket, Key: keyOf(path) });
  const reported = async <T>(doing: string, path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw withPlace(error, `${doing} s3://${bucket}/${keyOf(path)}`);
    }
  };
  const list = (folder: string, delimiter?: string) =>
    reported('listing', folder, () =>
      listed(client, bucket, keyOf(folder) === '' ? '' : `${keyOf(folder)}/`, delimiter),
    );
  const head = (path: string) =>
    reported('looking at', path, () => client.send(new HeadObjectCommand(target(path))).catch(unlessGone));

  return {
    name: location,
    files: async (folder) => (await list(folder, '/')).files,
    filesBefore: async (folder, timeMs) => writtenBefore(await list(folder, '/'), timeMs),
    folders: async (folder) => (await list(folder, '/')).folders,
    read: (path) => reported('reading', path, () => bodyOf(client, new GetObjectCommand(target(path)))),
    size: async (path) => (await head(path))?.ContentLength,
    async mark(path) {
      const found = await head(path);
      return found && [found.ETag, found.ContentLength, found.LastModified?.getTime()].join(' ');
    },
    write: (path, bytes) =>
      reported('writing', path, async () => {
        await client.send(new PutObjectCommand({ ...target(path), Body: bytes, ContentLength: bytes.length }));
      }),
    remove: (path) =>
      reported('removing', path, async () => {
        await client.send(new DeleteObjectCommand(target(path)));
      }),
    async removeFolder(path) {
      const { files } = await list(path);
      const keys = files.map((name) => keyOf(`${path}/${name}`));
      await reported('removing', path, () => removeAll(client, bucket, keys));
    },
    // An object appears whole.
    removeUnfinished: async () => undefined,
  };
}

function writtenBefore({ files, writtenMs }: Listed, timeMs: number): string[] {
  return files.filter((name) => writtenMs.get(name)! < timeMs);
}

const readsMost = 3;

/** The client sends a request again that fails, but not one whose answer breaks off: that is done here, as often. */
async function bodyOf(client: S3Client, command: GetObjectCommand): Promise<Uint8Array | undefined> {
  for (let reads = 1; ; reads++) {
    const found = await client.send(command).catch(unlessGone);
    try {
      return await found?.Body?.transformToByteArray();
    } catch (error) {
      if (reads === readsMost) throw error;
    }
  }
}

const namesAtOnce = 1_000;

async function removeAll(client: S3Client, bucket: string, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += namesAtOnce) {
    const Objects = keys.slice(at, at + namesAtOnce).map((Key) => ({ Key }));
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors.length > 0) throw new Error(`${Errors[0]!.Key}: ${Errors[0]!.Message}`);
  }
}

/**
 * The client of S3. A setting that is absent is found where AWS's tools look for it: environment, profile, role. A server of one's own
 * names the bucket in the path.
 */
function clientOf({ endpoint, region, pathStyle }: S3Settings): S3Client {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  // A warning of the client about versions of Node to come would be a line of the log that is no JSON.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const isOwnServer = (endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined;
  return new S3Client({
    forcePathStyle: pathStyle ?? isOwnServer,
    requestHandler: { socketTimeout: idleMs, connectionTimeout: connectMs },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? {} : { region }),
  });
}

interface Listed {
  readonly files: string[];
  readonly folders: string[];
  readonly writtenMs: ReadonlyMap<string, number>;
}

/** Names behind a prefix: with a delimiter those of one level, files and folders. */
async function listed(
  client: S3Client,
  bucket: string,
  prefix: string,
  delimiter: string | undefined,
): Promise<Listed> {
  const found = { files: [] as string[], folders: [] as string[] };
  const writtenMs = new Map<string, number>();
  let next: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, Delimiter: delimiter, ContinuationToken: next }),
    );
    for (const { Key, LastModified } of page.Contents ?? []) {
      const name = Key!.slice(prefix.length);
      found.files.push(name);
      writtenMs.set(name, LastModified?.getTime() ?? Number.POSITIVE_INFINITY);
    }
    found.folders.push(...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix!.slice(prefix.length, -1)));
    next = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (next !== undefined);
  const named = (names: string[]): string[] => names.filter((name) => name !== '').sort();
  return { files: named(found.files), folders: named(found.folders), writtenMs };
}

function unlessGone(error: unknown): undefined {
  if (!['NoSuchKey', 'NotFound'].includes((error as Error).name)) throw error;
}

/** Any failure here is an outage of the store: it has a code, as those of the system have. */
function withPlace(error: unknown, doing: string): Error {
  const { name, message } = error as Error;
  const reported = Object.assign(new Error('', { cause: error }), { code: name });
  reported.message = withRemedy(`${doing} failed: ${message === '' ? name : message} (${name})`, reported);
  return reported;
}
