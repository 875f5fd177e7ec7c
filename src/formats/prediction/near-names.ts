import { editDistance } from '../../view/near.ts';
import { isObject } from '../../scoring/json.ts';
import type { NearName } from '../../stream/event.ts';
import { fieldNames, readKeys } from '../inputs/fields.ts';

const cachedMax = 4096;
const cache = new Map<string, string | undefined>();

/**
 * Finds in an event the first unread field whose name, without case and separators, is at most one edit from that of a field which is
 * read and which the event lacks. An event of read fields costs a look-up for each.
 *
 * `{"toolCalls": []}`: `toolCalls` may have been meant as `tool_calls`. With `model` given, `mode` is a field of its own.
 */
export function nearName(event: unknown): NearName | undefined {
  if (!isObject(event)) return undefined;
  for (const name in event) {
    if (readKeys.has(name)) continue;
    if (!cache.has(name)) {
      if (cache.size >= cachedMax) cache.clear();
      cache.set(name, nearestField(name));
    }
    const meant = cache.get(name);
    if (meant !== undefined && (event[meant] ?? null) === null) return { name, meant };
  }
  return undefined;
}

/** Names of a truth record where an event has another: reported where truth is given as events. */
const truthNames: ReadonlyMap<string, string> = new Map([['expected_tool_calls', 'tool_calls']]);

function nearestField(name: string): string | undefined {
  if (truthNames.has(name)) return truthNames.get(name);
  return nearField(name, fieldNames);
}

/** The first field whose name, without case and separators, is at most one edit from a name. */
export function nearField<Field extends string>(name: string, fields: readonly Field[]): Field | undefined {
  if (name.length > charactersMax) return undefined;
  const typed = plain(name);
  return fields.find((field) => {
    const read = plain(field);
    return typed === read || (Math.min(typed.length, read.length) >= 3 && editDistance(typed, read) <= 1);
  });
}

/** Longer names are near to none. */
const charactersMax = 40;

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
