import { readdir, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/**
 * Rejects where a path is a table of a lake or lies within one, also by a link, naming the query that exports it: which of its files, and
 * which of their rows, belong to the table is written beside them.
 */
export async function refuseLake(path: string): Promise<void> {
  const real = await realpath(path).catch(() => resolve(path));
  for (let folder = real; ; folder = dirname(folder)) {
    await refuseLakeAt(folder, path);
    if (folder === dirname(folder)) return;
  }
}

/** Rejects where a folder itself is a table of a lake, in the name of the path that led there: for folders below one that was looked at whole. */
export async function refuseLakeAt(folder: string, path: string = folder): Promise<void> {
  const problem = await lakeAt(resolve(folder));
  if (problem !== undefined) throw new Error(`${path}: ${problem}`);
}

async function lakeAt(folder: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.includes('_delta_log')) return exported('Delta Lake', `delta_scan('${folder}')`);
  if (names.includes('.hoodie'))
    return `is within a table of Hudi, whose files hold rows that are no longer in it; export it first, such as with Spark: spark.read.format("hudi").load("${folder}").write.parquet("events")`;
  if (!names.includes('metadata')) return undefined;
  const [newest] = (await readdir(join(folder, 'metadata')).catch((): string[] => []))
    .filter((name) => name.endsWith('.metadata.json'))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  if (newest === undefined) return undefined;
  return exported('Iceberg', `iceberg_scan('${join(folder, 'metadata', newest)}')`);
}

function exported(lake: string, scan: string): string {
  return `is within a table of ${lake}, whose files hold rows that are no longer in it; export it first, such as with DuckDB: duckdb -c "COPY (SELECT * FROM ${scan}) TO 'events.parquet'"`;
}
