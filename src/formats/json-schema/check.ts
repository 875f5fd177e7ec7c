import type { Json, JsonObject } from '../../scoring/json.ts';
import type { Pattern } from './pattern.ts';
import type { Steps } from './steps.ts';

/** Returns whether a value is accepted. Throws `Refused` once no step is left. */
export type Check = (value: Json, steps: Steps) => boolean;

/** A schema that is being read. */
export interface Reading {
  readonly root: JsonObject;
  /** The check of a part of the schema. */
  check(part: Json | undefined): Check;
  /** The pattern of a source. */
  pattern(source: string): Pattern;
}

/** Reads the value of a keyword of a schema. Throws `Refused` where it is none. */
export type Keyword = (value: Json, reading: Reading, schema: JsonObject) => Check;
