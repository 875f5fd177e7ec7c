import { isManifestName, type Manifest, parseManifest } from '../../formats/snapshot/row-files.ts';
import { type MergedFile, mergedFolder, parseMerged } from '../../formats/snapshot/merged-files.ts';
import type { ObjectStore } from '../object-store/object-store.ts';

/** The manifests of a folder, at most so many, the newest first; damaged ones aside. */
export async function manifests(
  store: ObjectStore,
  folder: string,
  most: number = Number.POSITIVE_INFINITY,
): Promise<Manifest[]> {
  const found: Manifest[] = [];
  for (const name of (await store.files(folder)).filter(isManifestName).reverse()) {
    if (found.length === most) break;
    const bytes = await store.read(`${folder}/${name}`);
    const manifest = bytes && parseManifest(name, bytes);
    if (manifest !== undefined) found.push(manifest);
  }
  return found;
}

/** The files of a partition that were merged, as their records say: by name, each read once. */
export interface MergedRecords {
  /** Those that there are now. */
  read(): Promise<readonly MergedFile[]>;
  /** Removes those that nobody will ask for. */
  drop(isOver: (merged: MergedFile) => boolean): Promise<void>;
}

/** `partition` is its folder. */
export function mergedRecords(store: ObjectStore, partition: string): MergedRecords {
  const folder = mergedFolder(partition);
  const known = new Map<string, MergedFile | undefined>();
  return {
    async read() {
      const names = await store.files(folder);
      for (const name of names) {
        if (known.has(name)) continue;
        const bytes = await store.read(`${folder}/${name}`);
        known.set(name, bytes && parseMerged(bytes));
      }
      return names.flatMap((name) => known.get(name) ?? []);
    },
    async drop(isOver) {
      for (const [name, merged] of known) {
        if (merged === undefined || !isOver(merged)) continue;
        await store.remove(`${folder}/${name}`);
        known.delete(name);
      }
    },
  };
}
