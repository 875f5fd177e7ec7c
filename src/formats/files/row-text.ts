import { isObject, type Json } from '../../scoring/json.ts';
import { numberIn } from '../../scoring/long-number.ts';
import { isUtf8Text, utf8Text } from '../bytes/utf8.ts';
import { fitted, isField, tagPrefix } from '../inputs/fields.ts';
import { jsonText } from '../json/json-text.ts';
import { parsedOr } from '../json/parsed.ts';

/**
 * A row of a table (CSV, Parquet, Arrow) as the JSON text of a record: columns are fields by their names, `tags.NAME` is the tag NAME, null
 * is absent. A text that begins with `{` or `[` is JSON where it parses, but in columns that hold text.
 */
export function rowText(names: readonly string[], cellOf: (column: number) => unknown): string {
  const row = Object.create(null) as { [name: string]: unknown };
  const tags: [string, unknown][] = [];
  for (let column = 0; column < names.length; column++) {
    const name = names[column]!;
    const value = fieldOf(name, plain(cellOf(column)));
    if (value === undefined || value === null) continue;
    if (name.startsWith(tagPrefix)) tags.push([name.slice(tagPrefix.length), value]);
    else row[name] = value;
  }
  if (tags.length > 0) row['tags'] = { ...(isObject(row['tags']) && row['tags']), ...Object.fromEntries(tags) };
  return jsonText(row as Json);
}

const textColumns = ['example_id', 'event_id', 'model', 'agent', 'label', 'error', 'output'];

function fieldOf(name: string, value: unknown): unknown {
  const read = typeof value === 'string' && !textColumns.includes(name) ? textIn(name, value) : value;
  if (name === 'tools' && Array.isArray(read)) return read.map(withParameters);
  return isField(name) ? fitted(name, read) : read;
}

/** The content of a text cell. Data frames write numbers with nulls among them as 1.0, and truths as True. */
function textIn(name: string, text: string): unknown {
  if (name === 'success') return text.toLowerCase();
  if (name === 'run') return text.replace(/\.0+$/, '');
  return name === 'reference' || /^\s*[[{]/.test(text) ? parsedOr(text) : text;
}

/** A tool with its parameters parsed: truth tables have them as JSON text. */
export function withParameters(tool: unknown): unknown {
  if (!isObject(tool) || typeof tool['parameters'] !== 'string') return tool;
  return { ...tool, parameters: parsedOr(tool['parameters']) };
}

/**
 * A cell as JSON. A struct has all fields of its column: those that are null were not there. Bytes that are no UTF-8 text are
 * absent.
 */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return numberIn(String(value));
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (value instanceof Uint8Array)
    return isUtf8Text(value, 0, value.length) ? utf8Text(value, 0, value.length) : undefined;
  if (Array.isArray(value)) return value.map((item) => plain(item) ?? null);
  const fields = Object.entries(value).map(([name, field]) => [name, plain(field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined && field !== null));
}
