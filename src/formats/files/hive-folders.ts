import type { LogRecord } from '../../stream/event.ts';
import { rowText } from './row-text.ts';

/** The values that the folders of a path give to its records, and the names of those that are no field. */
export interface HiveFolders {
  /** The beginning of each record, as JSON text; undefined where the folders give none. */
  readonly fields: string | undefined;
  readonly unread: readonly string[];
}

/** The value that Hive writes for null. */
const nullValue = '__HIVE_DEFAULT_PARTITION__';

/** Reads the folders of a path that are named `key=value`, as Hive and Spark name them; values are URL-encoded. */
export function hiveFolders(path: string, isColumn: (name: string) => boolean): HiveFolders {
  const pairs = path
    .split('/')
    .slice(0, -1)
    .flatMap((folder) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(folder) ?? [];
      return name === undefined || value === nullValue ? [] : [[decoded(name), decoded(value!)] as const];
    });
  const read = pairs.filter(([name]) => isColumn(name));
  const text = rowText(
    read.map(([name]) => name),
    (column) => read[column]![1],
  );
  return {
    fields: text === '{}' ? undefined : text.slice(0, -1),
    unread: pairs.filter((pair) => !read.includes(pair)).map(([name]) => name),
  };
}

/** A record with the fields of its folders before its own: of a name that is there twice the record's own counts, as the last. */
export function withFolders(record: LogRecord, fields: string): LogRecord {
  const { bytes, start, end } = record;
  const own = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const open = own.search(/\S/);
  if (own[open] !== '{') return record;
  const rest = own.slice(open + 1);
  const isEmpty = /^\s*\}/.test(rest);
  const text = Buffer.concat([Buffer.from(`${fields}${isEmpty ? '' : ','}`), Buffer.from(rest, 'latin1')]);
  return { ...record, bytes: text, start: 0, end: text.length };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
