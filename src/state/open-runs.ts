import { assert } from './containers/assert.ts';
import { hash128OfText } from './containers/hash128.ts';
import { createHeap, type Heap, popItem, pushItem } from './containers/heap.ts';
import {
  bucketMs,
  bucketOf,
  contentOf as contentHashOf,
  createIds,
  forgetBelow,
  type Ids,
  meet,
  timeKnown,
} from './containers/ids.ts';
import { appendText, createPendingLog, type PendingLog, removeText } from './containers/pending-log.ts';
import type { LimitHits } from './limit-hits.ts';
import { filePlainSpans, type PlainSpansByRun } from './plain-spans.ts';
import type { RunPlan, Settings } from './settings.ts';
import { contentOf, entryOf, sharedLength, type StepEntry, textOf } from './step-text.ts';

/** Steps of runs that have not ended, and the runs that ended lately (docs/reference/runs.md). */
export interface OpenRuns {
  /** A text for each step, `s` and its entry, then its content; for each list of tools of a run, `t` and the list; for plain spans, `l` and their ids. */
  readonly log: PendingLog;
  /** By the number of their first step: the oldest comes first. */
  readonly runs: Map<number, OpenRun>;
  readonly byKey: Map<string, OpenRun>;
  /** First numbers of runs, by a time at which the run may end or earlier. May hold some that ended. */
  readonly queue: Heap;
  /** Keys of runs that ended, with the event time at which they did. */
  readonly ended: Ids;
  /** Spans between the steps of a trace. */
  readonly plain: { readonly byRun: PlainSpansByRun; count: number };
  readonly plan: RunPlan;
  readonly limitHits: LimitHits;
  /** One text for equal lists of tools: each step of an agent repeats its list. */
  readonly toolTexts: Map<string, string>;
}

/** A run that may get further steps. */
export interface OpenRun {
  readonly key: string;
  readonly first: number;
  /** Numbers of its steps, in the order in which they came. */
  readonly steps: number[];
  /** Numbers of its lists of tools. */
  readonly tools: number[];
  /** Greatest event time of its steps. */
  latest: number;
  /** Earliest event time at which a step ends it; Infinity where none does. */
  endsAt: number;
  /** How far the partition's event time was ahead of a step when it came, at most. */
  lagMs: number;
  /** Event time at which the queue shows it next. */
  queuedMs: number;
}

/** A step as it is kept, with the JSON of its content and of its tools. */
export interface KeptStep extends StepEntry {
  /** Its number: steps of one time lie in this order. */
  readonly place: number;
  readonly content: string;
  readonly toolsText: string | undefined;
}

/** The key under which the steps of a trace wait until they show which runs they are of. No other key begins so. */
export function traceKey(traceId: string): string {
  return tracePrefix + traceId;
}

/** The trace of such a key; undefined for the key of a run. */
export function traceOfKey(key: string): string | undefined {
  return key.startsWith(tracePrefix) ? key.slice(tracePrefix.length) : undefined;
}

const tracePrefix = '\0trace ';

/** Open runs of a log that has no texts, or of one whose texts are indexed next. */
export function createOpenRuns(
  { runs: plan }: Settings,
  limitHits: LimitHits,
  log: PendingLog = createPendingLog(),
  ended: Ids = createIds(),
): OpenRuns {
  const queue = createHeap((number, other) => number < other);
  const plain = { byRun: new Map(), count: 0 };
  return { log, runs: new Map(), byKey: new Map(), queue, ended, plain, plan, limitHits, toolTexts: new Map() };
}

/** Indexes the texts of a restored log. */
export function restoreOpenRuns(open: OpenRuns): void {
  for (const [number, text] of open.log.texts) {
    if (text.startsWith('t')) {
      open.log.texts.set(number, sharedText(open, text));
      continue;
    }
    if (text.startsWith('l')) {
      // Of a state that is only shown, there is no more of it.
      if (text.length > 1) filePlainSpans(open, number);
      continue;
    }
    const { entry, key, first } = entryOf(text);
    fileStep(open, open.runs.get(first) ?? begun(open, key!, number), number, entry);
  }
}

/** Adds a step to the open run of its key, or begins one. `toolsText`: the JSON of its list of tools. */
export function addStep(
  open: OpenRuns,
  key: string,
  { toolsText, ...step }: Omit<StepEntry, 'tools' | 'shared'> & { readonly toolsText: string | undefined },
  content: string,
): OpenRun {
  const known = open.byKey.get(key);
  const tools = toolsText === undefined ? -1 : toolsNumber(open, known, toolsText);
  // The steps of a run begin alike: model, agent, example.
  const shared = known === undefined ? 0 : sharedLength(contentOf(open.log.texts.get(known.first)!), content);
  const entry = { ...step, tools, shared };
  const number = appendText(open.log, textOf(known === undefined ? key : known.first, entry, content.slice(shared)));
  const run = known ?? begun(open, key, number);
  fileStep(open, run, number, entry);
  return run;
}

/** The steps of an open run, in the order in which they came. */
export function stepsOf(open: OpenRuns, { steps, first }: OpenRun): KeptStep[] {
  const { texts } = open.log;
  const firstContent = contentOf(texts.get(first)!);
  return steps.map((number) => {
    const text = texts.get(number)!;
    const { entry } = entryOf(text);
    const content = firstContent.slice(0, entry.shared) + contentOf(text);
    const toolsText = entry.tools < 0 ? undefined : texts.get(entry.tools)!.slice(1);
    return { ...entry, place: number, content, toolsText };
  });
}

/** Takes a run out, with all its steps. */
export function removeRun(open: OpenRuns, run: OpenRun): void {
  assert(open.runs.delete(run.first), 'a run is ended that is not open');
  open.byKey.delete(run.key);
  for (const number of [...run.steps, ...run.tools]) removeText(open.log, number);
}

/** Takes the runs out of the queue that may end before a time, in the order of that time. */
export function* queuedBefore({ queue, runs }: OpenRuns, horizonMs: number): Generator<OpenRun> {
  while (queue.size > 0 && queue.times[0]! < horizonMs) {
    const run = runs.get(queue.items[0]!);
    popItem(queue);
    if (run !== undefined) yield run;
  }
}

/** Has the queue show a run at a time. */
export function queueRun({ queue }: OpenRuns, run: OpenRun, atMs: number): void {
  run.queuedMs = atMs;
  pushItem(queue, atMs, run.first);
}

const endedKey = new Uint32Array(4);

/** Remembers that the run of a key has ended; `isCut`: without an answer, since no step came for too long. */
export function rememberEnd({ ended, plan }: OpenRuns, key: string, ms: number, isCut: boolean): void {
  if (ended.size >= endedPerOpen * plan.runsMax) forgetBelow(ended, (Math.min(...ended.counts.keys()) + 1) * bucketMs);
  hash128OfText(key, endedKey, 0);
  endedKey[3] = isCut ? cut : 0;
  meet(ended, endedKey, 0, ms, Number.POSITIVE_INFINITY);
}

/** The event time at which the last run of a key ended, and whether it was cut; undefined where none ended lately. */
export function endOf({ ended }: OpenRuns, key: string): { readonly ms: number; readonly isCut: boolean } | undefined {
  hash128OfText(key, endedKey, 0);
  const ms = timeKnown(ended, endedKey, 0);
  return ms === undefined ? undefined : { ms, isCut: contentHashOf(ended, endedKey, 0) === cut };
}

/** Forgets the ends of long ago. Called when event time has moved. */
export function evictEnds({ ended }: OpenRuns, evictionMs: number): void {
  forgetBelow(ended, bucketOf(evictionMs - endsKeptMs) * bucketMs);
}

/** Steps that come later than this after the end of their run begin a new one. */
const endsKeptMs = 48 * 3_600_000;
/** Runs that ended are remembered, for each that may be open. */
export const endedPerOpen = 10;
/** Stands in place of a hash of content; earlier releases left that of the key there. */
const cut = 1;
/** Different lists of tools of which one text is shared. */
const toolTextsMax = 1_000;

function begun(open: OpenRuns, key: string, first: number): OpenRun {
  const run: OpenRun = {
    ...{ key, first, steps: [], tools: [] },
    ...{ latest: Number.NEGATIVE_INFINITY, endsAt: Number.POSITIVE_INFINITY, lagMs: 0 },
    queuedMs: Number.POSITIVE_INFINITY,
  };
  open.runs.set(first, run);
  open.byKey.set(key, run);
  return run;
}

function fileStep(open: OpenRuns, run: OpenRun, number: number, { ts, ends, lagMs, tools }: StepEntry): void {
  run.steps.push(number);
  if (tools >= 0 && !run.tools.includes(tools)) run.tools.push(tools);
  run.latest = Math.max(run.latest, ts);
  run.lagMs = Math.max(run.lagMs, lagMs);
  const isEnd = open.plan.endsAtOnce && ends;
  if (isEnd) run.endsAt = Math.min(run.endsAt, ts);
  // Any other step puts the end off: the run is looked at as it was queued, and again then.
  const mayEndAt = isEnd ? ts : ts + open.plan.idleMs;
  if (mayEndAt < run.queuedMs) queueRun(open, run, mayEndAt);
}

/** The number of a list of tools that the run has already, or of the one that is added. */
function toolsNumber({ log, ...open }: OpenRuns, run: OpenRun | undefined, toolsText: string): number {
  const text = sharedText(open, `t${toolsText}`);
  return run?.tools.find((number) => log.texts.get(number) === text) ?? appendText(log, text);
}

function sharedText({ toolTexts }: Pick<OpenRuns, 'toolTexts'>, text: string): string {
  const shared = toolTexts.get(text);
  if (shared !== undefined) return shared;
  if (toolTexts.size >= toolTextsMax) toolTexts.clear();
  toolTexts.set(text, text);
  return text;
}
