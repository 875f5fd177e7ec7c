import { isObject, type JsonObject } from '../../scoring/json.ts';
import { pointerKeys } from '../../scoring/json-pointer.ts';
import { argumentsOf } from '../calls/calls.ts';
import { withParameters } from '../files/row-text.ts';
import { pointer } from '../inputs/places.ts';
import { parsedOr } from '../json/parsed.ts';

/** The fields of a truth record. */
export const truthFields = [
  'example_id',
  'label',
  'tools',
  'expected_tool_calls',
  'reference',
  'alternatives',
  'forbidden',
] as const;

/** Names of fields that have a place of their own in a table of one call a row. */
export const callFields = ['expected_tool_calls.name', 'expected_tool_calls.arguments'] as const;

/** Places by field (configuration: `truth.fields`): JSON Pointers, or `=TEXT`; of several the first present counts. */
export type TruthPlaces = Readonly<Record<string, string | readonly string[]>>;

/** Puts the values at the places of fields into truth records. */
export interface TruthFieldReader {
  /** Keys of a record that are read, or that a place leads into. */
  readonly keys: ReadonlySet<string>;
  read(value: JsonObject): JsonObject;
  /** The first field whose places held nothing in any record so far; undefined where there were none. */
  missing(): string | undefined;
}

/** A reader of the fields at some places. */
export function fieldReader(places: TruthPlaces): TruthFieldReader {
  const fields = Object.entries(places).map(([name, given]) => ({
    name,
    places: [given].flat().map((text) => (text.startsWith('=') ? () => text.slice(1) : pointer(text))),
  }));
  const missing = new Set(Object.keys(places));
  const keysOfPlaces = Object.values(places).flatMap((given) => [given].flat().map((text) => keyOf(text) ?? ''));
  let isUsed = false;
  return {
    keys: new Set<string>([...truthFields, ...keysOfPlaces]),
    read(value) {
      if (fields.length === 0) return value;
      isUsed = true;
      const found = new Map<string, unknown>();
      for (const { name, places: list } of fields) {
        const given = list.map((at) => at(value)).find((each) => each !== undefined && each !== null);
        if (given !== undefined) missing.delete(name);
        found.set(name, fitted(name, given));
      }
      const [tool, args] = callFields;
      if (tool in places) found.set('expected_tool_calls', oneCall(found.get(tool), found.get(args), args in places));
      for (const part of callFields) found.delete(part);
      return { ...value, ...(Object.fromEntries(found) as JsonObject) };
    },
    missing: () => (isUsed ? missing.values().next().value : undefined),
  };
}

/** The key of a record that a JSON Pointer leads into. */
export function keyOf(place: string): string | undefined {
  return place.startsWith('/') ? pointerKeys(place)[0] : undefined;
}

/** A value in the type of its field: tables hold lists as text, and ids as numbers. Empty text is absent. */
function fitted(name: string, value: unknown): unknown {
  switch (name) {
    case 'example_id':
      return typeof value === 'number' ? String(value) : value;
    case 'label':
      return value === '' ? null : value;
    case 'tools': {
      const tools = parsedOr(value === '' ? null : value);
      return Array.isArray(tools) ? tools.map(withParameters) : tools;
    }
    case 'expected_tool_calls': {
      const calls = parsedOr(value === '' ? null : value);
      return isObject(calls) ? [calls] : calls;
    }
    case 'alternatives':
    case 'forbidden':
      return parsedOr(value === '' ? null : value);
    default:
      return value;
  }
}

/** The expected calls of a row with one call in columns of its own: none where the name is empty. Without a column of arguments any are right. */
function oneCall(name: unknown, given: unknown, hasArguments: boolean): unknown {
  if (name === undefined || name === null || name === '') return [];
  if (!hasArguments) return [{ name, accept: anyArguments }];
  return [{ name, arguments: argumentsOf(given) ?? given }];
}

const anyArguments = { '*': { ignore: true } };
