import type { Path } from './json-schema.ts';

/** The values of one source, as nested plain objects, and the place of each. */
export interface Layer {
  readonly values: PlainObject;
  /** Where this layer sets `path` or what lies around it; undefined where it does not. `key`: the key rather than its value. */
  placeOf(path: Path, part: 'key' | 'value'): string | undefined;
}

export type PlainObject = { readonly [key: string]: unknown };

/** One value set by name: a variable of the environment, or a flag of the command line. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
  /** The variable or the flag. */
  readonly place: string;
}

/** A layer of settings; a later one wins. */
export function layerOf(settings: readonly Setting[]): Layer {
  const values = settings.reduce<PlainObject>((into, { path, value }) => merged(into, nested(path, value)), {});
  return {
    values,
    placeOf: (path) => settings.findLast((setting) => isPrefix(setting.path, path))?.place,
  };
}

/** `over` laid over `base`: objects key by key, everything else as a whole. Null says nothing. */
export function merged(base: PlainObject, over: PlainObject): PlainObject {
  const entries = Object.entries(over)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => {
      const below = Object.hasOwn(base, key) ? base[key] : undefined;
      return [key, isPlainObject(value) ? merged(isPlainObject(below) ? below : {}, value) : value] as const;
    });
  return { ...base, ...Object.fromEntries(entries) };
}

/** A section rather than a value. (It comes from YAML: other objects do not occur.) */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path; undefined where there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

function nested(path: readonly string[], value: unknown): PlainObject {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as PlainObject;
}

function isPrefix(short: Path, long: Path): boolean {
  return short.length <= long.length && short.every((key, index) => key === long[index]);
}
