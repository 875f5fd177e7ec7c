import { isObject, type Json, type JsonObject, present } from '../scoring/json.ts';
import { toolName } from '../scoring/tool.ts';
import { withAgentAnswers } from './agent-answers.ts';
import { behindOthers, stepsById } from './chains.ts';
import type { StepContent } from './event.ts';
import { exchanged, listOf, withInnerRuns } from './exchange.ts';
import { isLog, outermostModel, outermostTool, parentOf, type RunStep } from './step-tree.ts';

/** A run that was put together: its event in native form, and the place of its first step in the log. */
export interface Run {
  readonly given: JsonObject;
  /** Its steps name an example; else the key of the run stands for it. */
  readonly isNamed: boolean;
  readonly offset: number;
  readonly element: number;
  /** Tools that ran without a call of theirs. */
  readonly strays: readonly string[];
}

/**
 * Puts the steps of a key together (docs/reference/runs.md): one event, one for each example where they name several, none without a step of a model.
 * `steps` lie in the order in which they came. `namesModels`: a slice asks for tag `models`. Pure.
 *
 * @example assembled('t1', [a call of f, its result, words]) // [{ given: { tool_calls: [f], results: [{ call: 0, ok: true }], output: words, … } }]
 */
export function assembled(key: string, steps: readonly RunStep[], namesModels: boolean): readonly Run[] {
  const trace = traceOf(steps);
  const groups = byExample(trace);
  return groups.flatMap((group) => {
    const run = runOf(group.length === trace.steps.length ? undefined : group, trace, namesModels);
    if (run === undefined) return [];
    const { example_id: example, run: index } = run.given;
    const id = groups.length === 1 ? key : [key, example, index].filter((part) => part !== undefined).join('/');
    return [
      { ...run, isNamed: example !== undefined, given: { ...run.given, example_id: example ?? key, event_id: id } },
    ];
  });
}

/** Steps in their order, and the way from each to those around it. */
interface Trace {
  readonly steps: readonly RunStep[];
  readonly byId: ReadonlyMap<string, RunStep>;
  readonly root: RunStep | undefined;
}

function traceOf(all: readonly RunStep[]): Trace {
  const given = withAgentAnswers(all, stepsById(all));
  const byId = stepsById(given);
  const steps = merged(ordered(given, byId), byId);
  return {
    steps,
    byId,
    root: steps.find(({ part, parent, ends }) => part === 'context' && ends && parent === undefined),
  };
}

/** By start, then place in the log; but a step is put behind the one that it follows or lies in. */
function ordered(given: readonly RunStep[], byId: ReadonlyMap<string, RunStep>): readonly RunStep[] {
  // Sorting is stable. In a file, steps without any time come before those that have one.
  const startOf = ({ start }: RunStep): number => (Number.isNaN(start) ? Number.NEGATIVE_INFINITY : start);
  const byStart = [...given].sort((a, b) => startOf(a) - startOf(b) || 0);
  return behindOthers(byStart, (step) => beforeOf(step, byId));
}

/** The step around one, or the answer that it follows. */
function beforeOf(step: RunStep, byId: ReadonlyMap<string, RunStep>): RunStep | undefined {
  return parentOf(step, byId) ?? (step.follows === undefined ? undefined : byId.get(step.follows));
}

/**
 * A step of a model within another is the same answer, which takes what it lacks; one around several answers is the context of these. The run of a
 * tool within one of the same call is that run.
 */
function merged(steps: readonly RunStep[], byId: ReadonlyMap<string, RunStep>): readonly RunStep[] {
  const outerOf = new Map(steps.map((step) => [step, outermost(step, byId)]));
  const inner = new Map<RunStep, RunStep[]>();
  for (const [step, outer] of outerOf) if (outer !== step) inner.set(outer, [...(inner.get(outer) ?? []), step]);
  const within = (step: RunStep): readonly RunStep[] => inner.get(step) ?? [];
  const isAround = (step: RunStep): boolean =>
    step.part === 'model' && within(step).filter((one) => !isLog(one)).length > 1;
  return steps.flatMap((step) => {
    const outer = outerOf.get(step)!;
    if (isAround(step)) return [{ ...step, part: 'context', given: aroundOthers(step.given) }];
    if (outer !== step) return isAround(outer) ? [step] : [];
    if (step.part === 'tool') return [withInnerRuns(step, within(step))];
    const gained = within(step)
      .map(({ given }) => given)
      .reverse();
    return gained.length === 0 ? [step] : [{ ...step, given: Object.assign({}, ...gained, step.given) as StepContent }];
  });
}

function outermost(step: RunStep, byId: ReadonlyMap<string, RunStep>): RunStep {
  if (step.part === 'context') return step;
  return step.part === 'model' ? outermostModel(step, byId) : outermostTool(step, byId);
}

/** Fields of a step without its own answer. */
function aroundOthers({ tool_calls, output, error, returned, refused, words, ...fields }: StepContent): StepContent {
  return fields;
}

/** The steps of each example (and run) that they name. One that names none belongs to that of the call whose result it is, else to the first. */
function byExample(trace: Trace): readonly (readonly RunStep[])[] {
  const own = trace.steps.filter(({ part }) => part !== 'context');
  const keys = own.map((step) => {
    const example = near(trace, step, 'example_id');
    return example === undefined ? undefined : JSON.stringify([example, near(trace, step, 'run')]);
  });
  const different = new Set(keys.filter((key) => key !== undefined));
  if (different.size <= 1) return [trace.steps];
  const [first] = different;
  const ofCall = new Map<Json, string | undefined>();
  for (const [at, { given }] of own.entries())
    for (const call of listOf(given['tool_calls'])) if (isObject(call) && call['id']) ofCall.set(call['id'], keys[at]);
  const keyOf = (step: RunStep, at: number): string | undefined =>
    keys[at] ?? (step.part === 'tool' ? ofCall.get(step.given.returned?.[0]?.['id'] ?? null) : undefined) ?? first;
  return [...different].map((key) => own.filter((step, at) => keyOf(step, at) === key));
}

/** `group`: the steps of one example of several; undefined: all. */
function runOf(
  group: readonly RunStep[] | undefined,
  trace: Trace,
  namesModels: boolean,
): Omit<Run, 'isNamed'> | undefined {
  const steps = group ?? trace.steps;
  const models = steps.filter(({ part }) => part === 'model');
  const first = models[0];
  if (first === undefined) return undefined;
  const field = (name: string): Json | undefined =>
    near(trace, first, name) ??
    trace.root?.given[name] ??
    (group === undefined ? anyOf(steps, name) : undefined) ??
    sharedOf(steps, name);
  const ofRoot = (name: string): Json | undefined => trace.root?.given[name] ?? field(name);
  const { calls, results, strays, unrecordedCalls } = exchanged(steps, trace.byId);
  const last = models.at(-1)!.given;
  const given = {
    example_id: field('example_id'),
    ...timesOf(steps),
    model: ofRoot('model'),
    agent: ofRoot('agent'),
    tags: tagsOf(trace, first, steps, namesModels ? models : []),
    run: field('run'),
    label: lastOf(models, 'label') ?? field('label'),
    tool_calls: calls.length > 0 || models.some((step) => hasList(step, 'tool_calls')) ? calls : undefined,
    results: results.length === 0 ? undefined : (results as unknown as readonly Json[]),
    unfinished: isUnfinished(models, results.length > 0) || undefined,
    tools: toolsOf(models),
    output: lastOf(models, 'output'),
    error: last['error'],
    success: field('success'),
    refused: last['refused'],
    words: models.some((step) => step.given['words'] === true) || undefined,
    unreadable: anyOf(models, 'unreadable'),
    unrecorded: unrecordedIn(models, unrecordedCalls),
    steps: models.length,
  };
  const place = earliest(steps);
  return { given: present(given), offset: place.offset, element: place.element, strays };
}

/** Content that was not recorded: `true` any message, `calls` the calls that an answer says it made, where nothing else says which. */
function unrecordedIn(models: readonly RunStep[], unrecordedCalls: number): Json | undefined {
  return unrecordedCalls > 0 ? 'calls' : models.every(({ given }) => given['unrecorded'] === true) || undefined;
}

/** A field of a step, else of the steps around it and before it. */
function near({ byId }: Trace, step: RunStep, name: string): Json | undefined {
  const seen = new Set<RunStep>();
  for (let at: RunStep | undefined = step; at !== undefined && !seen.has(at); at = beforeOf(at, byId)) {
    const value = at.given[name];
    if (value !== undefined) return value;
    seen.add(at);
  }
  return undefined;
}

function anyOf(steps: readonly RunStep[], name: string): Json | undefined {
  return steps.find(({ given }) => given[name] !== undefined)?.given[name];
}

function lastOf(steps: readonly RunStep[], name: string): Json | undefined {
  return steps.findLast(({ given }) => given[name] !== undefined)?.given[name];
}

function sharedOf(steps: readonly RunStep[], name: string): Json | undefined {
  return steps.find(({ given }) => given.shared?.[name] !== undefined)?.given.shared?.[name];
}

/** Tags of the root count before those of the first step of a model, then those of the steps around it. */
function tagsOf(
  trace: Trace,
  first: RunStep,
  steps: readonly RunStep[],
  models: readonly RunStep[],
): JsonObject | undefined {
  const around: RunStep[] = [];
  for (let at: RunStep | undefined = first; at !== undefined && !around.includes(at); at = parentOf(at, trace.byId))
    around.push(at);
  const given = [
    sharedOf(steps, 'tags'),
    ...around.reverse().map((step) => step.given['tags']),
    trace.root?.given['tags'],
  ];
  const tags = Object.assign({}, ...given.filter(isObject)) as { [name: string]: Json };
  const names = new Set(
    models.flatMap((step) => (typeof step.given['model'] === 'string' ? [step.given['model']] : [])),
  );
  if (names.size > 0) tags['models'] = [...names].sort().join(',');
  return Object.keys(tags).length === 0 ? undefined : tags;
}

/** The tools of all lists, each name once: the first counts. A list that is empty says that there were none. */
function toolsOf(models: readonly RunStep[]): readonly Json[] | undefined {
  if (!models.some((step) => hasList(step, 'tools'))) return undefined;
  const tools = new Map<string | number, Json>();
  for (const { given } of models)
    for (const tool of listOf(given['tools'])) {
      const name = toolName(tool) ?? tools.size;
      if (!tools.has(name)) tools.set(name, tool);
    }
  return [...tools.values()];
}

/** Returns whether a run with results ends in a call, or its last answer was cut off: no words follow. As a list of messages tells it. */
function isUnfinished(models: readonly RunStep[], hasResults: boolean): boolean {
  const said = models.findLast((step) => hasCall(step) || ['output', 'refused'].some((name) => name in step.given));
  const endsInCall = said !== undefined && hasCall(said) && said.given['closes'] !== true;
  return models.at(-1)!.given['unfinished'] === true || (endsInCall && hasResults);
}

function hasCall({ given }: RunStep): boolean {
  return listOf(given['tool_calls']).length > 0;
}

function hasList({ given }: RunStep, name: string): boolean {
  return Array.isArray(given[name]);
}

function earliest(steps: readonly RunStep[]): RunStep {
  return steps.reduce((a, b) => (b.offset < a.offset || (b.offset === a.offset && b.element < a.element) ? b : a));
}

/** The end of the last step, and the seconds since the first began; what surrounds them has no time. */
function timesOf(steps: readonly RunStep[]): { readonly ts: Json | undefined; readonly run_seconds: Json | undefined } {
  const timed = steps.filter(({ part, ts }) => part !== 'context' && !Number.isNaN(ts));
  const ts = timed.reduce((last, step) => Math.max(last, step.ts), Number.NEGATIVE_INFINITY);
  const began = timed.reduce((first, step) => Math.min(first, step.start), Number.POSITIVE_INFINITY);
  return { ts: finite(ts), run_seconds: finite((ts - began) / 1000) };
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined;
}
