import { ignore, type ObjectStore } from './object-store.ts';

/**
 * A store with copies of its files in another that is nearer: files never change, so a copy is as good as the file. Nothing depends on the
 * copies: what goes wrong with them is asked of the store.
 */
export function cachedStore(store: ObjectStore, copies: ObjectStore): ObjectStore {
  const keep = async (path: string, bytes: Uint8Array, pace?: number): Promise<void> => {
    await copies.write(path, bytes, pace).catch(() => undefined);
  };
  return {
    ...store,
    async files(folder) {
      const names = await store.files(folder);
      const wanted = new Set(names);
      const kept = await copies.files(folder).catch(() => []);
      for (const name of kept) if (!wanted.has(name)) await copies.remove(`${folder}/${name}`).catch(() => undefined);
      return names;
    },
    async read(path, anew = false) {
      const copy = anew ? undefined : await copies.read(path).catch(() => undefined);
      if (copy !== undefined) return copy;
      const bytes = await store.read(path);
      if (bytes !== undefined) await keep(path, bytes);
      return bytes;
    },
    async write(path, bytes, pace) {
      await store.write(path, bytes, pace);
      await keep(path, bytes, pace);
    },
    async remove(path) {
      await copies.remove(path).catch(() => undefined);
      await store.remove(path);
    },
    async removeFolder(path) {
      await copies.removeFolder(path).catch(ignore('ENOENT'));
      await store.removeFolder(path);
    },
  };
}
