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

/** Keys whose value says that a page has a next one, by its address, its token or with true. */
const nextKey = /^(has_?(more|next(_?page)?)|next(_?(page_?token|page|cursor|token|url|link))?)$/i;

/** Keys of a page under which such keys lie too. */
const pagingParts = ['meta', 'links', '_links', 'pagination', 'paging', 'cursors', 'page_info', 'pageInfo'] as const;

/** A statement of a page about a next one. */
export interface Paging {
  /** The key that says it. */
  readonly key: string;
  readonly hasNext: boolean;
}

/** Reads whether a page of an API says that there is a next one; undefined where it says nothing. */
export function pagingOf(page: JsonObject): Paging | undefined {
  const parts = pagingParts.map((name) => [`${name}.`, page[name]] as const);
  const said = [['', page] as const, ...parts].flatMap(([at, part]) => (isObject(part) ? pagingIn(part, at) : []));
  return said.find(({ hasNext }) => hasNext) ?? said[0];
}

function pagingIn(part: JsonObject, at: string): Paging[] {
  const keys = Object.keys(part).filter((key) => nextKey.test(key));
  const said = keys.map((key) => ({ key: at + key, hasNext: namesSome(part[key]) }));
  const [page, pages] = [numberAt(part, 'page'), numberAt(part, 'totalPages', 'total_pages')];
  const [size, total] = [numberAt(part, 'size', 'limit'), numberAt(part, 'total', 'totalItems', 'total_count')];
  const last = Number.isNaN(pages) ? total / size : pages;
  const isNumbered = !Number.isNaN(page) && !Number.isNaN(last);
  return isNumbered ? [...said, { key: `${at}page`, hasNext: page < last }] : said;
}

/** Returns whether a value of `nextKey` is there: null, false, an empty text or object and 0 are none. */
function namesSome(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** The number under the first of some keys that has one, else NaN. */
function numberAt(part: JsonObject, ...keys: readonly string[]): number {
  const found = keys.map((key) => part[key]).find((value) => typeof value === 'number');
  return typeof found === 'number' ? found : Number.NaN;
}

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
