import { isObject, type Json } from '../../scoring/json.ts';
import { doubleOf, isNumber, longText } from '../../scoring/long-number.ts';
import { earliestMs, latestMs } from '../../scoring/timestamp.ts';
import { toolList } from '../calls/tools.ts';
import { jsonText } from '../json/json-text.ts';
import { parsedOr } from '../json/parsed.ts';

/** The fields of an event that a record may hold elsewhere. */
export const fieldNames = [
  'example_id',
  'event_id',
  'ts',
  'model',
  'agent',
  'tags',
  'run',
  'label',
  'tool_calls',
  'results',
  'tools',
  'output',
  'error',
  'success',
] as const;

export type FieldName = (typeof fieldNames)[number];

/** Keys of a native event, and of what forms add to it. */
export const readKeys: ReadonlySet<string> = new Set([
  ...fieldNames,
  ...['metadata', 'refused', 'words', 'judgement', 'steps', 'run_seconds', 'unfinished'],
]);

/** Begins the name of a tag. */
export const tagPrefix = 'tags.';

/** Returns whether a name is that of a field. */
export function isField(name: string): name is FieldName {
  return (fieldNames as readonly string[]).includes(name);
}

/**
 * A value in the type that its field has in the native event: headers are text, ids in databases are numbers. What cannot be is left
 * as it is, and refused as it would be there; null is absent.
 */
export function fitted(name: FieldName, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  switch (name) {
    case 'example_id':
    case 'event_id':
      return idText(value);
    case 'tags':
      return isObject(value) ? value : undefined;
    case 'ts':
      return timeOf(value);
    case 'run':
      return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
    case 'success':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'tool_calls':
    case 'results': {
      const given = parsedOr(value);
      return isObject(given) ? [given] : given;
    }
    case 'tools':
      return toolList(parsedOr(value));
    case 'error':
      return value === false ? undefined : typeof value === 'string' ? value : jsonText(value as Json);
    default:
      return value;
  }
}

/** An id, which databases have as a number. */
export function idText(id: unknown): unknown {
  if (typeof id === 'bigint') return longText(id);
  return typeof id === 'number' ? String(id) : id;
}

/** A number of seconds, milliseconds, microseconds or nanoseconds since 1970 as milliseconds: the years 2000 to 2100 fit only one. */
function timeOf(value: unknown): unknown {
  const number = typeof value === 'string' && /^\d{9,19}(\.\d+)?$/.test(value) ? Number(value) : value;
  if (!isNumber(number)) return value;
  const given = doubleOf(number);
  for (const unit of [1_000, 1, 1e-3, 1e-6]) {
    const ms = Math.floor(unit < 1 ? given / Math.round(1 / unit) : given * unit);
    if (ms >= earliestMs && ms <= latestMs) return ms;
  }
  return value;
}
