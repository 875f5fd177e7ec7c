import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { applicators } from './applicators.ts';
import { assertions } from './assertions.ts';
import type { Check, Keyword, Reading } from './check.ts';
import { type Pattern, patternOf } from './pattern.ts';
import { deeper, spend } from './steps.ts';

/** The check of a schema; one that accepts nothing where it is none, or takes more steps to read. */
export function readSchema(root: JsonObject, steps: number): Check {
  const checks = new Map<JsonObject, Check>();
  const patterns = new Map<string, Pattern | undefined>();
  const reading: Reading = {
    root,
    steps: { left: steps, depth: 0 },
    check(part) {
      if (typeof part === 'boolean') return () => part;
      if (!isObject(part)) return undefined;
      return checks.get(part) ?? readPart(part, reading, checks);
    },
    pattern(source) {
      if (!patterns.has(source)) patterns.set(source, patternOf(source, reading.steps));
      return patterns.get(source);
    },
  };
  return reading.check(root) ?? (() => false);
}

const keywords: readonly (readonly [string, Keyword])[] = Object.entries({ ...assertions, ...applicators });

function readPart(part: JsonObject, reading: Reading, checks: Map<JsonObject, Check>): Check | undefined {
  const ofKeywords: Check[] = [];
  const check: Check = (value, steps) => deeper(steps, () => ofKeywords.every((one) => one(value, steps)));
  // Before its keywords are read: they may refer to it.
  checks.set(part, check);
  const readAll = (): boolean =>
    keywords.every(([name, read]) => {
      if (!Object.hasOwn(part, name)) return true;
      const one = spend(reading.steps, 1) ? read(part[name] as Json, reading, part) : undefined;
      if (one !== undefined) ofKeywords.push(one);
      return one !== undefined;
    });
  return deeper(reading.steps, readAll) ? check : undefined;
}
