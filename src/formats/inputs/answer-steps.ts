import type { Found, InputReading, StepFound } from './found.ts';
import { isObject, type Json, type JsonObject, present } from '../../scoring/json.ts';
import type { LogRecord, StepContent } from '../../stream/event.ts';
import { namedCall, type RawCall } from '../calls/calls.ts';
import { idOf } from '../messages/results.ts';
import { returnedLast } from '../messages/steps.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { explainEvent, isEvent } from '../prediction/schema.ts';
import { firstOf, idPlacesOfRecord } from './field-places.ts';
import { fitted, idText } from './fields.ts';
import { decides } from './forms.ts';
import { noDecision } from './unread.ts';
import type { Place } from './places.ts';

/** Key of the answers that are steps of one run: their example (with model, agent and run), or the value at a place. */
export type StepKey = 'example' | { readonly place: Place };

/** Reads records as steps of runs, one for each answer; a whole run, a choice of several, and an answer without the key stay events. */
export function answerSteps(read: InputReading, key: StepKey): InputReading {
  return (value, record) => {
    const reading = read(value, record);
    const [only, ...more] = reading.found;
    if (only === undefined) return reading;
    const step =
      more.length === 0 && 'event' in only && isObject(only.event)
        ? stepOf(only, only.event, value, record, key)
        : undefined;
    if (step === undefined) return { ...reading, found: reading.found.map(asEvent) };
    return { ...reading, found: [{ step, unread: 'unread' in only ? only.unread : undefined }] };
  };
}

/** An event that is no step: where no decision can be read of it, it is refused alone. */
function asEvent(found: Found): Found {
  const problem = 'event' in found ? found.beside?.problem : undefined;
  return problem === undefined ? found : { code: 'no_decision', detail: problem };
}

/** Results that a request repeats: what came back for the last calls of the agent. */
export function returnedTo({ messages, input, contents }: JsonObject): readonly JsonObject[] {
  const list = [messages, input, contents].find((each) => Array.isArray(each));
  return returnedLast((list as readonly unknown[] | undefined) ?? []).map(present);
}

/** The calls of a step: id, name and arguments; what is no object stays as it is. */
function stepCalls(calls: unknown): readonly Json[] | undefined {
  if (!Array.isArray(calls)) return undefined;
  return calls.map((call: unknown) => (isObject(call) ? callOf(call) : (call as Json)));
}

function callOf(call: RawCall): Json {
  return present({ id: idOf(call), ...namedCall(call) });
}

function stepOf(
  found: Extract<Found, { readonly event: unknown }>,
  event: JsonObject,
  value: unknown,
  record: LogRecord,
  by: StepKey,
): StepFound | undefined {
  const { problem, isWholeRun, follows, closes, returned = [] } = found.beside ?? {};
  const { event_id: id, ts, tool_calls: calls, results, error, label, unfinished } = event;
  if (isWholeRun || isWhole(event)) return undefined;
  const key = keyOf(event, value, record, by);
  if (key === undefined) return undefined;
  const isBroken = event['words'] === true && !isEvent(event);
  const unread = problem ?? (isBroken ? explainEvent(event) : undefined);
  if (unread !== undefined) return unreadableStep(event, value, key, unread);
  // What is no event, or none that decides anything, is refused as an event is: it may be no answer at all.
  if (!isEvent(event) || (!decides(event) && noDecision(event) !== undefined)) return undefined;
  const hasCall = (Array.isArray(calls) && calls.length > 0) || label === 'tool_call';
  const came = [...returned, ...ownResults(calls, results)];
  const given = {
    ...Object.fromEntries(ownFields.map((name) => [name, event[name]])),
    example_id: event['example_id'] ?? fitted('example_id', firstOf(idPlacesOfRecord, { value, record })),
    tool_calls: stepCalls(calls),
    returned: came.length > 0 ? came : undefined,
    closes: closes || undefined,
  };
  return {
    part: 'model',
    run: key,
    id: (id as string | null | undefined) ?? undefined,
    parent: undefined,
    follows,
    ts: ts as StepFound['ts'],
    start: undefined,
    // More is to come of an answer that was cut off, or paused.
    ends: !hasCall && unfinished !== true && (error === undefined || error === null),
    given: present(given) as StepContent,
  };
}

/** The step of an answer that cannot be read. The rest of its run is no whole run, so the run is refused. */
function unreadableStep(event: JsonObject, value: unknown, run: string, detail: string): StepFound {
  const { example_id: example, event_id: id, ts } = event;
  const idOr = (given: unknown): string | undefined => (isId(given, idCharactersMax) ? given : undefined);
  const given = { example_id: idOr(example), unreadable: { detail, record: value as Json } };
  return {
    ...{ part: 'model', run, id: idOr(id), parent: undefined, follows: undefined, start: undefined, ends: false },
    ts: typeof ts === 'string' || typeof ts === 'number' ? ts : undefined,
    given: present(given) as StepContent,
  };
}

/** Returns whether a native event is a whole run: only such a one says its number, how many answers it has, or words behind results. */
function isWhole({ words, run, results, output, steps }: JsonObject): boolean {
  const isGiven = (each: unknown): boolean => each !== undefined && each !== null;
  return words !== true && (isGiven(run) || isGiven(steps) || (isGiven(results) && isGiven(output)));
}

/** Fields of an event that a step gives as they are. */
const ownFields = [
  ...['model', 'agent', 'tags', 'run', 'label', 'tools', 'output', 'error', 'success', 'refused', 'words'],
  'unfinished',
];

function keyOf(event: JsonObject, value: unknown, record: LogRecord, by: StepKey): string | undefined {
  if (by !== 'example') {
    const key = idText(by.place(value, record));
    return isId(key, idCharactersMax) ? key : undefined;
  }
  const example = event['example_id'] ?? firstOf(idPlacesOfRecord, { value, record });
  if (typeof example !== 'string') return undefined;
  return JSON.stringify([example, event['model'] ?? null, event['agent'] ?? null, event['run'] ?? null].map(plainText));
}

/** Results that a native event gives beside its own calls. */
function ownResults(calls: Json | undefined, results: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(calls) || !Array.isArray(results)) return [];
  return (results as readonly Json[]).filter(isObject).map(({ call: index, ...result }) => {
    const call: unknown = calls[Number(index)];
    return present({ ...(isObject(call) && { id: idOf(call), name: namedCall(call).name }), ...result });
  });
}

function plainText(part: Json): string | null {
  return part === null ? null : String(part);
}
