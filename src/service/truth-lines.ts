import { eachRecord } from '../adapters/truth-files/truth-records.ts';
import { isBucket } from '../adapters/object-store/object-store.ts';
import { truthPlaces } from '../adapters/truth-files/truth-places.ts';
import type { Config } from '../config/config.ts';
import type { RecordPlace } from '../formats/summary/error-kinds.ts';
import { fieldReader } from '../formats/truth/fields.ts';
import { isObject } from '../scoring/json.ts';
import { jsonOf } from '../scoring/parse-json.ts';
import { s3Of } from './s3-of.ts';

/**
 * Finds the lines of truth files on which examples stand: by example, of several the first. Reads the files once more; tables, buckets and
 * standard input have no lines.
 */
export async function truthLines(
  paths: readonly string[],
  examples: ReadonlySet<string>,
  config: Config,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RecordPlace>> {
  const local = paths.filter((path) => path !== '-' && !isBucket(path));
  if (examples.size === 0 || local.length === 0) return new Map();
  const files = (await truthPlaces(local, s3Of(config)).files()).filter((file) => !isTable.test(file));
  const { fields } = config.truth;
  const { read } = fieldReader(fields);
  const found = new Map<string, RecordPlace>();
  await eachRecord(
    files.map((name) => ({ name })),
    { fields, signal },
    (file, unit) => (line, text) => {
      if (unit !== 'line' || text === undefined || ![...examples].some((id) => text.includes(id))) return;
      const record = jsonOf(text);
      const id = isObject(record) ? read(record)['example_id'] : undefined;
      if (typeof id === 'string' && examples.has(id) && !found.has(id)) found.set(id, { file, line });
    },
  );
  return found;
}

const isTable = /\.(arrow|arrows|parquet)$/;
