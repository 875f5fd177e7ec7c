import { parseJson } from '../scoring/parse-json.ts';
import { inRange } from '../scoring/timestamp.ts';
import { hash128OfText } from '../state/containers/hash128.ts';
import { seenBefore } from '../state/dedupe.ts';
import { watermarkOf } from '../state/event-time.ts';
import {
  addStep,
  endOf,
  type KeptStep,
  type OpenRun,
  type OpenRuns,
  queuedBefore,
  queueRun,
  rememberEnd,
  removeRun,
  traceOfKey,
} from '../state/open-runs.ts';
import type { PartitionState } from '../state/partition.ts';
import { addPlainSpans, type PlainSpans, plainSpansOf, removePlainSpans } from '../state/plain-spans.ts';
import { withAgentAnswers } from './agent-answers.ts';
import { assembled, type Run } from './assembly.ts';
import { stepsById } from './chains.ts';
import type { Reader, Step } from './event.ts';
import { count } from './input-notes.ts';
import type { FoldOutput } from './output.ts';
import { endOfWait, type First, firstOf } from './run-ends.ts';
import { type RunStep, throughPlain } from './step-tree.ts';
import { contentWithin, isAnswer, partsOf, unfolded } from './trace-parts.ts';

/** Parts of a fold that putting runs together needs. */
export interface Assembling {
  readonly state: PartitionState;
  readonly reader: Reader;
  readonly out: Pick<FoldOutput, 'input' | 'runSeconds'>;
}

/**
 * Adds a step with its resolved time to its run. A step that came before is a duplicate; one whose run has ended is late, and changes no
 * number. Gives the runs that a limit ends; undefined for a duplicate.
 */
export function takeStep(assembling: Assembling, step: Step, ts: number): readonly Run[] | undefined {
  const { state } = assembling;
  if (step.id !== undefined && isRepeated(assembling, step, step.id, ts)) return undefined;
  state.numbers.steps++;
  return fileStep(assembling, { ...step, ts, start: Number.isNaN(step.start) ? ts : step.start });
}

/** Adds a step to its open run, or to a new one. */
function fileStep(assembling: Assembling, step: Step): readonly Run[] {
  const { numbers, openRuns } = assembling.state;
  const end = endOf(openRuns, step.run);
  if (end !== undefined && (openRuns.plan.wholeTraces || step.ts <= end.ms)) {
    noteLate(assembling, step);
    return [];
  }
  const isNew = !openRuns.byKey.has(step.run);
  const { offset, element, part, id, parent, follows, ts, start, ends, content, toolsText } = step;
  const lagMs = Math.max(0, numbers.greatestTs - ts);
  const entry = { offset, element, part, id, parent, follows, ts, start, ends, lagMs, toolsText };
  const run = addStep(openRuns, step.run, entry, content);
  if (isNew) numbers.runs++;
  if (isNew && end?.isCut) noteCut(assembling, step.run, step);
  return overLimits(assembling, run);
}

/** Keeps the plain spans of a trace until its run ends. One whose run has ended needs none. */
export function takePlainSpans({ openRuns }: PartitionState, spans: PlainSpans): void {
  if (endOf(openRuns, spans.run) === undefined) addPlainSpans(openRuns, spans);
}

/** Ends the runs that the watermark has passed; the runs that they make, in the order of their ends. */
export function endRuns(assembling: Assembling): Run[] {
  const { state } = assembling;
  const horizonMs = watermarkOf(state);
  const made: Run[] = [];
  for (;;) {
    const due = dueBefore(state.openRuns, horizonMs);
    if (due.length === 0) return made;
    for (const each of due) made.push(...endRun(assembling, each));
  }
}

/** Ends all runs: the log has no further records. */
export function endAllRuns(assembling: Assembling): Run[] {
  const { openRuns } = assembling.state;
  const made: Run[] = [];
  // Traces give their steps to runs that are open.
  for (const run of openRuns.runs.values())
    if (traceOfKey(run.key) !== undefined) made.push(...endRun(assembling, firstOf(openRuns, run)));
  for (let run = oldest(openRuns); run !== undefined; run = oldest(openRuns))
    made.push(...endRun(assembling, firstOf(openRuns, run)));
  return made;
}

const identity = new Uint32Array(4);

function isRepeated({ state, out }: Assembling, step: Step, id: string, ts: number): boolean {
  const { offset, element, run, content } = step;
  hash128OfText(content, identity, 0);
  const contentHash = identity[0]!;
  hash128OfText(`${run.length} ${run}${id}`, identity, 0);
  identity[3] = contentHash;
  const seen = seenBefore(state.dedupe, identity, 0, ts, state.numbers.greatestTs);
  if (seen === 'unverified') state.numbers.unverified++;
  if (seen === 'new' || seen === 'unverified') return false;
  state.numbers.duplicates++;
  if (seen === 'conflict') count({ state, notes: out.input, offset, element }, 'conflicts', 1, `${id} of run ${run}`);
  return true;
}

function noteLate(
  { state, out }: Assembling,
  { offset, element, run }: Pick<Step, 'offset' | 'element' | 'run'>,
): void {
  count({ state, notes: out.input, offset, element }, 'late_steps', 1, `run ${run}`);
}

/** Notes a run that ended without an answer since no step came for too long, by a step that came then. */
function noteCut({ state, out }: Assembling, run: string, { offset, element }: Pick<Step, 'offset' | 'element'>): void {
  count({ state, notes: out.input, offset, element }, 'runs_cut', 1, `run ${run}`);
}

/** Ends a run that has as many steps as it may have, and the oldest ones beyond the number of runs that may be open. */
function overLimits(assembling: Assembling, run: OpenRun): readonly Run[] {
  const { openRuns, limitHits } = assembling.state;
  const { stepsMax, runsMax } = openRuns.plan;
  const made: Run[] = [];
  const cut = (open: OpenRun, limit: 'run_steps' | 'open_runs'): void => {
    limitHits[limit]++;
    const first = firstOf(openRuns, open);
    // What comes of a run that was cut is no longer of it.
    const untilMs = first.isOver ? first.untilMs : first.lastMs;
    made.push(...endRun(assembling, { ...first, untilMs, isIdle: false }));
  };
  if (run.steps.length >= stepsMax) cut(run, 'run_steps');
  // Settings may allow less than they did; and the rest of a key's steps is open again.
  while (openRuns.runs.size > runsMax) cut(oldest(openRuns)!, 'open_runs');
  return made;
}

function oldest({ runs }: OpenRuns): OpenRun | undefined {
  for (const run of runs.values()) return run;
  return undefined;
}

function dueBefore(openRuns: OpenRuns, horizonMs: number): First[] {
  const due: First[] = [];
  const later: First[] = [];
  const seen = new Set<OpenRun>();
  for (const run of queuedBefore(openRuns, horizonMs)) {
    if (seen.has(run)) continue;
    seen.add(run);
    const found = firstOf(openRuns, run);
    (endOfWait(found) < horizonMs ? due : later).push(found);
  }
  for (const each of later) queueRun(openRuns, each.run, endOfWait(each));
  return due.sort((a, b) => endOfWait(a) - endOfWait(b) || a.run.first - b.run.first);
}

/** Takes the first steps out of a run, makes its events of them, and opens a run of the rest. */
function endRun(assembling: Assembling, { run, steps, chain, count: taken, isIdle, untilMs }: First): readonly Run[] {
  const { state } = assembling;
  const { openRuns, numbers, settings } = state;
  const { wholeTraces } = openRuns.plan;
  const ended = chain.slice(0, taken);
  const plain = plainSpansOf(openRuns, run.key);
  removePlainSpans(openRuns, run.key);
  removeRun(openRuns, run);
  const traceId = traceOfKey(run.key);
  if (traceId !== undefined) return partTrace(assembling, traceId, ended, plain);
  const isCut = isIdle && !wholeTraces && ended.findLast(({ part }) => part === 'model')?.ends !== true;
  rememberEnd(openRuns, run.key, wholeTraces ? Math.max(numbers.greatestTs, untilMs) : untilMs, isCut);
  if (isCut && chain[taken] !== undefined) noteCut(assembling, run.key, chain[taken]);
  const key = wholeTraces ? run.key : (ended[0]!.id ?? `run@${ended[0]!.start}`);
  const namesModels = settings.dimensions.includes('tags.models');
  const read = throughPlain(
    ended.map((step) => readStep(step, run.key)),
    plain,
  );
  const made = assembled(key, read, namesModels);
  numbers.runs += made.length - 1;
  for (const each of made) noteRun(assembling, run.key, each);
  if (made.length === 0) noteWithout(assembling, run.key, ended);
  const gone = new Set(ended);
  const rest = steps.filter((step) => !gone.has(step));
  if (rest.length === 0) return made;
  numbers.runs++;
  // In the order in which they came.
  for (const step of rest.sort((a, b) => a.place - b.place)) addStep(openRuns, run.key, step, step.content);
  return made;
}

/** Gives the steps of a trace to the runs of their keys. An answer that has none is a run by itself. */
function partTrace(
  assembling: Assembling,
  traceId: string,
  kept: readonly KeptStep[],
  plain: ReadonlyMap<string, string>,
): readonly Run[] {
  const { numbers, settings } = assembling.state;
  const linked = throughPlain(
    kept.map((step) => readStep(step, traceId)),
    plain,
  );
  const steps = withAgentAnswers(linked, stepsById(linked));
  const { keyed, alone } = partsOf(steps);
  const idOf = (at: number | undefined): string | undefined =>
    at === undefined || steps[at]!.id === undefined ? undefined : `${traceId}-${steps[at]!.id}`;
  const made = alone.flatMap((group) => {
    const key = `${traceId}-${group.find(({ part }) => part === 'model')!.id}`;
    return assembled(key, group, settings.dimensions.includes('tags.models'));
  });
  numbers.runs += made.length - 1;
  for (const each of made) noteRun(assembling, traceId, each);
  const cut = keyed.flatMap(({ key, at, around, parent }) => {
    const content = contentWithin(
      around.map((each) => kept[each]!.content),
      kept[at]!.content,
    );
    const { part } = steps[at]!;
    const more = { run: key, part, id: idOf(at), parent: idOf(parent), ends: isAnswer(steps[at]!), content };
    return fileStep(assembling, { ...kept[at]!, ...more });
  });
  return [...made, ...cut];
}

/** A time that only orders steps without one is none. */
function readStep({ content, toolsText, ...step }: KeptStep, run: string): RunStep {
  const given = unfolded(parseJson(content) as RunStep['given'], step.part === 'model');
  const tools = toolsText === undefined ? undefined : parseJson(toolsText);
  const [ts, start] = [step.ts, step.start].map((ms) => (inRange(ms) ? ms : Number.NaN)) as [number, number];
  return { ...step, ts, start, run, given: tools === undefined ? given : ({ ...given, tools } as RunStep['given']) };
}

/** Notes a run that was made. */
function noteRun({ state, out }: Assembling, run: string, { given, isNamed, strays, offset, element }: Run): void {
  if (typeof given['run_seconds'] === 'number') out.runSeconds.push(given['run_seconds']);
  const noting = { state, notes: out.input, offset, element };
  if (!isNamed) count(noting, 'runs_unnamed', 1, `run ${run}`);
  if (strays.length > 0) count(noting, 'results_unmatched', strays.length, `${strays[0]} in run ${run}`);
}

/** Notes a run that the root of a trace began, and of which no answer of a model came. */
function noteWithout({ state, out }: Assembling, run: string, steps: readonly KeptStep[]): void {
  const root = steps.find(({ ends, content }) => ends && content !== '{}');
  if (root === undefined) return;
  const { offset, element } = root;
  count({ state, notes: out.input, offset, element }, 'runs_split', 1, `run ${run}`);
}
