import type { Config } from '../../src/config/config.ts';
import { type EventSpec, eventJson } from './event.ts';
import type { AcceptedEvent } from './traffic.ts';

/**
 * The runs that the steps of a partition make by `runs.by: example`, worked out with lists and loops and none of the program's own code: the
 * rules of docs/reference/runs.md, read once more.
 */
export interface NaiveRuns {
  readonly open: Map<string, OpenStep[]>;
  /** By key: event time up to which steps belong to a run that has ended. */
  readonly ended: Map<string, number>;
  readonly config: Config;
  steps: number;
  late: number;
  /** Runs that have ended. */
  closed: number;
}

interface OpenStep {
  readonly event: AcceptedEvent;
  /** How far event time was ahead of it. */
  readonly lagMs: number;
}

export function createNaiveRuns(config: Config): NaiveRuns {
  return { open: new Map(), ended: new Map(), config, steps: 0, late: 0, closed: 0 };
}

/** The key of an event that is a step; undefined for a whole run. */
export function keyOfStep({ runs }: Config, { example, model, agent, run }: EventSpec): string | undefined {
  return runs.by === 'example' && run === undefined ? JSON.stringify([example, model, agent]) : undefined;
}

/** Takes a step; gives the run that has as many steps as it may have. */
export function takeNaiveStep(runs: NaiveRuns, key: string, event: AcceptedEvent, greatestTs: number): AcceptedEvent[] {
  runs.steps++;
  if (event.tsMs <= (runs.ended.get(key) ?? Number.NEGATIVE_INFINITY)) {
    runs.late++;
    return [];
  }
  const steps = runs.open.get(key) ?? [];
  runs.open.set(key, [...steps, { event, lagMs: Math.max(0, greatestTs - event.tsMs) }]);
  if (steps.length + 1 < runs.config.runs.steps) return [];
  const first = firstRun(runs, key);
  return [close(runs, key, first.isOver ? first : { ...first, untilMs: first.steps.at(-1)!.event.tsMs })];
}

/** The runs that the watermark ends. */
export function endNaiveRuns(runs: NaiveRuns, watermark: number): AcceptedEvent[] {
  const ended: AcceptedEvent[] = [];
  for (let before = -1; before < ended.length; ) {
    before = ended.length;
    for (const [key, steps] of [...runs.open]) {
      const first = firstRun(runs, key);
      if (first.untilMs + Math.max(...steps.map(({ lagMs }) => lagMs)) < watermark) ended.push(close(runs, key, first));
    }
  }
  return ended;
}

interface First {
  readonly steps: readonly OpenStep[];
  readonly isOver: boolean;
  readonly untilMs: number;
}

/** The first run of a key: up to an answer without a call, or to where no step follows for so long. */
function firstRun({ open, config }: NaiveRuns, key: string): First {
  const { end, idle } = config.runs;
  const steps = open.get(key)!.toSorted((a, b) => a.event.tsMs - b.event.tsMs);
  for (let at = 0; at < steps.length; at++) {
    const { tsMs, spec } = steps[at]!.event;
    if (end === 'auto' && answers(spec)) return { steps: steps.slice(0, at + 1), isOver: true, untilMs: tsMs };
    const next = steps[at + 1]?.event.tsMs;
    if (next === undefined || next - tsMs >= idle.ms)
      return { steps: steps.slice(0, at + 1), isOver: next !== undefined, untilMs: tsMs + idle.ms };
  }
  throw new Error('a run has steps');
}

function close(runs: NaiveRuns, key: string, { steps, untilMs }: First): AcceptedEvent {
  runs.closed++;
  runs.ended.set(key, untilMs);
  const left = runs.open.get(key)!.filter((step) => !steps.includes(step));
  if (left.length === 0) runs.open.delete(key);
  else runs.open.set(key, left);
  const specs = steps.map(({ event }) => event.spec);
  const hasCall = specs.some((spec) => callsOf(spec).length > 0);
  const label = specs.findLast((spec) => spec.label !== undefined)?.label ?? (hasCall ? 'tool_call' : undefined);
  const spec: EventSpec = { ...specs[0]!, label, calls: 'none' };
  return { reject: undefined, element: -1, spec, tsMs: Math.max(...steps.map(({ event }) => event.tsMs)) };
}

/** Returns whether a step answers without a call. */
function answers(spec: EventSpec): boolean {
  return callsOf(spec).length === 0 && spec.label !== 'tool_call' && !spec.error;
}

function callsOf(spec: EventSpec): readonly unknown[] {
  return (eventJson(spec, false)['tool_calls'] as readonly unknown[] | undefined) ?? [];
}
