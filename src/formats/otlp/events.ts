import type { Found, Reading, Refused } from '../inputs/found.ts';
import { isObject, type JsonObject } from '../../scoring/json.ts';
import type { LogRecord, Skipped } from '../../stream/event.ts';
import { type FieldName, fitted } from '../inputs/fields.ts';
import { type Answer, isFiltered, said, inside } from '../inputs/form.ts';
import { forms } from '../inputs/forms.ts';
import { identity } from '../inputs/answer-events.ts';
import { firstOf, type Places, placesOf, tagsOf } from '../inputs/field-places.ts';
import type { InputOptions } from '../inputs/input.ts';
import type { PlaceUses } from '../inputs/place-use.ts';
import { unreadCallIn } from '../inputs/unread.ts';
import { mayNestDeeper, nestsDeeper } from '../json/json-depth.ts';
import { endsInCalls, type ModelCall, modelCallIn } from './dialects.ts';
import { documentOf } from './json.ts';
import { exampleIdPlaces, names } from './names.ts';
import { isKnown } from './parts.ts';
import { type Attributes, eitherOf, type Span } from './span.ts';

/** Where the fields of an event lie in a span (configuration: `input.fields`), and how deep one may nest. */
export interface SpanFields {
  readonly placed: Places;
  readonly depth: number;
}

/** The fields that the configuration places, over the fields that the span itself has. */
export function spanFields(fields: InputOptions['fields'], depth: number, uses: PlaceUses): SpanFields {
  return { placed: placesOf({ ...fields, example_id: fields['example_id'] ?? exampleIdPlaces }, uses), depth };
}

/** The parts of a record that were read, and those that were not. */
export interface Tally {
  readonly found: Found[];
  /** Attributes with calls in spans that nothing read. */
  readonly unread: string[];
  /** Plain spans by the runs of their traces. */
  readonly plain: Map<string, { ts: number; readonly ids: string[] }>;
  choicesIgnored: number;
  spansIgnored: number;
}

/** A tally of no parts. */
export function noTally(): Tally {
  return { found: [], unread: [], plain: new Map(), choicesIgnored: 0, spansIgnored: 0 };
}

/** The reading of a tally. */
export function readingOf({ found, unread, plain, choicesIgnored, spansIgnored }: Tally): Reading {
  const skipped: Skipped[] = unread.map((value) => ({ kind: 'unread_calls', number: 1, value }));
  if (choicesIgnored > 0) skipped.push({ kind: 'choices_ignored', number: choicesIgnored });
  if (spansIgnored > 0) skipped.push({ kind: 'spans_ignored', number: spansIgnored });
  return { found, skipped, plain: [...plain].map(([run, spans]) => ({ run, ...spans })), areSpans: true };
}

/** The events of spans, and the number of spans that are no call of a model. */
export function eventsOf(spans: readonly Span[], record: LogRecord, fields: SpanFields): Reading {
  const tally = noTally();
  for (const span of spans) {
    const call = modelCallIn(span);
    if (call === undefined || !readEvents(tally, span, call, record, fields)) {
      tally.spansIgnored++;
      noteUnread(tally, span);
    }
  }
  return readingOf(tally);
}

/** Reads the events of a call of a model; false where its messages, or its calls, were not recorded, unless it failed: that is an event all the same. */
export function readEvents(tally: Tally, span: Span, call: ModelCall, record: LogRecord, fields: SpanFields): boolean {
  const hasFailed = span.status.isError || span.attributes.has(names.errorType);
  const messages = call.messages ?? (hasFailed ? [{}] : undefined);
  if (messages === undefined || (!hasFailed && isUnseen(span, messages))) return false;
  const read = 'problem' in messages ? [refusal(messages.problem)] : eventsIn(span, call, messages, record, fields);
  if (!('problem' in messages)) tally.choicesIgnored += messages.length - read.length;
  for (const one of read) addFound(tally, span, one);
  return true;
}

function isUnseen(span: Span, messages: NonNullable<ModelCall['messages']>): boolean {
  return !('problem' in messages) && messages.every((message) => hasUnseenCalls(span, message, choiceOf(message)));
}

/** Returns whether an answer ended in calls that its message does not hold. */
export function hasUnseenCalls(span: Span, message: unknown, choice: Answer | undefined): boolean {
  return choice !== undefined && choice.tool_calls === undefined && endsInCalls(span, message);
}

/** Adds a part; what is refused comes back as a document of its own. */
export function addFound(tally: Tally, { source }: Span, found: Found): void {
  tally.found.push('code' in found ? { ...found, origin: documentOf(source) } : found);
}

/** Notes the attribute of a span of an unknown dialect that holds a call. */
export function noteUnread(tally: Tally, { attributes }: Span): void {
  if (isKnown(attributes)) return;
  const outputs = [...attributes].filter(([name]) => !/input|prompt|request|definition/i.test(name));
  const unread = unreadCallIn(Object.fromEntries(outputs) as JsonObject, [], forms.mapping);
  if (unread !== undefined) tally.unread.push(unread);
}

/** The event of each choice of a span; of the first alone where the run is given. */
function eventsIn(
  span: Span,
  call: ModelCall,
  messages: readonly unknown[],
  record: LogRecord,
  fields: SpanFields,
): readonly Found[] {
  const eventAt = (message: unknown, index: number | undefined) => eventOf(span, record, fields, call, message, index);
  if (messages.length === 1) return [eventAt(messages[0], undefined)];
  const read = runOf(span, record, fields) === undefined ? messages : messages.slice(0, 1);
  return read.map((message, index) => eventAt(message, index));
}

/** A part that is refused for its content. */
export function refusal(detail: string): Refused {
  return { code: 'schema', detail };
}

/** `index` is that of the choice, where there are several. */
function eventOf(
  span: Span,
  record: LogRecord,
  fields: SpanFields,
  call: ModelCall,
  message: unknown,
  index: number | undefined,
): Found {
  const choice = choiceOf(message);
  if (choice === undefined) return refusal(`message ${index ?? 0} of the span is no object`);
  const { placed } = fields;
  const { attributes } = span;
  const event: { [Field in FieldName | 'refused' | 'words']: unknown } = {
    example_id: undefined,
    event_id: identityOf(span, index),
    ts: span.endMs,
    model: call.model,
    agent: attributes.get(names.agent) ?? span.resource.get(names.service),
    tags: undefined,
    run: fitted('run', runOf(span, record, fields)) ?? index,
    label: eitherOf(span, names.label),
    tool_calls: choice.tool_calls,
    results: choice.results,
    tools: fitted('tools', call.tools),
    output: choice.output,
    error: errorOf(span) ?? choice.error,
    success: fitted('success', eitherOf(span, names.success)),
    refused: choice.refused || undefined,
    words: true,
  };
  for (const [name, places] of placed.fields) event[name] = fitted(name, firstOf(places, { value: span, record }));
  if (event.example_id === undefined) return { code: 'no_example_id', detail: noExampleId(span, placed) };
  if (placed.tags.length > 0)
    event.tags = { ...(isObject(event.tags) && event.tags), ...tagsOf({ value: span, record, places: placed }) };
  return isTooDeep(event, attributes, fields) ? { code: 'too_deep', detail: '' } : { event };
}

/** The content of a message of a model; undefined for a value that is none. */
export function choiceOf(message: unknown): Answer | undefined {
  if (typeof message !== 'object' && typeof message !== 'string') return undefined;
  const answer = said(typeof message === 'string' ? { role: 'assistant', content: message } : asAgent(message));
  return isFiltered(message) ? { ...answer, refused: true } : answer;
}

/** The alternatives among output messages: those that all stopped for calls, which not each of them holds, are pieces of one answer. */
export function wholeAnswers(messages: readonly unknown[]): readonly unknown[] {
  const stopsForCalls = (message: unknown): boolean => /^tool_calls?$/.test(String(inside(message, 'finish_reason')));
  const arePieces =
    messages.length > 1 &&
    messages.every(stopsForCalls) &&
    messages.some((message) => choiceOf(message)?.tool_calls === undefined);
  return arePieces ? [{ messages }] : messages;
}

/** A message of a model, which names its speaker or none; or a list of messages that one attribute holds. */
function asAgent(message: object | null): unknown {
  if (!isObject(message)) return message;
  if (Array.isArray(message['messages'])) return message['messages'];
  // A whole answer has its message inside.
  return 'choices' in message || 'message' in message ? [message] : message;
}

/** Why a call of a model failed; undefined where it did not. */
export function errorOf({ status, attributes }: Span): unknown {
  if (status.isError && status.message !== '') return status.message;
  return attributes.get(names.errorType) ?? (status.isError ? 'the span has status ERROR' : undefined);
}

function runOf(span: Span, record: LogRecord, { placed }: SpanFields): unknown {
  const places = placed.fields.get('run');
  return (places === undefined ? eitherOf(span, names.run) : firstOf(places, { value: span, record })) ?? undefined;
}

function identityOf({ traceId, spanId }: Span, index: number | undefined): string | undefined {
  if (traceId === '' || spanId === '') return undefined;
  return identity(`${traceId}-${spanId}`, index);
}

/** Walks the event only where the texts that it was parsed from could nest deeper. */
function isTooDeep(event: object, attributes: Attributes, { placed, depth }: SpanFields): boolean {
  const tools = attributes.get(names.tools);
  const areFlat =
    isFlatText(attributes.get(names.messages), depth) && (tools === undefined || isFlatText(tools, depth));
  // The example id always has places.
  return (placed.fields.size > 1 || !areFlat) && nestsDeeper(event, depth);
}

function isFlatText(value: unknown, depth: number): boolean {
  return typeof value === 'string' && !mayNestDeeper(value, depth);
}

function noExampleId({ traceId }: Span, { exampleId }: Places): string {
  if (traceId === '')
    return 'the span has no traceId, which stands for the example where none is named: have the exporter send the id of the trace (32 hexadecimal digits in JSON), or set the attribute assay.example_id on the span';
  return `example_id is at none of ${exampleId}; set the attribute assay.example_id on the span, or say where it lies with input.fields.example_id (replay: --field example_id=PLACE)`;
}
