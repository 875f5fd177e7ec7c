import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import { elementSpans } from '../json/json-elements.ts';
import type { LogRecord } from '../../stream/event.ts';
import type { RawEvent } from './schema.ts';
import { inRange, readTimestamp } from '../../scoring/timestamp.ts';

/** The record of a text that comes from none. */
export const withoutRecord: LogRecord = {
  bytes: new Uint8Array(0),
  start: 0,
  end: 0,
  offset: 0,
  timestamp: Number.NaN,
};

/** The value of a tag as a dimension; empty where there is none. */
export function tagText(event: RawEvent, tag: string): string {
  const tags = event.tags;
  if (tags == null || !Object.hasOwn(tags, tag)) return '';
  const value = tags[tag];
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

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

/** Source text of an element; remembers where the elements of the last asked record lie, so that many cost one scan. */
export function elementTexts(recordText: (row: number) => string): (row: number, at: number) => string {
  const last = { text: '', spans: [] as number[] };
  return (row, at) => {
    const text = recordText(row);
    if (last.text !== text) {
      last.text = text;
      last.spans = elementSpans(text);
    }
    return text.slice(last.spans[2 * at], last.spans[2 * at + 1]);
  };
}
