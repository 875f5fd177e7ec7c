import { cachedStore } from './cached-store.ts';
import { folderStore } from './folder-store.ts';
import { isBucket, type ObjectStore, type StoreSettings } from './object-store.ts';

/** A store, and what another thread opens it by. */
export interface OpenStore extends ObjectStore {
  readonly settings: StoreSettings;
}

/** Opens the store of a location. The client of buckets is loaded where one is used. */
export async function openStore(settings: StoreSettings): Promise<OpenStore> {
  const { location, s3, cache, token } = settings;
  if (!isBucket(location)) return { ...folderStore(location, token), settings };
  const { s3Store } = await import('./s3-store.ts');
  const store = s3Store(location, s3);
  return { ...(cache === undefined ? store : cachedStore(store, folderStore(cache, token))), settings };
}
