import { type JsonObject, jsonEqual } from '../../scoring/json.ts';
import type { DeepValidator } from '../../scoring/schema/index.ts';
import { hashOf } from '../../scoring/similarity.ts';
import type { Check } from './check.ts';
import { readSchema } from './read.ts';
import { sizeOf } from './steps.ts';

/** Steps of one call: to read its schema, and to validate its arguments. Each number takes some 20 ms (docs/reference/scoring.md, "schema"). */
const readSteps = 20_000;
const validateSteps = 100_000;

/** Schemas are kept up to this size together. */
const sizeHeld = 200_000;

interface Held {
  readonly schema: JsonObject;
  readonly check: Check;
}

/**
 * Validates arguments against JSON Schemas of draft 7. Both are strangers': no schema is turned into code, and what takes more than a number of
 * steps accepts nothing, like what is no schema: a call cannot be said to run by it.
 */
export function deepValidator(): DeepValidator {
  const held = new Map<number, Held>();
  let size = 0;
  const read = (schema: JsonObject, hash: number, ownSize: number): Check => {
    const check = readSchema(schema, readSteps);
    size += ownSize;
    if (size > sizeHeld) {
      held.clear();
      size = ownSize;
    }
    held.set(hash, { schema, check });
    return check;
  };
  return (schema, args) => {
    const ownSize = sizeOf(schema, readSteps);
    if (ownSize > readSteps) return false;
    const hash = hashOf(schema);
    const known = held.get(hash);
    const check = known !== undefined && jsonEqual(known.schema, schema) ? known.check : read(schema, hash, ownSize);
    const steps = { left: validateSteps, depth: 0 };
    return check(args, steps) && steps.left >= 0;
  };
}
