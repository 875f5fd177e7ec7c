import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { invalid, type Label, type LabelCode, labelCode, toolCall } from '../../src/scoring/label.ts';
import { exampleId, expectedCalls, referenceOf } from './truth.ts';

/** An event in a few small values, from which its JSON follows: what traffic is drawn as. */
export interface EventSpec {
  /** Number of its example; the truth of an example follows from its number (`truth.ts`). */
  readonly example: number;
  readonly eventId: string | undefined;
  readonly tsMs: number;
  /** How the event says its time: not at all, it is its record's. */
  readonly tsForm: 'text' | 'number' | 'absent';
  readonly model: string | undefined;
  readonly agent: string | undefined;
  readonly env: string | undefined;
  readonly run: number | undefined;
  readonly label: Label | 'nonsense' | undefined;
  readonly calls: (typeof callForms)[number];
  readonly output: (typeof outputForms)[number];
  readonly tools: (typeof toolForms)[number];
  readonly error: boolean;
  readonly success: boolean | undefined;
}

export const callForms = [
  'expected',
  'argument changed',
  'renamed',
  'dropped',
  'as text',
  'malformed',
  'none',
  'absent',
] as const;
export const outputForms = ['absent', 'reference', 'changed', 'text', 'call as text'] as const;
export const toolForms = ['absent', 'names', 'schemas', 'none'] as const;

/** The event as the value of a record. */
export function eventJson(spec: EventSpec, withExampleId: boolean): JsonObject {
  const { tsMs, tsForm, eventId, model, agent, env, run, label, success } = spec;
  const fields: Record<string, Json | undefined> = {
    example_id: withExampleId ? exampleId(spec.example) : undefined,
    event_id: eventId,
    ts: tsForm === 'absent' ? undefined : tsForm === 'number' ? tsMs : new Date(tsMs).toISOString(),
    model,
    agent,
    tags: env === undefined ? undefined : { env, unused: 1 },
    run,
    label,
    tool_calls: callsOf(spec),
    tools: toolsOf(spec),
    output: outputOf(spec),
    error: spec.error ? 'the agent failed' : undefined,
    success,
  };
  // A key that nothing reads is refused where nothing is decided.
  if ([label, fields['tool_calls'], fields['output'], fields['error']].some((each) => each !== undefined))
    fields['unknown'] = 'ignored';
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** A judgement on such an event as the value of a record. */
export function judgementJson(spec: EventSpec, withExampleId: boolean): JsonObject {
  const { example_id, ts, model, agent, tags } = eventJson(spec, withExampleId);
  const fields: Record<string, Json | undefined> = {
    ...{ example_id, ts, model, agent, tags, judgement: judgementName(spec), id: spec.eventId, by: spec.calls },
    score: spec.error ? undefined : (1 + (spec.example % 8)) / (judgementName(spec) === 'judge' ? 1 : 8),
    failed: spec.error ? 'timeout' : undefined,
    probability: spec.tools === 'absent' ? undefined : 0.3,
    exact: spec.success,
    cost: { input_tokens: 100, output_tokens: spec.example, usd: 0.1 },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** `judge` most of the time. */
export function judgementName({ output }: EventSpec): string {
  return output === 'absent' ? 'semantic' : output === 'text' ? 'mine' : 'judge';
}

/** The label that the event stands for, by the rules of the wire form. */
export function predictedLabel(spec: EventSpec): LabelCode {
  if (spec.label !== undefined) return labelCode(spec.label);
  return callsOf(spec) !== undefined && callsOf(spec)!.length > 0 ? toolCall : invalid;
}

function callsOf({ example, calls }: EventSpec): Json[] | undefined {
  if (calls === 'absent') return undefined;
  if (calls === 'none') return [];
  const expected = expectedCalls(example) ?? [{ name: 'search', arguments: { query: 'x' } }];
  const [first, ...rest] = expected.map(({ name, arguments: args }): JsonObject => ({ name, arguments: args }));
  if (first === undefined) return [{ name: 'search', arguments: { query: 'x' } }];
  if (calls === 'argument changed') return [{ ...first, arguments: { query: 'something else', n: 1.15 } }, ...rest];
  if (calls === 'renamed') return [{ ...first, name: 'no_such_tool' }, ...rest];
  if (calls === 'dropped') return rest;
  if (calls === 'as text') return [{ ...first, arguments: JSON.stringify(first['arguments']) }, ...rest];
  if (calls === 'malformed') return [{ arguments: {} }, { name: first['name']!, arguments: '[1' }, ...rest];
  return [first, ...rest];
}

function toolsOf({ tools, example }: EventSpec): Json[] | undefined {
  if (tools === 'absent') return undefined;
  if (tools === 'none') return [];
  const names = ['search', `tool${example % 3}`];
  if (tools === 'names') return names;
  const parameters = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] };
  return names.map((name) => ({ name, parameters }));
}

function outputOf({ output, example }: EventSpec): Json | undefined {
  if (output === 'absent') return undefined;
  if (output === 'text') return 'It is done.';
  if (output === 'call as text') return JSON.stringify({ name: 'search', arguments: { query: 'x' } });
  const reference = referenceOf(example) ?? { answer: 42 };
  return output === 'reference' ? reference : { ...(reference as JsonObject), answer: 'another', more: [0.1] };
}
