import { isObject, type JsonObject } from '../../scoring/json.ts';
import type { LogRecord } from '../../stream/event.ts';
import type { RejectCode } from '../../state/reject.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { shortened } from '../json/shortened.ts';
import { fieldNames, fitted, type FieldName, tagPrefix } from './fields.ts';
import type { Answer, Form } from './form.ts';
import { type FormatName, formOf, forms, isOpen } from './forms.ts';
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
}

/** An event in the native form, or why there is none. */
export type Found = { readonly event: unknown } | Refused;

/** `origin`: the part of the record that is refused, where it is not the whole. */
export interface Refused {
  readonly code: RejectCode;
  readonly detail: string;
  readonly origin?: unknown;
}

/** The content of a record, or of an element of an array. Choices that were not read are `ignored`; `spansIgnored` is there where it holds spans. */
export interface Reading {
  readonly found: readonly Found[];
  readonly ignored: number;
  readonly spansIgnored?: number;
}

/** Reads a parsed record in another form into native events. Never throws. */
export type InputReading = (value: unknown, record: LogRecord) => Reading;

/** The reading that the options ask for; undefined where every record is a native event as it stands. */
export function inputReading(options: InputOptions): InputReading | undefined {
  const { format, response, request } = options;
  const plain = isPlain(options);
  if (format === 'assay' && plain) return undefined;
  const [answerIn, requestIn] = [response, request].map((place) => (place === undefined ? undefined : pointer(place)));
  const places = placesOf(options.fields);
  return (value, record) => {
    if (!isObject(value)) return one({ event: value });
    const given = answerIn ? answerIn(value) : value;
    // A gateway's log may hold the answer as text.
    const answer = parsedOr(given);
    if (!isObject(answer)) return refusal(`${response}: ${noAnswer(given)}`);
    const form = format === 'auto' ? formOf(answer) : forms[format];
    if (form === forms.assay && format === 'auto' && isChunk(answer)) return refusal(`the record ${streamText}`);
    if (form === forms.assay && plain) return one({ event: value });
    if (form !== forms.assay && !form.tells(answer)) return refusal(unrecognised(form, format, response, answer));
    const asked = requestIn === undefined ? undefined : parsedOr(requestIn(value));
    const { metadata } = value;
    return eventsOf({
      value,
      record,
      form,
      places,
      answer,
      asked: isObject(asked) ? asked : empty,
      metadata: isObject(metadata) ? metadata : empty,
    });
  };
}

function isPlain({ response, request, fields }: InputOptions): boolean {
  return response === undefined && request === undefined && Object.keys(fields).length === 0;
}

/** Explains a record that is no JSON but the text of a stream; undefined for any other. */
export function streamProblem(text: string): string | undefined {
  return /^\s*(data|event|id|retry): ?\S/.test(text) ? streamText : undefined;
}

const streamText =
  'is a stream of server-sent events, which is not read; log the whole answer, as the SDK puts it together';

interface Source {
  readonly value: JsonObject;
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
  /** Where an example id is looked for, as written. */
  readonly exampleId: string;
}

const empty: JsonObject = {};
const idPlacesOfRecord = ['header:example_id', 'key'].map(placeOf);
const idPlaces = ['/example_id', '/metadata/example_id', 'header:example_id', 'key'];

/** The places of fields as the configuration writes them. */
export function placesOf(given: InputOptions['fields']): Places {
  const at = (name: string) => [given[name]!].flat().map(placeOf);
  const names = Object.keys(given);
  return {
    fields: new Map(fieldNames.filter((name) => names.includes(name)).map((name) => [name, at(name)])),
    tags: names.filter((name) => name.startsWith(tagPrefix)).map((name) => [name.slice(tagPrefix.length), at(name)]),
    exampleId: [given['example_id'] ?? idPlaces].flat().join(', '),
  };
}

function eventsOf(source: Source): Reading {
  const { form, answer } = source;
  const choices = form.choices?.(answer);
  if (choices === undefined || choices.length === 1)
    return { found: [eventOf(source, choices?.[0], undefined)], ignored: 0 };
  const found = choices.map((choice, index) => eventOf(source, choice, index));
  return hasRun(source) ? { found: found.slice(0, 1), ignored: found.length - 1 } : { found, ignored: 0 };
}

/** The event of one choice; `index` is undefined where there are no others. */
function eventOf(source: Source, choice: unknown, index: number | undefined): Found {
  const { form, places } = source;
  const said = form.read(source.answer, choice);
  if (said === undefined) return { code: 'schema', detail: `choice ${index ?? 0} is not ${form.content}` };
  const event = usualEvent(source, said, index);
  if (form === forms.assay) Object.assign(event, present(source.answer));
  for (const [name, at] of places.fields) event[name] = fitted(name, firstOf(at, source));
  event.run ??= index;
  if (places.tags.length > 0) event.tags = { ...(event.tags as JsonObject | undefined), ...tagsOf(source) };
  if (event.example_id !== undefined) return { event };
  const detail = `example_id is at none of ${places.exampleId}; say where it lies with input.fields.example_id (replay: --field example_id=PLACE)`;
  return { code: 'no_example_id', detail };
}

/** An event whose fields lie where they usually do: in the answer, else beside it, else in the metadata beside it. */
function usualEvent(source: Source, said: Answer, index: number | undefined): Event {
  const { value, asked, metadata: more } = source;
  const open = isOpen(source.form);
  return {
    example_id: fitted('example_id', value['example_id'] ?? more['example_id'] ?? firstOf(idPlacesOfRecord, source)),
    event_id: fitted('event_id', value['event_id'] ?? more['event_id']) ?? identity(said.event_id, index),
    ts: fitted('ts', said.ts ?? value['ts'] ?? more['ts']),
    model: said.model ?? asked['model'] ?? value['model'] ?? more['model'],
    agent: value['agent'] ?? more['agent'],
    tags: fitted('tags', value['tags'] ?? more['tags']),
    run: fitted('run', value['run'] ?? more['run']),
    label: value['label'] ?? more['label'],
    tool_calls: fitted('tool_calls', open ? (value['tool_calls'] ?? more['tool_calls']) : said.tool_calls),
    tools: fitted('tools', said.tools ?? toolsIn(asked) ?? value['tools'] ?? more['tools']),
    output: open ? (value['output'] ?? more['output']) : said.output,
    error: fitted('error', said.error ?? value['error'] ?? more['error']),
    success: fitted('success', value['success'] ?? more['success']),
    refused: said.refused || undefined,
  };
}

function hasRun(source: Source): boolean {
  const { value, metadata, places } = source;
  const at = places.fields.get('run');
  const run = at === undefined ? (value['run'] ?? metadata['run']) : firstOf(at, source);
  return run !== undefined && run !== null;
}

type Event = { [Name in FieldName | 'refused']: unknown };

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
function toolsIn({ tools, toolConfig }: JsonObject): unknown {
  return tools ?? (isObject(toolConfig) ? toolConfig['tools'] : undefined);
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
  return { found: [found], ignored: 0 };
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
