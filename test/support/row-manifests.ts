import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';

/** As outputs.md tells a reader to, and by nothing else: event ids of all files that count, of some folders of snapshots. */
export function rowsByManifest(folders: readonly string[], topic: string): string[] {
  const newest = new Map<string, string>();
  const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  for (const folder of folders)
    for (const path of filesBelow(join(folder, 'scores', '_manifest'), '.json')) {
      const [partition, of] = path.split('/').slice(-3, -1).reverse();
      const before = newest.get(partition!);
      if (of === topic && (before === undefined || base(before) < base(path))) newest.set(partition!, path);
    }
  return [...newest.values()].flatMap((path) => {
    const { files } = JSON.parse(readFileSync(path, 'utf8')) as { files: readonly { name: string; rows: number }[] };
    return files.flatMap(({ name, rows }) => idsIn(folders, name, rows));
  });
}

function idsIn(folders: readonly string[], name: string, rows: number): string[] {
  const path = folders.map((folder) => join(folder, 'scores', name)).find(existsSync);
  if (path === undefined) throw new Error(`${name} is in none of ${folders.join(', ')}`);
  const table = tableFromIPC(readFileSync(path));
  if (table.numRows !== rows) throw new Error(`${path} has ${table.numRows} rows, not ${rows}`);
  return [...table.getChild('event_id')!] as string[];
}

/** Paths of the files in a folder, at any depth, whose names end so; none where there is no folder. */
export function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path, ending) : entry.name.endsWith(ending) ? [path] : [];
  });
}
