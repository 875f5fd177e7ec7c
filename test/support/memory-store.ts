import type { ObjectStore } from '../../src/adapters/object-store/object-store.ts';

/** Files in memory, by path: quick, and whole or not there. */
export function memoryStore(contents: Map<string, Uint8Array>): ObjectStore {
  const below = (folder: string): string[][] => {
    const prefix = folder === '' ? '' : `${folder}/`;
    return [...contents.keys()]
      .filter((path) => path.startsWith(prefix))
      .map((path) => path.slice(prefix.length).split('/'));
  };
  return {
    name: 'memory',
    files: async (folder) =>
      below(folder)
        .flatMap(([name, ...rest]) => (rest.length === 0 ? [name!] : []))
        .sort(),
    filesBefore: async () => [],
    folders: async (folder) => {
      const names = below(folder).flatMap(([name, ...rest]) => (rest.length > 0 ? [name!] : []));
      return [...new Set(names)].sort();
    },
    read: async (path) => contents.get(path),
    size: async (path) => contents.get(path)?.length,
    mark: async (path) => contents.get(path) && String(contents.get(path)!.length),
    write: async (path, bytes) => void contents.set(path, bytes),
    remove: async (path) => void contents.delete(path),
    async removeFolder(folder) {
      for (const path of contents.keys()) if (path.startsWith(`${folder}/`)) contents.delete(path);
    },
    removeUnfinished: async () => undefined,
  };
}
