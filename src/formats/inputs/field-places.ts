import type { LogRecord } from '../../stream/event.ts';
import { fieldNames, type FieldName, tagPrefix } from './fields.ts';
import { type PlaceUses, usedPlaces } from './place-use.ts';
import { type Place, placeOf } from './places.ts';

/** The configured places of fields. */
export interface Places {
  readonly fields: ReadonlyMap<FieldName, readonly Place[]>;
  readonly tags: readonly (readonly [name: string, places: readonly Place[]])[];
  /** Keys of a record that are a place of their own. */
  readonly keys: ReadonlySet<string>;
  /** Where an example id is looked for, as written. */
  readonly exampleId: string;
}

/** Places of an example id outside of the JSON of its record. */
export const idPlacesOfRecord = ['header:example_id', 'key'].map(placeOf);
const idPlaces = ['/example_id', '/metadata/example_id', 'header:example_id', 'key'];

/** The places of fields as the configuration writes them. */
export function placesOf(given: Readonly<Record<string, string | readonly string[]>>, uses: PlaceUses): Places {
  const at = (name: string) => usedPlaces(uses, name, [given[name]!].flat());
  const names = Object.keys(given);
  return {
    fields: new Map(fieldNames.filter((name) => names.includes(name)).map((name) => [name, at(name)])),
    tags: names.filter((name) => name.startsWith(tagPrefix)).map((name) => [name.slice(tagPrefix.length), at(name)]),
    keys: new Set(
      Object.values(given).flatMap((at) => [at].flat().map((place) => /^\/([^/]+)$/.exec(place)?.[1] ?? '')),
    ),
    exampleId: [given['example_id'] ?? idPlaces].flat().join(', '),
  };
}

/** Where places are looked up: a value, and the record that it is of. */
interface Looked {
  readonly value: unknown;
  readonly record: LogRecord;
}

/** The first value that is there in a list of places. */
export function firstOf(places: readonly Place[], { value, record }: Looked): unknown {
  for (const place of places) {
    const found = place(value, record);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/** The values of tags with places of their own. */
export function tagsOf(source: Looked & { readonly places: Places }): object {
  const found = source.places.tags.map(([name, places]) => [name, firstOf(places, source)] as const);
  return Object.fromEntries(found.filter(([, text]) => text !== undefined));
}
