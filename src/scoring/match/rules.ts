import { isObject, type Json, type JsonObject } from '../json.ts';
import { fitsGlob, isCompound, literalLength, type PathPattern, pathPattern, piecesFor } from './paths.ts';
import { compileRule, type Dialect, type Rule, ruleProblem } from './rule.ts';

/** Rules of a path: those of an expected call, or of a tool in the configuration. */
export type RulesByPath = Readonly<Record<string, JsonObject>>;

/** Rules of the configuration: by glob of the tool's name, then by path. */
export type RulesByTool = Readonly<Record<string, RulesByPath>>;

/** A rule with where it holds, as it is written. */
interface PlacedRule {
  readonly pattern: PathPattern;
  readonly rule: JsonObject;
}

/** The rule at one path of the arguments, and the rules below it. */
export interface Scope {
  readonly rule: Rule | undefined;
  /** The scope at a key or index below. */
  below(step: string | number): Scope;
}

/** No rule holds here or below. */
export const noRules: Scope = { rule: undefined, below: () => noRules };

/** The problem of rules by path as they are written, beginning with the path; undefined for none. */
export function rulesProblem(written: Json, ofConfiguration: boolean): string | undefined {
  if (!isObject(written)) return 'must be an object of rules by path, such as {"city": {"ignore_case": true}}';
  for (const [path, rule] of Object.entries(written)) {
    if (pathPattern(path, ofConfiguration) === undefined)
      return `${path || '""'} is no path of an argument; write it as filters.date or items[0].id`;
    const problem = ruleProblem(rule);
    if (problem !== undefined) return `${path}: ${problem}`;
  }
  return undefined;
}

/** Finds the rules for the calls of a tool. */
export type RuleBook = (tool: string, accept: JsonObject | undefined) => Scope;

/**
 * The rules that hold for the arguments of a call of a tool: those of the configuration from the farthest to the nearest (tool, then path:
 * `*`, longer literal beginnings, exact), then those of the truth row. A nearer one replaces a farther one key by key.
 */
export function ruleBook(byTool: RulesByTool, dialect?: Dialect): RuleBook {
  const tools = Object.entries(byTool)
    .map(([glob, rules]) => ({ glob, rules: placed(rules, true) }))
    .sort((a, b) => compareNumbers(literalLength(a.glob), literalLength(b.glob)));
  const configured = (tool: string) => tools.flatMap(({ glob, rules }) => (fitsGlob(glob, tool) ? rules : []));
  const known = new Map<string, Scope>();
  return (tool, accept) => {
    if (accept !== undefined)
      return scopeOfRules([...configured(tool), ...placed(accept as RulesByPath, false)], dialect);
    let scope = known.get(tool);
    if (scope === undefined) {
      if (known.size === knownMax) known.clear();
      known.set(tool, (scope = scopeOfRules(configured(tool), dialect)));
    }
    return scope;
  };
}

/** Tools whose rules are remembered. */
const knownMax = 1_000;

function scopeOfRules(rules: readonly PlacedRule[], dialect: Dialect | undefined): Scope {
  return rules.length === 0
    ? noRules
    : scopeOf(
        rules.map((rule) => ({ ...rule, at: 0 })),
        dialect,
      );
}

function placed(rules: RulesByPath, ofConfiguration: boolean): PlacedRule[] {
  return Object.entries(rules)
    .map(([path, rule]) => ({ pattern: pathPattern(path, ofConfiguration)!, rule }))
    .sort(({ pattern: a }, { pattern: b }) => compareNumbers(nearness(a), nearness(b)));
}

function nearness({ text, everywhere }: PathPattern): number {
  return everywhere ? -1 : literalLength(text);
}

function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** A rule of which the first pieces of the path have been met. */
interface Open extends PlacedRule {
  readonly at: number;
}

/** Scopes are made once: those of names that rules name, and one each for all other names and indices. */
function scopeOf(open: readonly Open[], dialect: Dialect | undefined): Scope {
  const here = open.filter(({ pattern, at }) => (pattern.everywhere ? at > 0 : at === pattern.pieces.length));
  const rule = here.length === 0 ? undefined : compileRule(Object.assign({}, ...here.map((one) => one.rule)), dialect);
  const named = new Map<string | number, Scope>();
  const steps = new Set(open.flatMap(({ pattern, at }) => stepsOf(pattern, at)));
  let otherName: Scope | undefined;
  let otherIndex: Scope | undefined;
  return {
    rule,
    below(step) {
      if (steps.has(step)) {
        let known = named.get(step);
        if (known === undefined) named.set(step, (known = scopeBelow(open, step, dialect)));
        return known;
      }
      // A key with points in it is rare, and agents invent any number of them: it is not cached.
      if (isCompound(step) && open.some(({ pattern, at }) => piecesFor(pattern, at, step) > 1))
        return scopeBelow(open, step, dialect);
      if (typeof step === 'number') return (otherIndex ??= scopeBelow(open, step, dialect));
      return (otherName ??= scopeBelow(open, step, dialect));
    },
  };
}

function stepsOf({ pieces }: PathPattern, at: number): (string | number)[] {
  const piece = pieces[at];
  const step = piece && (piece.kind === 'name' ? piece.name : piece.index);
  return step === undefined ? [] : [step];
}

function scopeBelow(open: readonly Open[], step: string | number, dialect: Dialect | undefined): Scope {
  const still = open.flatMap((one): Open[] => {
    if (one.pattern.everywhere) return one.at > 0 ? [one] : [{ ...one, at: 1 }];
    const met = piecesFor(one.pattern, one.at, step);
    return met > 0 ? [{ ...one, at: one.at + met }] : [];
  });
  return still.length === 0 ? noRules : scopeOf(still, dialect);
}
