import { processToken } from '../adapters/object-store/folder-store.ts';
import { codeOf, environmentS3, isBucket } from '../adapters/object-store/object-store.ts';
import { type OpenStore, openStore } from '../adapters/object-store/open-store.ts';
import type { Config } from '../config/config.ts';
import { scoresFolder } from '../adapters/object-store/snapshots.ts';
import { UsageError } from '../errors.ts';
import { s3Of } from './s3-of.ts';
import { assertWritable } from './writable-folder.ts';

/** Where the checkpoints of a configuration lie. Throws a `UsageError` where nothing can ever be written there. */
export async function stateStore(config: Config): Promise<OpenStore> {
  const { dir, cache } = config.state;
  const store = await configuredStore(config, dir, cache);
  await (isBucket(dir) ? assertReachable(store, 'state.dir') : assertWritable('state.dir', dir));
  return store;
}

/** The same, to be read only. */
export async function stateToRead(config: Config): Promise<OpenStore> {
  return await configuredStore(config, config.state.dir);
}

/**
 * Where the snapshots of a configuration lie, and its score rows; undefined where none are asked for. Throws a `UsageError` where nothing can
 * ever be written there.
 */
export async function snapshotStores(
  config: Config,
): Promise<{ readonly snapshots: OpenStore; readonly scores: OpenStore } | undefined> {
  const { dir } = config.snapshots;
  if (dir === undefined) return undefined;
  const snapshots = await configuredStore(config, dir);
  await (isBucket(dir) ? assertReachable(snapshots, 'snapshots.dir') : assertWritable('snapshots.dir', dir));
  return { snapshots, scores: await configuredStore(config, `${dir}/${scoresFolder}`) };
}

/** The store of a location, reached as a configuration says. */
export function configuredStore(config: Config, location: string, cache?: string): Promise<OpenStore> {
  return openStore({ location, s3: s3Of(config), cache, token: processToken });
}

/** Where checkpoints lie, by what a command line says and the environment of AWS's tools. */
export async function storeAt(location: string): Promise<OpenStore> {
  return await openStore({ location, s3: environmentS3, cache: undefined, token: processToken });
}

/** Errors of a store about names and rights end the program; any other is an outage, which is waited for. */
const mistakes = [
  'NoSuchBucket',
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'CredentialsProviderError',
  'InvalidBucketName',
];

async function assertReachable(store: OpenStore, key: string): Promise<void> {
  try {
    await store.folders('');
  } catch (error) {
    if (!mistakes.includes(codeOf(error)) && !/region is missing/i.test(String(error))) return;
    throw new UsageError(
      `${key}: ${(error as Error).message}; check bucket, s3.region and s3.endpoint, and credentials (environment, profile or role)`,
    );
  }
}
