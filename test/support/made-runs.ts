import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { labels } from '../../src/scoring/label.ts';
import type { Step, StepContent } from '../../src/stream/event.ts';
import { callForms, type EventSpec, eventJson, outputForms, toolForms } from '../sim/event.ts';
import type { Random } from '../sim/prng.ts';
import { exampleCount } from '../sim/truth.ts';

/** A step of a run without its place in the log, its content as a value. */
export interface MadeStep extends Omit<Step, 'offset' | 'element' | 'content'> {
  readonly given: StepContent;
}

/** A run as its steps, and as one record. */
export interface MadeRun {
  readonly steps: readonly MadeStep[];
  readonly whole: JsonObject;
}

/**
 * Spans of traces; answers that share a key with other runs before and after; or answers that say which one they follow and share a key with a run
 * at the same time, whose clocks go wrong and count seconds.
 */
export type RunForm = 'trace' | 'answers' | 'linked';

export const baseMs: number = Date.UTC(2026, 5, 1);
export const idleMs = 60_000;
const spanMs = 600_000;

/** Runs of which no two are the same run of a group. */
export function madeRuns(random: Random, count: number, form: RunForm): readonly MadeRun[] {
  const runsOf = new Map<string, number>();
  const freeFrom = new Map<string, number>();
  return Array.from({ length: count }, (_, number) => {
    const spec = drawSpec(random);
    const group = `${spec.example} ${spec.model} ${spec.agent}`;
    const run = runsOf.get(group) ?? 0;
    runsOf.set(group, run + 1);
    const key = form === 'trace' ? `trace ${number}` : `conversation ${number >> 1}`;
    const isFirst = !freeFrom.has(key);
    const startMs = (freeFrom.get(key) ?? baseMs + random.int(spanMs)) + random.int(5_000);
    const made = madeRun(random, { ...spec, run }, { number, key, startMs, form });
    const last = made.steps.reduce((a, b) => (b.ts > a.ts ? b : a));
    // Runs of linked answers lie beside each other.
    if (form === 'linked') freeFrom.set(key, isFirst ? startMs : last.ts);
    else freeFrom.set(key, last.ts + (last.ends ? 1 : idleMs + 1));
    return made;
  });
}

function drawSpec(random: Random): EventSpec {
  return {
    ...{ example: random.int(exampleCount), eventId: undefined, tsMs: 0, tsForm: 'absent', run: undefined },
    model: random.pick(['m1', 'm2', undefined]),
    agent: random.pick(['a1', undefined]),
    env: random.pick(['prod', '__proto__', undefined]),
    label: random.chance(0.6) ? undefined : random.pick([...labels, 'nonsense']),
    calls: random.pick(callForms),
    output: random.pick(outputForms.filter((form) => form !== 'absent')),
    tools: random.pick(toolForms),
    error: random.chance(0.1),
    success: random.pick([true, false, undefined]),
  };
}

interface Place {
  readonly number: number;
  readonly key: string;
  readonly startMs: number;
  readonly form: RunForm;
}

function madeRun(random: Random, spec: EventSpec, { number, key, startMs, form }: Place): MadeRun {
  const { tool_calls: calls, tools, output, error, unknown, ...known } = eventJson(spec, true) as Fields;
  const { model, ...around } = known;
  const named = calls?.map((call, index) => ({ id: `call ${index}`, ...call }));
  const returned = resultsOf(random, named ?? []);
  const hasRoot = form === 'trace' && random.chance(0.8);
  const own = hasRoot ? { ...(model !== undefined && { model }) } : known;
  const { steps, add } = stepMaker(random, { number, key, startMs, form }, hasRoot);
  const toolsText = tools === undefined ? undefined : JSON.stringify(tools);
  let left: readonly JsonObject[] = [];
  const endsInCall = form !== 'linked' && named !== undefined && named.length > 0 && random.chance(0.3);
  for (const [from, to] of cuts(random, named?.length ?? 0)) {
    const isLast = endsInCall && to === named!.length;
    // Words and errors on the way are not those of the run.
    const way = isLast ? { output, error } : random.pick([{}, { output: 'on the way' }, { error: 'recovered from' }]);
    const repeated = left.length > 0 ? { returned: left } : {};
    add('model', { ...own, ...way, tool_calls: named!.slice(from, to), ...repeated }, { toolsText });
    const came = returned.slice(from, to);
    const byTools = form !== 'linked' && (isLast || random.chance(0.5)) ? came : [];
    for (const one of byTools) add('tool', { returned: [one] });
    // What a tool gave itself may be repeated by the next answer.
    left = byTools.length === 0 || random.chance(0.5) ? came : [];
  }
  // Of one answer without a link nothing tells which run it is of.
  if (form === 'linked' && steps.length === 0) add('model', { ...own, error: 'recovered from' }, { toolsText });
  const ends = form === 'linked' || (form === 'answers' && random.chance(0.7));
  const none = calls?.length === 0 && { tool_calls: [] };
  if (!endsInCall)
    add('model', { ...own, output, error, ...(left.length > 0 && { returned: left }), ...none }, { toolsText, ends });
  const lastMs = Math.max(...steps.map(({ ts }) => ts));
  const answers = steps.filter(({ part }) => part === 'model').length;
  if (hasRoot)
    steps.push({
      ...{ part: 'context', run: key, id: 'root', parent: undefined, ts: lastMs + random.int(900), start: startMs },
      ...{ ends: true, toolsText: undefined, given: around as StepContent },
    });
  const whole = {
    ...{ ...known, ts: lastMs, event_id: form === 'trace' ? key : `${number}-0` },
    ...{ tool_calls: named, tools, output, error, results: listedResults(returned) },
    ...{ steps: answers, run_seconds: (lastMs - Math.min(...steps.map(({ start }) => start))) / 1_000 },
    unfinished: endsInCall && returned.length > 0,
  };
  return { steps, whole: defined(whole) };
}

type Add = (part: Step['part'], given: object, more?: Partial<MadeStep>) => void;

/** Steps to which more are added, each begun where the one before ended. */
function stepMaker(
  random: Random,
  { number, key, startMs, form }: Place,
  hasRoot: boolean,
): { readonly steps: MadeStep[]; readonly add: Add } {
  const steps: MadeStep[] = [];
  const skewMs = 2_000;
  let ms = startMs;
  const add: Add = (part, given, more = {}) => {
    const start = form === 'linked' ? seconds(ms + random.int(skewMs)) : ms + 1 + random.int(500);
    const ts = start + random.int(form === 'trace' ? 10_000 : 1);
    ms = Math.max(ms, ts);
    const follows = form === 'linked' ? steps.at(-1)?.id : undefined;
    steps.push({
      ...{ part, run: key, id: `${number}-${steps.length}`, parent: hasRoot ? 'root' : undefined, follows, ts, start },
      ...{ ends: false, toolsText: undefined, given: given as StepContent },
      ...more,
    });
    ms += form === 'trace' ? 0 : random.int(10_000);
  };
  return { steps, add };
}

function seconds(ms: number): number {
  return 1_000 * Math.floor(ms / 1_000);
}

function listedResults(returned: readonly JsonObject[]): readonly object[] | undefined {
  return returned.length > 0 ? returned.map(({ id, name, ...result }, call) => ({ call, ...result })) : undefined;
}

interface Fields {
  readonly tool_calls?: readonly JsonObject[];
  readonly [name: string]: Json | undefined;
}

/** What came back for each call, where all calls have a name. */
function resultsOf(random: Random, calls: readonly JsonObject[]): readonly JsonObject[] {
  if (calls.some(({ name }) => typeof name !== 'string') || random.chance(0.3)) return [];
  return calls.map(({ id, name }) => ({
    ...(random.chance(0.7) ? { id: id! } : {}),
    ...{ name: name!, ok: random.chance(0.8), output: random.int(100) },
  }));
}

/** Spans of a list that follow each other. */
function cuts(random: Random, length: number): readonly (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  for (let from = 0; from < length; ) {
    const to = random.between(from + 1, length);
    found.push([from, to]);
    from = to;
  }
  return found;
}

function defined(fields: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}
