import { isObject, type JsonObject } from '../../scoring/json.ts';
import type { LogRecord } from '../../stream/event.ts';
import type { RejectCode } from '../../state/reject.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';
import { shortened } from '../json/shortened.ts';
import { fieldNames, fitted, type FieldName } from './fields.ts';
import type { Answer, Form } from './form.ts';
import { type FormatName, formOf, forms, isOpen } from './forms.ts';
import { type Place, placeOf, pointer } from './places.ts';

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
export type Found = { readonly event: unknown } | { readonly code: RejectCode; readonly detail: string };

/** What a record, or an element of an array, holds. Choices that were not read are `ignored`. */
export interface Reading {
  readonly found: readonly Found[];
  readonly ignored: number;
}

/** Reads a parsed record in another form into native events. Never throws. */
export type InputReading = (value: unknown, record: LogRecord) => Reading;

/** The reading that the options ask for; undefined where every record is a native event as it stands. */
export function inputReading(options: InputOptions): InputReading | undefined {
  const { format, response, request } = options;
  const plain = response === undefined && request === undefined && Object.keys(options.fields).length === 0;
  if (format === 'assay' && plain) return undefined;
  const [answerIn, requestIn] = [response, request].map((place) => place && pointer(place));
  const fields = placedFields(options.fields);
  return (value, record) => {
    if (!isObject(value)) return one({ event: value });
    const given = answerIn ? answerIn(value) : value;
    const answer = parsed(given);
    if (!isObject(answer)) return refusal(`${response}: ${noAnswer(given)}`);
    const form = format === 'auto' ? formOf(answer) : forms[format];
    if (form === forms.assay && format === 'auto' && isChunk(answer)) return refusal(`the record ${streamText}`);
    if (form === forms.assay && plain) return one({ event: value });
    if (form !== forms.assay && !form.tells(answer)) return refusal(notTold(form, format, response, answer));
    const asked = parsed(requestIn ? requestIn(value) : undefined);
    return eventsOf({ value, record, form, fields, asked: isObject(asked) ? asked : {} }, form.read(answer));
  };
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
  readonly fields: PlacedFields;
  readonly asked: JsonObject;
}

interface PlacedFields {
  readonly places: ReadonlyMap<string, readonly Place[]>;
  readonly tags: readonly (readonly [name: string, places: readonly Place[]])[];
  /** Where an example id is looked for, as written. */
  readonly exampleId: string;
}

const tagPrefix = 'tags.';
const exampleIdPlaces = ['/example_id', '/metadata/example_id', 'header:example_id', 'key'];
const exampleIdDefault = exampleIdPlaces.map(placeOf);

function placedFields(given: InputOptions['fields']): PlacedFields {
  const placed = Object.entries(given).map(([name, at]) => [name, [at].flat().map(placeOf)] as const);
  return {
    places: new Map(placed),
    tags: placed
      .filter(([name]) => name.startsWith(tagPrefix))
      .map(([name, places]) => [name.slice(tagPrefix.length), places]),
    exampleId: [given['example_id'] ?? exampleIdPlaces].flat().join(', '),
  };
}

function eventsOf(source: Source, answers: readonly (Answer | undefined)[]): Reading {
  const several = answers.length > 1;
  const run = several ? fieldOf(source, 'run', {}) : undefined;
  const isFirstAlone = run !== undefined && run !== null;
  const read = isFirstAlone ? answers.slice(0, 1) : answers;
  const found = read.map((answer, index): Found => {
    if (answer === undefined) return { code: 'schema', detail: `choice ${index} is not ${source.form.content}` };
    return eventOf(source, answer, several && !isOpen(source.form) ? index : undefined, isFirstAlone);
  });
  return { found, ignored: answers.length - read.length };
}

/** `index` is that of the choice, where there are several. */
function eventOf(source: Source, answer: Answer, index: number | undefined, keepsRun: boolean): Found {
  const event: { [field: string]: unknown } = {};
  for (const name of fieldNames) {
    const value = fieldOf(source, name, answer);
    if (value !== undefined && value !== null) event[name] = value;
  }
  if (event['example_id'] === undefined) {
    const detail = `example_id is at none of ${source.fields.exampleId}; say where it lies with input.fields.example_id (replay: --field example_id=PLACE)`;
    return { code: 'no_example_id', detail };
  }
  if (index !== undefined && !keepsRun) event['run'] = index;
  const { tags } = source.fields;
  if (tags.length > 0) event['tags'] = { ...(isObject(event['tags']) ? event['tags'] : {}), ...tagsOf(source, tags) };
  if (!source.fields.places.has('event_id')) identify(event, source, answer, index);
  if (answer.refused) event['refused'] = true;
  return { event };
}

/** An answer's own id, with the index of its choice, where nobody gave another identity. One that cannot be an identity is none. */
function identify(
  event: { [field: string]: unknown },
  { form }: Source,
  answer: Answer,
  index: number | undefined,
): void {
  if (isOpen(form) || event['event_id'] !== undefined) return;
  const { event_id: own } = answer;
  if (typeof own !== 'string' || own === '') return;
  const id = index === undefined ? own : `${own}#${index}`;
  if (isId(id, idCharactersMax)) event['event_id'] = id;
}

/** The value of a field: where the configuration says, else in the answer, else beside it under the same name. */
function fieldOf(source: Source, name: FieldName, answer: Answer): unknown {
  const { value, record, form, fields, asked } = source;
  const places = fields.places.get(name);
  if (places !== undefined) return fitted(name, firstOf(places, value, record));
  const own = name === 'event_id' && !isOpen(form) ? undefined : inAnswer(answer, name);
  if (own !== undefined && own !== null) return form === forms.assay ? own : fitted(name, own);
  if (name === 'example_id') return fitted(name, firstOf(exampleIdDefault, value, record));
  if (!isOpen(form) && (name === 'tool_calls' || name === 'output')) return undefined;
  const beside = inRequest(asked, name) ?? value[name];
  if (beside !== undefined && beside !== null) return fitted(name, beside);
  const { metadata } = value;
  return isObject(metadata) && Object.hasOwn(metadata, name) ? fitted(name, metadata[name]) : undefined;
}

function inAnswer(answer: Answer, name: FieldName): unknown {
  return (answer as Readonly<Record<string, unknown>>)[name];
}

/** Tools and model as requests have them; Bedrock's tools lie in `toolConfig`. */
function inRequest(asked: JsonObject, name: FieldName): unknown {
  if (name === 'model') return asked['model'] ?? undefined;
  if (name !== 'tools') return undefined;
  const { tools, toolConfig } = asked;
  return tools ?? (isObject(toolConfig) ? toolConfig['tools'] : undefined) ?? undefined;
}

function firstOf(places: readonly Place[], value: unknown, record: LogRecord): unknown {
  for (const place of places) {
    const found = place(value, record);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

function tagsOf({ value, record }: Source, tags: PlacedFields['tags']): object {
  const found = tags.map(([name, places]) => [name, firstOf(places, value, record)] as const);
  return Object.fromEntries(found.filter(([, text]) => text !== undefined));
}

/** A gateway's log may hold the answer as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
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

function notTold(form: Form, format: FormatName, response: string | undefined, answer: JsonObject): string {
  const where = response === undefined ? 'the record' : `the value at ${response}`;
  if (isChunk(answer)) return `${where} ${streamText}`;
  return `${where} has no ${form.content}, so it is not of format ${format}; check input.format and input.response`;
}

/** Whether an object is a piece of a streamed answer. */
function isChunk({ object, type }: JsonObject): boolean {
  const kind = object ?? type;
  return (
    typeof kind === 'string' && /\.chunk$|[._]delta$|^(message|content_block)_(start|stop)$|^response\.\w/.test(kind)
  );
}
