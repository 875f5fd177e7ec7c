import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/scoring/json.ts';
import { assembled, type Run } from '../../src/stream/assembly.ts';
import type { StepContent } from '../../src/stream/event.ts';
import type { RunStep } from '../../src/stream/step-tree.ts';

/** A step in short: its time, its content, and what differs from an answer of a model without an id. */
export interface Short extends Partial<Omit<RunStep, 'given'>> {
  readonly at: number;
  readonly given?: JsonObject;
}

export const startMs = Date.UTC(2026, 0, 1);

function stepsOf(steps: readonly Short[]): RunStep[] {
  return steps.map(({ at, given = {}, ...more }, offset) => ({
    ...{ offset, element: -1, part: 'model', run: 'r', id: undefined, parent: undefined, follows: undefined },
    ...{ ts: startMs + at * 1_000, start: startMs + at * 1_000, ends: false, given: given as StepContent },
    ...more,
  }));
}

export function runsOf(steps: readonly Short[], namesModels = false): readonly Run[] {
  return assembled('key', stepsOf(steps), namesModels);
}

/** The fields of the one run of some steps. */
export function fieldsOf(steps: readonly Short[], namesModels = false): JsonObject {
  const runs = runsOf(steps, namesModels);
  assert.equal(runs.length, 1);
  return runs[0]!.given;
}

/** Calls without ids. */
export const named = (...names: readonly string[]): JsonObject => ({ tool_calls: names.map((name) => ({ name })) });
/** A call with an id. */
export const called = (id: string, name: string): JsonObject => ({ tool_calls: [{ id, name }] });
/** The run of a tool, with what it returned. */
export const tool = (at: number, returned: JsonObject, more: Partial<Short> = {}): Short => ({
  ...{ at, part: 'tool', given: { returned: [returned] } },
  ...more,
});
/** The root of a trace. */
export const root = (at: number, given: JsonObject = {}, more: Partial<Short> = {}): Short => ({
  ...{ at, part: 'context', id: 'root', ends: true, given },
  ...more,
});
/** The result of a tool that succeeded. */
export const ok = (id: string | undefined, name: string, output: string): JsonObject =>
  ({ ...(id !== undefined && { id }), name, ok: true, output }) as JsonObject;
