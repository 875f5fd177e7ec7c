import type { Step, StepContent } from './event.ts';

/** A step whose content was read. */
export interface RunStep extends Omit<Step, 'content' | 'toolsText'> {
  readonly given: StepContent;
}

/** Puts each step into the step around it that lies nearest, past the plain spans between; `parents` has the span around each of these. */
export function throughPlain(steps: readonly RunStep[], parents: ReadonlyMap<string, string>): readonly RunStep[] {
  if (parents.size === 0) return steps;
  const ids = new Set(steps.map(({ id }) => id));
  return steps.map((step) => {
    const passed = new Set<string>();
    let { parent } = step;
    while (parent !== undefined && !ids.has(parent) && !passed.has(parent) && parents.has(parent)) {
      passed.add(parent);
      parent = parents.get(parent)!;
    }
    return parent === step.parent ? step : { ...step, parent };
  });
}

/** Steps of a trace by their ids. */
export type StepsById = ReadonlyMap<string, RunStep>;

/** The step that a step lies in; undefined where it lies in none, or that one never came. */
export function parentOf({ parent }: Pick<RunStep, 'parent'>, byId: StepsById): RunStep | undefined {
  return parent === undefined ? undefined : byId.get(parent);
}

/** The steps around one, from the inside out; a circle of parents ends where it began. */
export function* around(step: RunStep, byId: StepsById): Generator<RunStep> {
  const seen = new Set([step]);
  for (let at = parentOf(step, byId); at !== undefined && !seen.has(at); at = parentOf(at, byId)) {
    seen.add(at);
    yield at;
  }
}

/** The outermost step of a model around one, with no run of a tool between; itself where there is none. */
export function outermostModel(step: RunStep, byId: StepsById): RunStep {
  let outer = step;
  for (const at of around(step, byId)) {
    if (at.part === 'tool') break;
    if (at.part === 'model') outer = at;
  }
  return outer;
}

/** The outermost run of the same tool around the run of one: the client of MCP has a span of the call too. Itself where there is none. */
export function outermostTool(step: RunStep, byId: StepsById): RunStep {
  let outer = step;
  for (const at of around(step, byId)) {
    if (at.part === 'model') break;
    if (at.part === 'tool' && isSameCall(at, step)) outer = at;
  }
  return outer;
}

/** Returns whether the run of a tool lies in that of another tool: no answer of a model called it. */
export function isWithinTool(step: RunStep, byId: StepsById): boolean {
  for (const { part } of around(step, byId)) if (part !== 'context') return part === 'tool';
  return false;
}

/** Returns whether a step is a log record, whose id is that of its span with a name behind it. */
export function isLog({ id, parent }: Pick<RunStep, 'id' | 'parent'>): boolean {
  return id !== undefined && parent !== undefined && id.startsWith(`${parent}/`);
}

function isSameCall(outer: RunStep, inner: RunStep): boolean {
  const [a, b] = [outer, inner].map(({ given }) => given.returned?.[0]);
  if (a?.['id'] !== undefined && b?.['id'] !== undefined) return a['id'] === b['id'];
  const [name, own] = [a?.['name'], b?.['name']];
  if (typeof name !== 'string' || typeof own !== 'string') return false;
  // An agent may know the tool of a server by a longer name: `github__search`.
  return name === own || (name.endsWith(own) && /[^a-z0-9]/i.test(name.charAt(name.length - own.length - 1)));
}
