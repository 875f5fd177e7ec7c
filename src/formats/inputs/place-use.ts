import { isObject } from '../../scoring/json.ts';
import { escapedKey } from '../../scoring/json-pointer.ts';
import type { LogRecord } from '../../stream/event.ts';
import { nearestOf } from '../../view/near.ts';
import { headersOf } from './headers.ts';
import { type Place, placeOf, pointer } from './places.ts';

/** Use of the places of one configured field by the records of a reader. */
export interface PlaceUse {
  /** As the configuration writes them. */
  readonly places: readonly string[];
  /** Number of records, and the last of them. */
  records: number;
  last: unknown;
  /** A place was there in one of them. */
  found: boolean;
  /** Places like the configured ones in the first record in which none was there. */
  instead: readonly string[];
}

/** Uses by the name of the field, `response` and `request` among them. */
export type PlaceUses = ReadonlyMap<string, PlaceUse>;

/** Uses of configured places before any record. */
export function placeUses(given: Readonly<Record<string, string | readonly string[] | undefined>>): PlaceUses {
  const named = Object.entries(given).filter(([, places]) => places !== undefined);
  return new Map(
    named.map(([name, places]) => [
      name,
      { places: [places!].flat(), records: 0, last: undefined, found: false, instead: [] },
    ]),
  );
}

/** The places of a field; where `uses` has the field, as one place that notes in it whether a value was there. */
export function usedPlaces(uses: PlaceUses, name: string, texts: readonly string[]): readonly Place[] {
  const places = texts.map(placeOf);
  const use = uses.get(name);
  if (use === undefined) return places;
  return [
    (value, record) => {
      let first: unknown;
      for (const place of places) {
        const here = place(value, record);
        first ??= here;
        if (here !== undefined && here !== null) break;
      }
      if (use.last !== value) use.records++;
      use.last = value;
      use.found ||= first !== undefined;
      if (!use.found && use.records === 1) use.instead = placesLike(use.places, value, record);
      return first;
    },
  ];
}

/** Notices of the fields whose places held nothing in any record: `tool_calls: nothing at /ouput/tool_calls in 3 of 3 records; …`. */
export function unmatchedPlaces(uses: PlaceUses): string[] {
  const unmatched = [...uses].filter(([, { records, found }]) => records > 0 && !found);
  return unmatched.map(([name, { places, records, instead }]) => {
    const there = instead.length === 0 ? 'nothing like it is there' : `${instead.join(', ')} ${isOrAre(instead)} there`;
    return `${name}: nothing at ${places.join(', ')} in ${records} of ${records} records; ${there}`;
  });
}

function isOrAre(list: readonly unknown[]): string {
  return list.length === 1 ? 'is' : 'are';
}

const insteadMax = 3;

/** Places that a record has, of the kind of those that are configured, the likeliest first. */
function placesLike(places: readonly string[], value: unknown, record: LogRecord): readonly string[] {
  return [...new Set(places.flatMap((place) => likePlace(place, value, record)))].slice(0, insteadMax);
}

function likePlace(place: string, value: unknown, record: LogRecord): readonly string[] {
  const [kind] = place.split(':', 1);
  if (kind === 'header') return nearestOf(place, namesOf(record), insteadMax);
  if (kind === 'attribute') return nearestOf(place, attributesOf(value), insteadMax);
  if (!place.startsWith('/')) return [];
  const last = place.slice(place.lastIndexOf('/'));
  const alike = pointersIn(value).filter((there) => there.endsWith(last));
  return alike.length > 0 ? nearestOf(place, alike, 1) : siblingsOf(place, value);
}

/** The keys of the innermost object on the way to a place, as pointers. */
function siblingsOf(place: string, value: unknown): readonly string[] {
  const parent = place.slice(0, place.lastIndexOf('/'));
  const object = pointer(parent)(value);
  if (!isObject(object)) return parent === '' ? [] : siblingsOf(parent, value);
  return nearestOf(
    place,
    Object.keys(object).map((key) => `${parent}/${escapedKey(key)}`),
    insteadMax,
  );
}

function namesOf(record: LogRecord): string[] {
  return headersOf(record).map(([name]) => `header:${name}`);
}

function attributesOf(value: unknown): string[] {
  const { attributes, resource } = value as Partial<Record<string, unknown>>;
  const names = [attributes, resource].flatMap((map) => (map instanceof Map ? [...map.keys()] : []));
  return names.map((name) => `attribute:${name}`);
}

const pointersMax = 1_000;
const depthMax = 6;

/** Pointers to what objects hold, to a depth. */
function pointersIn(value: unknown): string[] {
  const found: string[] = [];
  let level: [string, unknown][] = [['', value]];
  for (let depth = 0; depth < depthMax && found.length < pointersMax; depth++) {
    level = level.flatMap(([at, held]) =>
      isObject(held)
        ? Object.entries(held).map(([key, each]): [string, unknown] => [`${at}/${escapedKey(key)}`, each])
        : [],
    );
    found.push(...level.map(([at]) => at));
  }
  return found.slice(0, pointersMax);
}
