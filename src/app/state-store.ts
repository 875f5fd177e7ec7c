import { processToken } from '../adapters/object-store/folder-store.ts';
import { codeOf, isBucket } from '../adapters/object-store/object-store.ts';
import { type OpenStore, openStore } from '../adapters/object-store/open-store.ts';
import type { Config } from '../config/config.ts';
import { UsageError } from '../errors.ts';
import { assertWritable } from './writable-folder.ts';

/** Where the checkpoints of a configuration lie. Throws a `UsageError` where nothing can ever be written there. */
export async function stateStore({ state, s3 }: Config): Promise<OpenStore> {
  const { dir, cache } = state;
  const { endpoint, region, path_style } = s3;
  const store = await openStore({
    location: dir,
    s3: { endpoint, region, pathStyle: path_style },
    cache,
    token: processToken,
  });
  await (isBucket(dir) ? assertReachable(store) : assertWritable('state.dir', dir));
  return store;
}

/** Where checkpoints lie, by what a command line says and the environment of AWS's tools. */
export async function storeAt(location: string): Promise<OpenStore> {
  const s3 = { endpoint: undefined, region: undefined, pathStyle: undefined };
  return await openStore({ location, s3, cache: undefined, token: processToken });
}

/** What a store says of names and rights stays; anything else is an outage, which is waited for. */
const mistakes = [
  'NoSuchBucket',
  'AccessDenied',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'CredentialsProviderError',
  'InvalidBucketName',
];

async function assertReachable(store: OpenStore): Promise<void> {
  try {
    await store.folders('');
  } catch (error) {
    if (!mistakes.includes(codeOf(error)) && !/region is missing/i.test(String(error))) return;
    throw new UsageError(
      `state.dir: ${(error as Error).message}; check bucket, s3.region and s3.endpoint, and credentials (environment, profile or role)`,
    );
  }
}
