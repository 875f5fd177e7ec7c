import formats from 'ajv-formats/dist/formats.js';
import type { Json } from '../../scoring/json.ts';
import { doubleOf } from '../../scoring/long-number.ts';
import type { Check } from './check.ts';
import { spend } from './steps.ts';

/** The check of a format by its name (ajv-formats, "full"); an unknown one accepts every value. */
export function formatCheck(name: string): Check {
  const format = Object.hasOwn(definitions, name) ? definitions[name] : true;
  if (format === true || format === undefined) return () => true;
  const { type, holds } = definitionOf(format);
  return (value, steps) => {
    spend(steps, costOf(name, value));
    const plain = typeof value === 'bigint' ? doubleOf(value) : value;
    return typeof plain !== type || holds(plain);
  };
}

type Holds = (value: unknown) => boolean;
type Format = true | RegExp | Holds | { readonly type?: 'number'; readonly validate: RegExp | Holds };

const definitions = formats.fullFormats as unknown as Readonly<Record<string, Format>>;

function definitionOf(format: Exclude<Format, true>): { readonly type: string; readonly holds: Holds } {
  if (format instanceof RegExp) return { type: 'string', holds: (value) => format.test(value as string) };
  if (typeof format === 'function') return { type: 'string', holds: format };
  const { validate, type = 'string' } = format;
  return { ...definitionOf(validate), type };
}

/** The expression of `url` may take the square of a text's length, the others its length. */
function costOf(name: string, value: Json): number {
  const length = typeof value === 'string' ? value.length : 0;
  return 1 + (name === 'url' ? (length * length) / 64 : length / 4);
}
