import { folderStore, processToken } from '../../src/adapters/object-store/folder-store.ts';
import type { OpenStore } from '../../src/adapters/object-store/open-store.ts';

/** The store of a folder, at once. */
export function storeIn(dir: string): OpenStore {
  const s3 = { endpoint: undefined, region: undefined, pathStyle: undefined };
  const settings = { location: dir, s3, cache: undefined, token: processToken };
  return { ...folderStore(dir, processToken), settings };
}
