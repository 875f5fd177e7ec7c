import { isObject } from '../../scoring/json.ts';
import { shortened } from '../json/shortened.ts';
import { jsonKeys, type Signal } from './request.ts';

/** The remedy for a body that is no request of OTLP. */
export const otlpAlone = 'send what an exporter of OTLP/HTTP writes; what is no OTLP goes to /v1/events';

/**
 * The problem of a document without any span or log record, unless it is an empty request of OTLP/JSON: something lies in it where OTLP has
 * nothing of the kind, so that what was sent would be lost.
 */
export function foreignDocument(document: unknown, signal: Signal): string | undefined {
  const { resources, scopes, items } = jsonKeys[signal];
  const levels = [[resources], [scopes, 'resource', 'schemaUrl'], [items, 'scope', 'schemaUrl']];
  const place = foreignIn(document, levels, '');
  if (place === undefined) return undefined;
  const found = place === '' ? `is ${shortened(document)}` : `has something at ${place} that OTLP/JSON has not`;
  return `holds no ${items}: it ${found}; write {"${resources}": [{"${scopes}": [{"${items}": [...]}]}]}, and send what is no OTLP to /v1/events`;
}

/** The place of the first value that has no part in a request; `levels`: the keys of each level, the first of which holds the next one. */
function foreignIn(given: unknown, [keys, ...below]: readonly (readonly string[])[], at: string): string | undefined {
  if (keys === undefined || !isObject(given)) return at;
  const key = Object.keys(given).find((each) => !keys.includes(each));
  if (key !== undefined) return `${at}/${key.slice(0, keyCharacters)}`;
  const place = `${at}/${keys[0]}`;
  const held = given[keys[0]!] ?? [];
  if (!Array.isArray(held)) return place;
  for (const [index, each] of held.entries()) {
    const found = foreignIn(each, below, `${place}/${index}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const keyCharacters = 100;
