import type { Json, JsonObject } from '../scoring/json.ts';
import { isObject } from '../scoring/json.ts';
import type { StepContent } from './event.ts';
import { textOf } from './exchange.ts';
import { stepsById } from './chains.ts';
import { around, isLog, outermostModel, type RunStep, type StepsById } from './step-tree.ts';

/** The steps of a trace by the runs that they are of, each by its index. */
export interface TraceParts {
  /** Answers of models and runs of tools with the key of their run. */
  readonly keyed: readonly KeyedStep[];
  /** Answers without a key, each with the steps in it and around it. */
  readonly alone: readonly (readonly RunStep[])[];
}

export interface KeyedStep {
  readonly key: string;
  readonly at: number;
  /** The spans around it that are no answer and no run of a tool, from the outside in. */
  readonly around: readonly number[];
  /** The nearest answer, or run of a tool, around it that has its key. */
  readonly parent: number | undefined;
}

/**
 * Parts the steps of a trace by the key that each has, or the steps around it, the root, the only one of the trace, or last what surrounds
 * the trace (its resource, the record). Runs of tools without a key are of no run.
 */
export function partsOf(steps: readonly RunStep[]): TraceParts {
  const byId = stepsById(steps);
  const index = new Map(steps.map((step, at) => [step, at]));
  const root = steps.find(({ part, parent, ends }) => part === 'context' && ends && parent === undefined);
  const keys = new Set(steps.flatMap(({ given }) => textOf(given['run_key']) ?? []));
  const [only] = keys.size === 1 ? keys : [];
  const keyOf = (step: RunStep): string | undefined => {
    const near = [step, ...around(step, byId), ...(root === undefined ? [] : [root])];
    const own = near.map(({ given }) => textOf(given['run_key'])).find((key) => key !== undefined);
    return own ?? only ?? textOf(step.given.shared?.['run_key']);
  };
  const own = steps.filter(({ part }) => part !== 'context').map((step) => ({ step, key: keyOf(step) }));
  const keyed = own.flatMap(({ step, key }): KeyedStep[] => {
    if (key === undefined) return [];
    const outer = [...around(step, byId)];
    const parent = outer.find((one) => one.part !== 'context' && keyOf(one) === key);
    const contexts = outer.filter(({ part }) => part === 'context').reverse();
    if (root !== undefined && !contexts.includes(root)) contexts.unshift(root);
    const indexOf = (one: RunStep): number => index.get(one)!;
    return [{ key, at: indexOf(step), around: contexts.map(indexOf), parent: parent && indexOf(parent) }];
  });
  return {
    keyed,
    alone: aloneOf(
      own.filter(({ key }) => key === undefined).map(({ step }) => step),
      byId,
    ),
  };
}

function aloneOf(steps: readonly RunStep[], byId: StepsById): RunStep[][] {
  const groups = new Map<RunStep, RunStep[]>();
  for (const step of steps) {
    if (step.part !== 'model') continue;
    const outer = outermostModel(step, byId);
    // A log record alone is no event: its span says what it is of.
    if (isLog(outer)) continue;
    groups.set(outer, [
      ...(groups.get(outer) ?? [...around(outer, byId)].filter(({ part }) => part === 'context')),
      step,
    ]);
  }
  return [...groups.values()];
}

/** Returns whether a step is an answer without a call. A log record ends no run: its span may follow. */
export function isAnswer({ part, given, ...step }: RunStep): boolean {
  const { tool_calls: calls, output, refused } = given;
  return part === 'model' && !isLog(step) && calls === undefined && (output ?? refused) !== undefined;
}

/** The content of a step, behind that of the spans around it. */
export function contentWithin(contents: readonly string[], own: string): string {
  if (contents.length === 0) return own;
  const rest = own.slice(1);
  return ['{"around":[', contents.join(), rest === '}' ? ']' : '],', rest].join('');
}

/** The content of a step with the fields of the spans around it that it lacks, and with the answer where it is that of an agent. */
export function unfolded(given: StepContent, isAgent: boolean): StepContent {
  const { around: outer, answer, ...own } = given;
  if (outer === undefined && !(isAgent && isObject(answer))) return given;
  const all = [...(Array.isArray(outer) ? (outer as readonly Json[]) : []).filter(isObject).map(fieldsOf), own];
  const tags = all.map(({ tags: some }) => some).filter(isObject);
  return {
    ...(Object.assign({}, ...all) as JsonObject),
    ...(tags.length > 0 && { tags: Object.assign({}, ...tags) as JsonObject }),
    ...(isAgent && isObject(answer) && answer),
  };
}

function fieldsOf(given: JsonObject): JsonObject {
  return Object.fromEntries(fieldNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

const fieldNames = ['example_id', 'run', 'label', 'success', 'agent', 'model', 'tags'] as const;
