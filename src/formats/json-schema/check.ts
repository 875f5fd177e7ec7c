import type { Json, JsonObject } from '../../scoring/json.ts';
import type { Pattern } from './pattern.ts';
import type { Steps } from './steps.ts';

/** Whether a value is accepted; false, too, once no step is left. */
export type Check = (value: Json, steps: Steps) => boolean;

/** A schema that is being read. */
export interface Reading {
  readonly root: JsonObject;
  readonly steps: Steps;
  /** The check of a part of the schema; `undefined` where that is no schema. */
  check(part: Json | undefined): Check | undefined;
  /** The pattern of that source; `undefined` where it is none. */
  pattern(source: string): Pattern | undefined;
}

/** Reads the value of a keyword of a schema; `undefined` where it is none. */
export type Keyword = (value: Json, reading: Reading, schema: JsonObject) => Check | undefined;
