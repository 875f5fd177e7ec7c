import { isObject, type Json, type JsonObject } from '../json.ts';
import { doubleOf, isNumber } from '../long-number.ts';
import { type Pattern, patternOf, type TextChanges } from './text.ts';

/** JSON types that a rule may name; an integer is a number without a fraction (3.0, too). */
export const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type TypeName = (typeof typeNames)[number];

/** Equalities of the system after which a profile is named that no rule can state: true and 1, or both kinds of quotes. */
export type Dialect = 'python' | 'bfcl';

/** Further values that are equal to an expected value (docs/reference/matching.md, "Rules"). */
export interface Rule {
  /** As it was written, after farther rules were merged into it. */
  readonly written: JsonObject;
  readonly dialect: Dialect | undefined;
  readonly texts: TextChanges;
  readonly coerce: boolean;
  readonly json: boolean;
  readonly date: boolean;
  readonly unordered: boolean;
  readonly optional: boolean;
  readonly ignore: boolean;
  readonly any: readonly Json[];
  readonly types: readonly TypeName[];
  readonly tolerance: number | undefined;
  readonly relative: number | undefined;
  readonly range: readonly [number, number] | undefined;
  readonly contains: string | undefined;
  readonly pattern: Pattern | undefined;
  readonly editSimilarity: number | undefined;
}

/** The problem of a rule as it is written, beginning with its key; undefined for none. */
export function ruleProblem(written: Json): string | undefined {
  if (!isObject(written)) return 'must be an object, such as {"ignore_case": true}';
  for (const [key, value] of Object.entries(written)) {
    if (!Object.hasOwn(keys, key)) return `${key} is no key of a rule; give one of ${Object.keys(keys).join(', ')}`;
    const problem = keys[key as keyof typeof keys](value);
    if (problem !== undefined) return `${key} ${problem}`;
  }
  return undefined;
}

/** Compiles a rule in which `ruleProblem` finds nothing wrong. */
export function compileRule(written: JsonObject, dialect?: Dialect): Rule {
  const has = (key: keyof typeof keys): boolean => written[key] === true;
  const value = <Value>(key: keyof typeof keys): Value | undefined => written[key] as Value | undefined;
  const ignored = value<string>('ignore_characters');
  const amount = (given: number | bigint | null | undefined) => (given == null ? undefined : doubleOf(given));
  const range = value<readonly (number | bigint | null)[]>('range');
  const pattern = value<string>('pattern');
  const ignoreCase = has('ignore_case');
  return {
    written,
    dialect,
    texts: {
      quotesAlike: dialect === 'bfcl' && ignoreCase,
      ignoreCase,
      trim: has('trim'),
      collapseSpaces: has('collapse_spaces'),
      ignored: ignored ? new Set(ignored) : undefined,
    },
    coerce: has('coerce'),
    json: has('json'),
    date: has('date'),
    unordered: has('unordered'),
    optional: has('optional'),
    ignore: has('ignore'),
    any: value<readonly Json[]>('any') ?? [],
    types: [value<TypeName | readonly TypeName[]>('type') ?? []].flat(),
    tolerance: amount(value('tolerance')),
    relative: amount(value('relative')),
    range: range && [amount(range[0]) ?? Number.NEGATIVE_INFINITY, amount(range[1]) ?? Number.POSITIVE_INFINITY],
    contains: value('contains'),
    pattern: pattern === undefined ? undefined : patternOf(pattern, ignoreCase),
    editSimilarity: amount(value('edit_similarity')),
  };
}

type Check = (value: Json) => string | undefined;

const unless =
  (problem: string, holds: (value: Json) => boolean): Check =>
  (value) =>
    holds(value) ? undefined : problem;

const flag = unless('must be true or false', (value) => typeof value === 'boolean');
const text = unless('must be a text', (value) => typeof value === 'string');
const bound = unless('must be a number of at least 0', (value) => isNumber(value) && doubleOf(value) >= 0);

/** The keys of a rule, with what their values must be. */
const keys = {
  ignore_case: flag,
  trim: flag,
  collapse_spaces: flag,
  ignore_characters: text,
  coerce: flag,
  json: flag,
  date: flag,
  unordered: flag,
  any: unless('must be a list of values', Array.isArray),
  optional: flag,
  ignore: flag,
  type: unless(`must be one of ${typeNames.join(', ')}, or a list of them`, (value) => {
    const names = [value].flat() as readonly Json[];
    return names.length > 0 && names.every((name) => (typeNames as readonly Json[]).includes(name));
  }),
  tolerance: bound,
  relative: bound,
  range: unless('must be [least, most], in which null is open', isRange),
  contains: text,
  pattern: (value) =>
    typeof value === 'string' && patternOf(value, false) !== undefined
      ? undefined
      : 'must be a regular expression in the syntax of RE2 (no lookaround, no back references)',
  edit_similarity: unless(
    'must be a number from 0 to 1',
    (value) => isNumber(value) && doubleOf(value) >= 0 && doubleOf(value) <= 1,
  ),
} as const satisfies Readonly<Record<string, Check>>;

function isRange(value: Json): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [least, most] = value as readonly Json[];
  const isEnd = (end: Json | undefined): boolean => end === null || isNumber(end);
  return isEnd(least) && isEnd(most) && !(isNumber(least) && isNumber(most) && doubleOf(least) > doubleOf(most));
}
