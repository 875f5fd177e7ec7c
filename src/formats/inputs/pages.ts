import { isObject, type JsonObject } from '../../scoring/json.ts';
import { speakerOf } from '../messages/opened.ts';

/** Keys under which APIs of tracing platforms and of providers give a page of records. */
const listKeys = ['data', 'runs', 'traces', 'items', 'results'] as const;

/** Keys beside these that speak of the page. */
const pagingKeys: ReadonlySet<string> = new Set([
  'object',
  'meta',
  'cursors',
  'cursor',
  'next_cursor',
  'next',
  'next_page_token',
  'has_more',
  'first_id',
  'last_id',
  'page',
  'size',
  'total',
  'total_count',
  'total_pages',
  'count',
  'limit',
  'offset',
  'links',
  'pagination',
  'sortableBy',
]);

/**
 * The records of a page of an API, as `{"data": [trace, …], "meta": …}`: all of them, since one of many would be a wrong number. Undefined where a value
 * is no page: it has keys that say something themselves, or its list holds messages of one run.
 */
export function pageIn(value: unknown): readonly JsonObject[] | undefined {
  if (!isObject(value)) return undefined;
  const key = listKeys.find((name) => Array.isArray(value[name]));
  if (key === undefined || !Object.keys(value).every((name) => name === key || pagingKeys.has(name))) return undefined;
  const list = value[key] as readonly unknown[];
  const isRecords = list.length > 0 && list.every((each) => isObject(each) && speakerOf(each) === undefined);
  return isRecords ? (list as readonly JsonObject[]) : undefined;
}
