import type { Family, Joined } from '../family.ts';
import { callsOf, equalCalls, once } from '../join.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { acceptsNull, isRequired } from '../schema/reading.ts';
import { parametersOf, toolName } from '../tool.ts';
import type { ExpectedCall, Truth } from '../truth.ts';
import { bfclCall } from './bfcl.ts';
import { type MatchPrepared, matchDeclaration } from './declaration.ts';
import type { ArgumentsMode } from './differences.ts';
import { isMalformed, type Judging, type Wanted } from './matching.ts';
import { matchBreakdowns, type MatchSums } from './metrics.ts';
import type { Dialect } from './rule.ts';
import { type RuleBook, ruleBook, type RulesByTool } from './rules.ts';
import { tallyVerdict } from './tally.ts';
import { type Demand, type Verdict, verdictOn, verdictOnExpected } from './verdict.ts';

export interface MatchOptions extends Judging {
  readonly arguments: ArgumentsMode;
  /** By the name of a tool, instead of `arguments`. */
  readonly overrides?: Readonly<Record<string, ArgumentsMode>>;
  readonly dialect?: Dialect;
  /** An argument equal to the `default` of its schema equals its absence, both ways. */
  readonly defaults: boolean;
  /** Null equals the absence of an argument that is not required, both ways; `auto`: where null is a value of the parameter. */
  readonly nullIsAbsent?: boolean | 'auto';
  /** Rules beside those of the truth. */
  readonly rules: RulesByTool;
  /** Globs of tools that must not be called, beside those of the truth. */
  readonly forbidden: readonly string[];
}

/**
 * Family `match`: are the calls right by the rules that the truth states (docs/reference/matching.md)? Lists of calls are paired one to one,
 * as many as possible; what is left over is named, with the argument and the rule in force.
 *
 * Expected `book({"city": "Oslo", "days": 3})` with `accept: {"city": {"ignore_case": true}}`. Predicted `book({"city": "OSLO", "days": 3})` is
 * right; `book({"city": "Rome", "days": "3"})` is not: `wrong_value` at `city`, `wrong_type` at `days`.
 */
export function match(options: MatchOptions): Family<MatchPrepared, Verdict, MatchSums> {
  const book = ruleBook(options.rules, options.dialect);
  const findsItself = isRightByItself(options);
  return {
    ...matchDeclaration,
    breakdowns: matchBreakdowns,
    prepare: (truth) => prepare(truth, options, book),
    score(input, prepared) {
      if (input.prediction.callsNotRecorded) return undefined;
      if (findsItself && !input.truth.forbidden?.length && equalCalls(input)) {
        return verdictOnExpected(input.truth.expected!, options);
      }
      return score(input, prepared, options, book);
    },
    tally: tallyVerdict,
    verdict: { rank: 3, of: ({ correct }) => correct },
    perfect: ({ correct }) => correct,
    isEmpty: ({ n }) => n === 0,
  };
}

function prepare(truth: Truth, options: MatchOptions, book: RuleBook): MatchPrepared | undefined {
  const { expected, alternatives = [], tools } = truth;
  if (expected === undefined && alternatives.length === 0) return undefined;
  return {
    demand: once(() => demandOf(truth, options, book, tools)),
    asksEvent: asksTools(options) && tools === undefined,
  };
}

/** Returns whether verdicts depend on the tools. */
function asksTools({ defaults, nullIsAbsent = false, dialect }: MatchOptions): boolean {
  return defaults || nullIsAbsent !== false || dialect === 'bfcl';
}

function demandOf(truth: Truth, options: MatchOptions, book: RuleBook, tools: Truth['tools']): Demand {
  const { expected, alternatives = [], forbidden = [] } = truth;
  const { overrides = {} } = options;
  const wanted = (call: ExpectedCall): Wanted => {
    const { name } = call;
    const judged = options.dialect === 'bfcl' ? bfclCall(call, tools) : call;
    const one: Wanted = {
      name,
      arguments: judged.arguments,
      mode: Object.hasOwn(overrides, name) ? overrides[name]! : options.arguments,
      scope: book(name, judged.accept),
      defaults: options.defaults && tools !== undefined ? defaultsOf(tools, name) : noDefaults,
      nullIsAbsent: nullIsAbsentIn(tools, name, options.nullIsAbsent),
    };
    return options.dialect === 'bfcl' && name.includes('.') ? { ...one, otherName: name.replaceAll('.', '_') } : one;
  };
  const lists = expected === undefined ? alternatives : [expected, ...alternatives];
  return { lists: lists.map((list) => list.map(wanted)), forbidden: [...options.forbidden, ...forbidden] };
}

/** Returns whether null means absence, for the arguments of a call of a tool; undefined where it never does. */
function nullIsAbsentIn(
  tools: Truth['tools'],
  name: string,
  when: MatchOptions['nullIsAbsent'] = false,
): Wanted['nullIsAbsent'] {
  if (when === false) return undefined;
  const tool = tools?.find((one) => toolName(one) === name);
  const parameters = tool === undefined ? undefined : parametersOf(tool);
  if (parameters === undefined) return when === true ? () => true : undefined;
  return (argument) => !isRequired(parameters, argument) && (when === true || acceptsNull(parameters, argument));
}

const noDefaults: JsonObject = {};

/** The defaults of the arguments of the first tool of a name that has properties. */
function defaultsOf(tools: readonly Json[], name: string): JsonObject {
  for (const tool of tools) {
    if (toolName(tool) !== name) continue;
    const properties = parametersOf(tool)?.['properties'];
    if (isObject(properties)) return defaultsAmong(properties);
  }
  return noDefaults;
}

function defaultsAmong(properties: JsonObject): JsonObject {
  const given: [string, Json][] = [];
  for (const argument of Object.keys(properties)) {
    const schema = properties[argument]!;
    if (isObject(schema) && Object.hasOwn(schema, 'default')) given.push([argument, schema['default']!]);
  }
  return given.length === 0 ? noDefaults : Object.fromEntries(given);
}

/**
 * Returns whether, by these options, calls that are the expected ones are right without a look at rules, where the truth row forbids no tool:
 * each is its own partner before any other is tried.
 */
function isRightByItself({ arguments: mode, overrides = {}, dialect, forbidden }: MatchOptions): boolean {
  const isByName = [mode, ...Object.values(overrides)].every((one) => typeof one === 'string');
  return isByName && dialect !== 'bfcl' && forbidden.length === 0;
}

function score(input: Joined, prepared: MatchPrepared, options: MatchOptions, book: RuleBook): Verdict {
  const { prediction, truth } = input;
  const demand =
    prepared.asksEvent && prediction.tools !== undefined
      ? demandOf(truth, options, book, prediction.tools)
      : prepared.demand();
  const calls = callsOf(input);
  // BFCL takes an answer that it cannot parse for one without calls: right where none is expected.
  const isUnparsed = options.dialect === 'bfcl' && calls.some(isMalformed);
  return verdictOn(isUnparsed && demand.lists.every((list) => list.length === 0) ? [] : calls, demand, options);
}
