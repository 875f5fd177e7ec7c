import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { doubleOf, isNumber } from '../../scoring/long-number.ts';
import { type PathPattern, pathPattern, pathText, piecesFor, type Trail } from '../../scoring/match/paths.ts';
import { compileRule, type Rule } from '../../scoring/match/rule.ts';
import { changed } from '../../scoring/match/text.ts';
import { isOfType, normalised } from '../../scoring/match/values.ts';
import { isSameTime } from '../../scoring/timestamp.ts';
import { shortened } from '../json/shortened.ts';

/**
 * The problems of the rules of an expected call beside its arguments: a rule at a path that the arguments do not have, one that cannot hold for
 * the value at its path, one that the value itself does not pass. Rules that are no rules are refused before.
 *
 * `{"city": {"pattern": "[a-z]+"}}` beside `{"city": "Oslo"}`: the value does not match.
 */
export function ruleProblems(accept: JsonObject, args: JsonObject): readonly string[] {
  return Object.entries(accept).flatMap(([path, written]) => {
    const pattern = pathPattern(path, false);
    if (pattern === undefined || !isObject(written)) return [];
    const rule = compileRule(written);
    if (rule.ignore) return [];
    const values = valuesAt(args, pattern);
    const mayBeAbsent = rule.optional || rule.any.length > 0;
    if (values.length === 0)
      return mayBeAbsent || pattern.pieces.some(isAny)
        ? []
        : [`accept.${path}: the expected arguments have no such path`];
    return values.flatMap(({ trail, value }) => {
      const problem = problemOf(value, rule);
      return problem === undefined ? [] : [`accept.${pathText(trail)}: ${problem}`];
    });
  });
}

interface Placed {
  readonly trail: Trail;
  readonly value: Json;
}

function isAny(piece: PathPattern['pieces'][number]): boolean {
  return (piece.kind === 'name' ? piece.name : piece.index) === undefined;
}

/** The values at a path, below an object or a list. */
function valuesAt(args: JsonObject, pattern: PathPattern): readonly Placed[] {
  const found: Placed[] = [];
  const walk = (value: Json, at: number, trail: Trail): void => {
    if (at === pattern.pieces.length) found.push({ trail, value });
    else if (Array.isArray(value))
      for (const [index, item] of (value as readonly Json[]).entries()) step(item, index, at, trail);
    else if (isObject(value)) for (const [name, item] of Object.entries(value)) step(item, name, at, trail);
  };
  const step = (value: Json, key: string | number, at: number, trail: Trail): void => {
    const met = piecesFor(pattern, at, key);
    if (met > 0) walk(value, at + met, [...trail, key]);
  };
  walk(args, 0, []);
  return found;
}

const stepsMax = 10_000;

function problemOf(given: Json, rule: Rule): string | undefined {
  const value = normalised(given, rule);
  const shown = shortened(given);
  const { pattern, contains, range, types, texts } = rule;
  const isText = typeof value === 'string';
  if (range !== undefined && !(isNumber(value) && isBetween(doubleOf(value), range))) return `${shown} is not in range`;
  if (pattern !== undefined && !(isText && pattern(value, { left: stepsMax, depth: 0 })))
    return `${shown} does not match pattern`;
  if (contains !== undefined && !(isText && value.includes(changed(contains, texts)))) return `${shown} lacks contains`;
  const others = types.filter((type) => type !== 'null');
  if (others.length > 0 && !others.some((type) => isOfType(value, type)))
    return `${shown} is not of type ${others.join(', ')}`;
  return unfit(value, shown, rule);
}

/** The problem of a rule that holds for values of another type alone. */
function unfit(value: Json, shown: string, rule: Rule): string | undefined {
  const { tolerance, relative, editSimilarity, date, unordered } = rule;
  if ((tolerance ?? relative) !== undefined && !isNumber(value)) return `${shown} is no number, so no tolerance holds`;
  if (editSimilarity !== undefined && typeof value !== 'string')
    return `${shown} is no text, so edit_similarity never holds`;
  if (date && !(typeof value === 'string' && isSameTime(value, value)))
    return `${shown} is no date, so date never holds`;
  return unordered && !Array.isArray(value) ? `${shown} is no list, so unordered never holds` : undefined;
}

function isBetween(number: number, [least, most]: readonly [number, number]): boolean {
  return number >= least && number <= most;
}
