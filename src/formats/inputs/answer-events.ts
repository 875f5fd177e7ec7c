import { isObject, type JsonObject, present } from '../../scoring/json.ts';
import type { LogRecord } from '../../stream/event.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { shortened } from '../json/shortened.ts';
import { returnedTo, type StepKey } from './answer-steps.ts';
import type { Beside, Found, Reading } from './found.ts';
import { firstOf, idPlacesOfRecord, type Places, tagsOf } from './field-places.ts';
import { fieldNames, fitted, type FieldName, idText, readKeys } from './fields.ts';
import { type Answer, firstGiven, type Form, inside } from './form.ts';
import { forms, isOpen } from './forms.ts';
import { requestIn } from '../messages/request.ts';
import { isSingle, turnsIn } from './messages.ts';
import { nameOf, noDecision, unreadCallIn } from './unread.ts';

/** An answer in its record, and what the configuration says of it. */
export interface Source {
  readonly value: JsonObject;
  /** The answer as the record has it: it may be a text. */
  readonly given: unknown;
  readonly splitsRuns: boolean;
  readonly ownExamples: boolean;
  /** Its events hold what their agent was asked. */
  readonly keepsRequest: boolean;
  /** Answers are steps of runs by this key; undefined: each is an event. */
  readonly stepKey: StepKey | undefined;
  readonly record: LogRecord;
  readonly form: Form;
  readonly places: Places;
  readonly answer: JsonObject;
  readonly asked: JsonObject;
  readonly metadata: JsonObject;
}

/** The events of an answer: one, or one of each of its choices. */
export function eventsOf(source: Source): Reading {
  const { form, answer } = source;
  const isSplit = source.splitsRuns && form === forms.messages;
  const choices = isSplit ? turnsIn(answer) : form.choices?.(answer);
  const isOne = choices === undefined || choices.length === 1;
  const events = (choices ?? [undefined]).map((choice, index) => eventOf(source, choice, isOne ? undefined : index));
  const found = withUnread(source, events);
  if (isOne || isSplit || !hasRun(source)) return { found, skipped: [] };
  return { found: found.slice(0, 1), skipped: [{ kind: 'choices_ignored', number: found.length - 1 }] };
}

/** The events of a record; the first of them says where it holds a call that none of them has. */
function withUnread(source: Source, found: readonly Found[]): readonly Found[] {
  const calls = found.flatMap((one) => ('event' in one ? listOf((one.event as Event).tool_calls) : []));
  const at = found.findIndex((one) => 'event' in one);
  const first = found[at];
  if (first === undefined || !('event' in first) || first.unread !== undefined) return found;
  const unread = unreadCallIn(source.value, calls, source.form, source);
  return unread === undefined ? found : found.with(at, { ...first, unread });
}

/** The event of one choice; `index` is undefined where there are no others. */
function eventOf(source: Source, choice: unknown, index: number | undefined): Found {
  const { form, places } = source;
  const said = form.read(source.answer, choice);
  if (said === undefined) return { code: 'schema', detail: `choice ${index ?? 0} is not ${form.content}` };
  const event = usualEvent(source, said, index);
  // A native event has its fields as they are.
  if (form === forms.assay)
    Object.assign(event, present(Object.fromEntries(nativeNames.map((name) => [name, source.answer[name]]))));
  for (const [name, at] of places.fields) event[name] = fitted(name, firstOf(at, source));
  if (source.splitsRuns && form === forms.messages) event.run = index ?? 0;
  event.run ??= index;
  if (places.tags.length > 0) event.tags = { ...(event.tags as JsonObject | undefined), ...tagsOf(source) };
  const nothing = decidesNothing(source, said, event);
  if (nothing !== undefined && (source.stepKey === undefined || isOpen(form)))
    return { code: 'no_decision', detail: nothing };
  // Choices are runs of one example.
  if (source.ownExamples && index !== undefined) event.example_id ??= identity(said.event_id, undefined);
  if (event.example_id === undefined && needsExample(source))
    return { code: 'no_example_id', detail: noExampleId(source) };
  return source.stepKey
    ? { event, unread: said.unread, beside: besideOf(source, said, nothing) }
    : { event, unread: said.unread };
}

/** A step need not name the example of its run: another step may. */
function needsExample({ stepKey, ownExamples }: Source): boolean {
  return stepKey === 'example' || (stepKey === undefined && !ownExamples);
}

function besideOf({ form, answer, asked }: Source, { closes }: Answer, problem: string | undefined): Beside {
  const follows = answer['previous_response_id'] ?? asked['previous_response_id'];
  return {
    closes,
    problem,
    isWholeRun: form === forms.messages && !isSingle(answer),
    follows: identity(follows, undefined),
    returned: returnedTo(asked),
  };
}

/** Why an event that decides nothing is refused; undefined where it decides something, or nothing of it was left unread. */
function decidesNothing({ form, places, answer }: Source, said: Answer, event: Event): string | undefined {
  if (isOpen(form)) {
    if (event.tool_calls !== undefined || isGiven(event)) return undefined;
    return noDecision(answer, (key) => readKeys.has(key) || places.keys.has(key));
  }
  if (isGiven(event) || said.unread === undefined) return undefined;
  return `no decision was read of the answer of ${nameOf(form)}: nothing reads ${shortened(said.unread)}; ${form.content} is what is read`;
}

/** Returns whether an event holds calls, words, a label, an error or a refusal. */
function isGiven({ tool_calls: calls, output, label, error, refused }: Event): boolean {
  return [calls, output, label, error, refused].some((each) => each !== undefined && each !== null);
}

function listOf(calls: unknown): readonly unknown[] {
  return Array.isArray(calls) ? calls : [];
}

/** An event whose fields lie where they usually do: in the answer, else beside it, else in the metadata beside it. */
function usualEvent(source: Source, said: Answer, index: number | undefined): Event {
  const { value, asked, metadata: more } = source;
  const open = isOpen(source.form);
  return {
    example_id: fitted('example_id', value['example_id'] ?? more['example_id'] ?? firstOf(idPlacesOfRecord, source)),
    event_id: fitted('event_id', value['event_id'] ?? more['event_id']) ?? identity(said.event_id, index),
    ts: fitted('ts', said.ts ?? value['ts'] ?? more['ts']),
    model: firstGiven(said.model, asked['model'], value['model'], more['model']),
    // A graph may have a node of that name, and a shipper of records is an agent too.
    agent:
      open && value === source.answer
        ? (value['agent'] ?? more['agent'])
        : [value['agent'], more['agent']].find((name) => typeof name === 'string'),
    tags: fitted('tags', value['tags'] ?? more['tags']),
    run: fitted('run', value['run'] ?? more['run']),
    label: value['label'] ?? more['label'],
    tool_calls: fitted('tool_calls', open ? (value['tool_calls'] ?? more['tool_calls']) : said.tool_calls),
    results: open ? (value['results'] ?? undefined) : said.results,
    tools: fitted('tools', said.tools ?? toolsIn(asked) ?? value['tools'] ?? more['tools']),
    output: open ? (value['output'] ?? more['output']) : said.output,
    error: fitted(
      'error',
      said.error ?? (value === source.answer && !open ? undefined : (value['error'] ?? more['error'])),
    ),
    success: fitted('success', value['success'] ?? more['success']),
    steps: said.steps,
    unfinished: said.unfinished || undefined,
    refused: said.refused || undefined,
    words: !open || undefined,
    request: source.keepsRequest ? requestIn(asked, value, source.answer) : undefined,
  };
}

/** Fields of a native event, and those of a whole run. */
const nativeNames = [...fieldNames, 'steps', 'run_seconds', 'unfinished'] as const;

function hasRun(source: Source): boolean {
  const { value, metadata, places } = source;
  const at = places.fields.get('run');
  const run = at === undefined ? (value['run'] ?? metadata['run']) : firstOf(at, source);
  return run !== undefined && run !== null;
}

type Event = { [Name in FieldName | 'steps' | 'unfinished' | 'refused' | 'words' | 'request']: unknown };

/** An answer's own id, with the index of its choice where there are several. One that cannot be an identity is none. */
export function identity(own: unknown, index: number | undefined): string | undefined {
  const text = idText(own);
  if (typeof text !== 'string' || text === '') return undefined;
  const id = index === undefined ? text : `${text}#${index}`;
  return isId(id, idCharactersMax) ? id : undefined;
}

/** Tools as requests have them; Bedrock's lie in `toolConfig`. */
function toolsIn({ tools, toolConfig, functions, config }: JsonObject): unknown {
  return (
    tools ??
    (isObject(toolConfig) ? toolConfig['tools'] : undefined) ??
    functions ??
    inside(config, 'tools') ??
    undefined
  );
}

const ownIds = /\/(?:id|key|name|.*(?:user|trace|span|request|response|event|run|account).*)$/i;

/** Names the places that may hold the example id: keys of texts and numbers that are named like one. */
function noExampleId({ places, value, metadata }: Source): string {
  const isId = ([key, id]: readonly [string, unknown]): boolean =>
    /(?:^|_|[a-z])(?:id|key|name|case|task|sample|example|session|thread|uid|uuid)$/i.test(key) &&
    ['string', 'number'].includes(typeof id);
  const candidates = [
    ...Object.entries(value)
      .filter(isId)
      .map(([key]) => `/${key}`),
    ...Object.entries(metadata)
      .filter(isId)
      .map(([key]) => `/metadata/${key}`),
  ];
  // An id of a case is likelier than that of the answer itself, or of its user.
  candidates.sort((a, b) => Number(ownIds.test(a)) - Number(ownIds.test(b)));
  const place = candidates[0] ?? 'PLACE';
  const others = candidates.length > 1 ? `; ids lie also at ${candidates.slice(1, 5).join(', ')}` : '';
  return `example_id is at none of ${places.exampleId}; say where it lies with input.fields.example_id (replay: --field example_id=${place})${others}`;
}

/** A reading of one event, or of one refusal. */
export function one(found: Found): Reading {
  return { found: [found], skipped: [] };
}
