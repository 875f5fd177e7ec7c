import { isObject, type Json, type JsonObject } from '../scoring/json.ts';
import { callsOfReturns, type Returned, type Result } from './results.ts';
import { isLog, isWithinTool, type RunStep, type StepsById } from './step-tree.ts';

/** The calls of a run, and what came back for them. */
export interface Exchange {
  readonly calls: readonly Json[];
  /** A call that was tried several times has its attempts in the order of their ends: the last counts. */
  readonly results: readonly Result[];
  /** Tools that ran without a call of theirs. */
  readonly strays: readonly string[];
  /** Number of answers that ended in calls which were not recorded, and which no tool tells. */
  readonly unrecordedCalls: number;
}

/**
 * The calls that the answers of models made, with their results. Where an answer was recorded without its calls, tools that ran without a call
 * are the calls. Results that tools gave themselves count before those that an answer, or a log record within it, repeats.
 *
 * @example exchanged([model without messages, tool f], byId) // { calls: [{ name: 'f' }], results: [{ call: 0, ok: true }], strays: [] }
 */
export function exchanged(steps: readonly RunStep[], byId: StepsById): Exchange {
  const made = steps.flatMap((step) => (step.part === 'model' ? listOf(step.given['tool_calls']) : []));
  const isRun = (step: RunStep): boolean => step.part === 'tool' && !isLog(step);
  const returns = [...steps.filter(isRun), ...steps.filter((step) => !isRun(step))].flatMap((step) =>
    (step.given.returned ?? []).map((given) => ({ step, given, isRun: isRun(step) })),
  );
  const named = made.map((call) => (isObject(call) ? { id: textOf(call['id']), name: call['name'] } : undefined));
  const places = callsOfReturns(
    named,
    returns.map(({ given }) => returnedOf(given)),
  );
  const strays: Return[] = [];
  const ofCall = new Map<number, Return[]>();
  returns.forEach((one, index) => {
    const { call, isAgain } = places[index]!;
    if (call === undefined) {
      if (one.isRun && !isWithinTool(one.step, byId)) strays.push(one);
    } else if (one.isRun || !isAgain) ofCall.set(call, [...(ofCall.get(call) ?? []), one]);
  });
  const takesStrays = steps.some(isUnseen);
  const calls = inOrder(steps, { made, ofCall, strays: takesStrays ? strays : [] });
  return {
    calls: calls.map(({ call }) => call),
    results: calls.flatMap(({ returns: some }, call) => some.sort(byEnd).flatMap((one) => resultsOf(call, one))),
    strays: takesStrays ? [] : strays.map(({ given: { name, id } }) => textOf(name) ?? textOf(id) ?? ''),
    // Each of them made one call at least.
    unrecordedCalls: Math.max(0, steps.filter(endsInUnseen).length - (calls.length - made.length)),
  };
}

/** Returns whether an answer of a model was recorded without its calls, or not at all. */
function isUnseen({ part, given }: RunStep): boolean {
  const { unrecorded, tool_calls: calls, output, error, refused } = given;
  if (part !== 'model' || unrecorded === undefined || calls !== undefined) return false;
  return unrecorded !== true || [output, error, refused].every((each) => each === undefined);
}

function endsInUnseen({ part, given }: RunStep): boolean {
  return part === 'model' && given['unrecorded'] === 'calls' && given['tool_calls'] === undefined;
}

/** The return of a call, and the step that says so; `isRun`: the tool itself. */
interface Return {
  readonly step: RunStep;
  readonly given: JsonObject;
  readonly isRun: boolean;
}

interface Parts {
  readonly made: readonly Json[];
  readonly ofCall: ReadonlyMap<number, Return[]>;
  readonly strays: readonly Return[];
}

/** The calls in the order of the steps, those of tools that ran without one among them. */
function inOrder(steps: readonly RunStep[], { made, ofCall, strays }: Parts): { call: Json; returns: Return[] }[] {
  let next = 0;
  return steps.flatMap((step) => {
    const own = step.part === 'model' ? listOf(step.given['tool_calls']) : [];
    const calls = own.map(() => ({ call: made[next]!, returns: ofCall.get(next++) ?? [] }));
    const ran = strays.filter((one) => one.step === step && firstWith(strays, one) === one);
    return [...calls, ...ran.map((one) => ({ call: callOf(one.given), returns: attemptsOf(strays, one) }))];
  });
}

/** Runs of a tool under one id are attempts at one call. */
function attemptsOf(strays: readonly Return[], one: Return): Return[] {
  const id = textOf(one.given['id']);
  return id === undefined ? [one] : strays.filter(({ given }) => textOf(given['id']) === id);
}

function firstWith(strays: readonly Return[], one: Return): Return {
  return attemptsOf(strays, one)[0]!;
}

function callOf({ id, name, arguments: given }: JsonObject): JsonObject {
  return { ...(id !== undefined && { id }), ...(name !== undefined && { name }), arguments: given ?? {} };
}

/** The result of a return; none where its tool did not end. */
function resultsOf(call: number, { given }: Return): Result[] {
  if (given['ok'] === undefined) return [];
  const { ok, error, output } = returnedOf(given);
  return [{ call, ok, ...(error !== undefined && { error }), ...(output !== undefined && { output }) }];
}

function byEnd(a: Return, b: Return): number {
  return a.step.ts - b.step.ts || 0;
}

function returnedOf({ id, name, ok, error, output }: JsonObject): Returned {
  return { id: textOf(id), name: textOf(name), ok: typeof ok === 'boolean' ? ok : null, error: textOf(error), output };
}

/** The run of a tool, with what the runs of the same call within it say: its result where it has none of its own, and that the last of them failed. */
export function withInnerRuns(step: RunStep, inner: readonly RunStep[]): RunStep {
  const own = step.given.returned?.[0];
  const last = [...inner].sort((a, b) => a.ts - b.ts || 0).findLast(({ given }) => given.returned?.[0]?.['ok'] != null);
  const within = last?.given.returned?.[0];
  if (own === undefined || within === undefined) return step;
  const { ok, error } = within;
  const failed = ok === false && own['ok'] !== false;
  const all = { ...within, ...own, ...(failed && { ok, ...(error !== undefined && { error }) }) };
  return { ...step, given: { ...step.given, returned: [all] } };
}

/** A text; undefined for any other value. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The elements of a list; none of any other value. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
