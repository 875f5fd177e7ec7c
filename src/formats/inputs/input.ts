import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import type { LogRecord, Skipped } from '../../stream/event.ts';
import type { RejectCode } from '../../state/reject.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { shortened } from '../json/shortened.ts';
import { fieldNames, fitted, type FieldName, tagPrefix } from './fields.ts';
import { type Answer, firstGiven, type Form, inside } from './form.ts';
import { decides, failure, type FormatName, formOf, forms, isOpen } from './forms.ts';
import { answersIn, type FoundAnswer, nameOf, noDecision, readKeys, unreadCallIn } from './unread.ts';
import { turnsIn } from './messages.ts';
import { type PlaceUses, usedPlaces } from './place-use.ts';
import { type Place, placeOf, pointer } from './places.ts';
import { parsedOr } from '../json/parsed.ts';

/** How records are read (configuration: `input`). */
export interface InputOptions {
  readonly format: FormatName;
  /** JSON Pointers to the provider's answer and to the request; undefined: the record itself, and none. */
  readonly response: string | undefined;
  readonly request: string | undefined;
  /** Places by field; a field that is not named has its default places. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** A list of messages is a run for each turn of its user (configuration: `runs.split`). */
  readonly splitsRuns?: boolean;
}

/** An event in the native form, or why there is none. `unread`: the place of a call in its record that nothing read. */
export type Found = { readonly event: unknown; readonly unread?: string | undefined } | Refused;

/** `origin`: the part of the record that is refused, where it is not the whole. */
export interface Refused {
  readonly code: RejectCode;
  readonly detail: string;
  readonly origin?: unknown;
}

/** The content of a record, or of an element of an array, and what of it was no event. */
export interface Reading {
  readonly found: readonly Found[];
  readonly skipped: readonly Skipped[];
  /** The record holds spans: it may have no event at all, and its events were walked when they were made. */
  readonly areSpans?: true;
}

/** Reads a parsed record in another form into native events. Never throws. */
export type InputReading = (value: unknown, record: LogRecord) => Reading;

/** The reading that the options ask for; undefined where every record is a native event as it stands. */
export function inputReading(options: InputOptions, uses: PlaceUses = new Map()): InputReading | undefined {
  const { format, response, request, splitsRuns = false } = options;
  const plain = isPlain(options);
  if (format === 'assay' && plain) return undefined;
  const at = (name: string, place: string | undefined) =>
    place === undefined ? undefined : usedPlaces(uses, name, [place])[0]!;
  const [answerIn, requestIn] = [at('response', response), at('request', request)];
  const places = placesOf(options.fields, uses);
  return (value, record) => {
    if (!isObject(value)) return one({ event: value });
    if (isResponseOfMcp(value)) return { found: [], skipped: [{ kind: 'messages_ignored', number: 1 }] };
    const given = answerIn ? answerIn(value, record) : value;
    // A gateway's log may hold the answer as text.
    const parsed = parsedOr(given);
    const answer = Array.isArray(parsed) ? { messages: parsed as readonly Json[] } : parsed;
    if (!isObject(answer)) return refusal(`${response}: ${noAnswer(given)}`);
    const form = format === 'auto' ? formOf(answer) : forms[format];
    const { metadata } = value;
    const source = {
      ...{ value, record, form, places, answer, given, splitsRuns, asked: asObject(requestIn?.(value, record)) },
      metadata: isObject(metadata) ? metadata : empty,
    };
    if (form !== forms.assay)
      return form.tells(answer)
        ? eventsOf(source)
        : failure.tells(answer)
          ? eventsOf({ ...source, form: failure })
          : refusal(unrecognised(form, format, response, answer));
    if (format === 'auto' && isChunk(answer)) return refusal(`the record ${streamText}`);
    const within = format === 'auto' && answerIn === undefined && !decides(value) ? answersIn(value) : [];
    if (within.length === 1) return eventsWithin(source, within[0]!);
    return plain ? one({ event: value }) : eventsOf(source);
  };
}

/** The events of the one answer of a known form inside a record, whose request may lie beside it. */
function eventsWithin(source: Source, { at, form, answer }: FoundAnswer): Reading {
  const { request } = source.value;
  const { found, skipped } = eventsOf({
    ...source,
    form,
    answer,
    given: pointer(at)(source.value),
    asked: isObject(request) ? request : source.asked,
  });
  return { found, skipped: [...skipped, { kind: 'answers_found', number: 1, value: `${at} (${nameOf(form)})` }] };
}

function isPlain({ response, request, fields }: InputOptions): boolean {
  return response === undefined && request === undefined && Object.keys(fields).length === 0;
}

function asObject(given: unknown): JsonObject {
  const found = parsedOr(given);
  return isObject(found) ? found : empty;
}

/** Explains a record that is no JSON but the text of a stream; undefined for any other. */
export function streamProblem(text: string): string | undefined {
  return /^\s*(?:(?:data|event|id|retry): ?\S|:)/.test(text) ? streamText : undefined;
}

const streamText =
  'is a stream of server-sent events, which is not read; log the whole answer, as the SDK puts it together';

interface Source {
  readonly value: JsonObject;
  /** The answer as the record has it: it may be a text. */
  readonly given: unknown;
  readonly splitsRuns: boolean;
  readonly record: LogRecord;
  readonly form: Form;
  readonly places: Places;
  readonly answer: JsonObject;
  readonly asked: JsonObject;
  readonly metadata: JsonObject;
}

/** The configured places of fields. */
export interface Places {
  readonly fields: ReadonlyMap<FieldName, readonly Place[]>;
  readonly tags: readonly (readonly [name: string, places: readonly Place[]])[];
  /** Keys of a record that are a place of their own. */
  readonly keys: ReadonlySet<string>;
  /** Where an example id is looked for, as written. */
  readonly exampleId: string;
}

const empty: JsonObject = {};
const idPlacesOfRecord = ['header:example_id', 'key'].map(placeOf);
const idPlaces = ['/example_id', '/metadata/example_id', 'header:example_id', 'key'];

/** The places of fields as the configuration writes them. */
export function placesOf(given: InputOptions['fields'], uses: PlaceUses): Places {
  const at = (name: string) => usedPlaces(uses, name, [given[name]!].flat());
  const names = Object.keys(given);
  return {
    fields: new Map(fieldNames.filter((name) => names.includes(name)).map((name) => [name, at(name)])),
    tags: names.filter((name) => name.startsWith(tagPrefix)).map((name) => [name.slice(tagPrefix.length), at(name)]),
    keys: new Set(
      Object.values(given).flatMap((at) => [at].flat().map((place) => /^\/([^/]+)$/.exec(place)?.[1] ?? '')),
    ),
    exampleId: [given['example_id'] ?? idPlaces].flat().join(', '),
  };
}

function eventsOf(source: Source): Reading {
  const { form, answer } = source;
  const isSplit = source.splitsRuns && form === forms.messages;
  const choices = isSplit ? turnsIn(answer) : form.choices?.(answer);
  if (choices === undefined || choices.length === 1) return one(eventOf(source, choices?.[0], undefined));
  const found = choices.map((choice, index) => eventOf(source, choice, index));
  if (isSplit || !hasRun(source)) return { found, skipped: [] };
  return { found: found.slice(0, 1), skipped: [{ kind: 'choices_ignored', number: found.length - 1 }] };
}

/** The event of one choice; `index` is undefined where there are no others. */
function eventOf(source: Source, choice: unknown, index: number | undefined): Found {
  const { form, places, value } = source;
  const said = form.read(source.answer, choice);
  if (said === undefined) return { code: 'schema', detail: `choice ${index ?? 0} is not ${form.content}` };
  const event = usualEvent(source, said, index);
  if (form === forms.assay) Object.assign(event, present(source.answer));
  for (const [name, at] of places.fields) event[name] = fitted(name, firstOf(at, source));
  if (source.splitsRuns && form === forms.messages) event.run = index ?? 0;
  event.run ??= index;
  if (places.tags.length > 0) event.tags = { ...(event.tags as JsonObject | undefined), ...tagsOf(source) };
  const nothing = decidesNothing(source, said, event);
  if (nothing !== undefined) return { code: 'no_decision', detail: nothing };
  if (event.example_id === undefined) return { code: 'no_example_id', detail: noExampleId(source) };
  return { event, unread: said.unread ?? unreadCallIn(value, listOf(event.tool_calls), form, source) };
}

/** Why an event that decides nothing is refused; undefined where it decides something, or nothing of it was left unread. */
function decidesNothing({ form, places, value, answer }: Source, said: Answer, event: Event): string | undefined {
  if (isOpen(form)) {
    if (decides(event as JsonObject) && (event.tool_calls !== undefined || isGiven(event))) return undefined;
    return noDecision(answer === value ? value : answer, (key) => readKeys.has(key) || places.keys.has(key));
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
    agent: value['agent'] ?? more['agent'],
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
    refused: said.refused || undefined,
    words: !open || undefined,
  };
}

function hasRun(source: Source): boolean {
  const { value, metadata, places } = source;
  const at = places.fields.get('run');
  const run = at === undefined ? (value['run'] ?? metadata['run']) : firstOf(at, source);
  return run !== undefined && run !== null;
}

type Event = { [Name in FieldName | 'refused' | 'words']: unknown };

/** The fields that a native event has, unchanged. */
function present(answer: JsonObject): Partial<Event> {
  const own = fieldNames.map((name) => [name, answer[name]] as const);
  return Object.fromEntries(own.filter(([, value]) => value !== undefined && value !== null));
}

/** An answer's own id, with the index of its choice where there are several. One that cannot be an identity is none. */
export function identity(own: unknown, index: number | undefined): string | undefined {
  if (typeof own !== 'string' || own === '') return undefined;
  const id = index === undefined ? own : `${own}#${index}`;
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

/** Where places are looked up: a value, and the record that it is of. */
interface Looked {
  readonly value: unknown;
  readonly record: LogRecord;
}

/** The first value that is there in a list of places. */
export function firstOf(places: readonly Place[], { value, record }: Looked): unknown {
  for (const place of places) {
    const found = place(value, record);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

/** The values of tags with places of their own. */
export function tagsOf(source: Looked & { readonly places: Places }): object {
  const found = source.places.tags.map(([name, places]) => [name, firstOf(places, source)] as const);
  return Object.fromEntries(found.filter(([, text]) => text !== undefined));
}

function one(found: Found): Reading {
  return { found: [found], skipped: [] };
}

/** Returns whether a record is what a server of MCP sent: no decision of an agent's. Its client's other requests are none either. */
function isResponseOfMcp(value: JsonObject): boolean {
  const message = value['jsonrpc'] === undefined ? value['message'] : value;
  return isObject(message) && message['jsonrpc'] !== undefined && message['method'] !== 'tools/call';
}

const ownIds = /\/(?:id|key|name|.*(?:user|trace|span|request|response|event|run|account).*)$/i;

/** Names the places that may hold the example id: keys of texts and numbers that are named like one. */
function noExampleId({ places, value, metadata }: Source): string {
  const isId = ([key, id]: readonly [string, unknown]): boolean =>
    /(?:^|_|[a-z])(?:id|key|name|case|session|thread|uid|uuid)$/i.test(key) && ['string', 'number'].includes(typeof id);
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

function refusal(detail: string): Reading {
  return one({ code: 'schema', detail });
}

function noAnswer(given: unknown): string {
  const problem = typeof given === 'string' ? streamProblem(given) : undefined;
  return (
    problem ??
    `is ${given === undefined ? 'absent' : shortened(given)}; name the place of the provider's answer (input.response)`
  );
}

function unrecognised(form: Form, format: FormatName, response: string | undefined, answer: JsonObject): string {
  const where = response === undefined ? 'the record' : `the value at ${response}`;
  if (isChunk(answer)) return `${where} ${streamText}`;
  return `${where} has no ${form.content}, so it is not of format ${format}; check input.format and input.response`;
}

/** Returns whether an object is a piece of a streamed answer. */
function isChunk({ object, type }: JsonObject): boolean {
  const kind = object ?? type;
  return (
    typeof kind === 'string' && /\.chunk$|[._]delta$|^(message|content_block)_(start|stop)$|^response\.\w/.test(kind)
  );
}
