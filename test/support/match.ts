import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { match, type MatchOptions } from '../../src/scoring/match/index.ts';
import type { Call } from '../../src/scoring/prediction.ts';
import type { ExpectedCall, Truth } from '../../src/scoring/truth.ts';
import { joined } from './joined.ts';
import { rowOf } from './scoring.ts';

export const matchDefaults: MatchOptions = {
  order: 'any',
  extraCalls: 'wrong',
  missingCalls: 'wrong',
  arguments: 'exact',
  defaults: true,
  rules: {},
  forbidden: [],
};

/** The score row of calls, by truth and options. */
export function matchRow(calls: readonly Call[], truth: Partial<Truth>, options: Partial<MatchOptions> = {}) {
  return rowOf(match({ ...matchDefaults, ...options }), joined({ calls }, truth)) as unknown as MatchRow;
}

interface MatchError {
  readonly error: string;
  readonly tool: string | null;
  readonly expected_call: number | null;
  readonly predicted_call: number | null;
  readonly path: string | null;
  readonly expected: Json;
  readonly actual: Json;
}

export interface MatchRow {
  readonly correct: boolean;
  readonly list: number;
  readonly expected: number;
  readonly predicted: number;
  readonly matched: number;
  readonly errors: readonly MatchError[];
  readonly repeated_calls: number;
  readonly loop: boolean;
}

/** Errors as `error tool path`, without what is absent. */
export function errorTexts({ errors }: MatchRow): string[] {
  return errors.map(({ error, tool, path }) => [error, tool, path].filter((part) => part !== null).join(' '));
}

/** A call, of a prediction or of truth. */
export function call(name: string, args: JsonObject = {}, accept?: JsonObject): ExpectedCall & Call {
  return accept === undefined ? { name, arguments: args } : { name, arguments: args, accept };
}
