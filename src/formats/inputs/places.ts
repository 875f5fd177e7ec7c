import { pointerKeys } from '../../scoring/json-pointer.ts';
import { keyOf, type LogRecord } from '../../stream/event.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import { jsonIn } from '../json/parsed.ts';
import { attributeOf } from '../otlp/span.ts';
import { headerOf } from './headers.ts';

/** Where a value lies: the value there, undefined or null where there is none. */
export type Place = (value: unknown, record: LogRecord) => unknown;

/** A place as the configuration writes it: `/json/pointer`, `key`, `header:NAME`, `attribute:NAME`, `=TEXT`. */
export function placeOf(text: string): Place {
  if (text === 'key')
    return (_, record) => {
      const key = keyOf(record);
      return key === null ? undefined : decodeUtf8(key, 0, key.length);
    };
  if (text.startsWith('=')) return () => text.slice(1);
  if (text.startsWith('header:')) {
    const name = text.slice('header:'.length);
    return (_, record) => textOf(headerOf(record, name));
  }
  if (text.startsWith('attribute:')) {
    const name = text.slice('attribute:'.length);
    return (value) => attributeOf(value, name);
  }
  const at = pointer(text);
  return (value) => at(value);
}

/** The value at a JSON Pointer (RFC 6901), which also goes into text that is a JSON object or array: tables and gateways hold such text. */
export function pointer(text: string): (value: unknown) => unknown {
  const names = pointerKeys(text);
  return (value) => {
    let at = value;
    for (const name of names) {
      if (typeof at === 'string' && /^\s*[[{]/.test(at)) at = jsonIn(at);
      if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
      at = (at as Readonly<Record<string, unknown>>)[name];
    }
    return at;
  };
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : decodeUtf8(bytes, 0, bytes.length);
}
