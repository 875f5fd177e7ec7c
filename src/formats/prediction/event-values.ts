import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import type { LogRecord } from '../../stream/event.ts';
import { inRange, readTimestamp } from '../../scoring/timestamp.ts';

/** The record of a text that comes from none. */
export const withoutRecord: LogRecord = {
  bytes: new Uint8Array(0),
  start: 0,
  end: 0,
  offset: 0,
  timestamp: Number.NaN,
};

/** Event time in ms, NaN where neither the event nor its record has one; undefined where it is no time of 2000 to 2100. */
export function timeOf(given: string | number | null | undefined, recordTime: number): number | undefined {
  if (given == null && Number.isNaN(recordTime)) return recordTime;
  const ms = typeof given === 'string' ? readTimestamp(given) : Math.floor(given ?? recordTime);
  return inRange(ms) ? ms : undefined;
}

/** The key of a record where it can be an id. */
export function idOfKey(key: Uint8Array | null): string | undefined {
  const id = key === null ? undefined : decodeUtf8(key, 0, key.length);
  return isId(id, idCharactersMax) ? id : undefined;
}
