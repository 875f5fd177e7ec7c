import { isObject, type JsonObject } from '../../scoring/json.ts';
import { gathered, hasObject, textOf } from '../inputs/form.ts';
import { shortened } from '../json/shortened.ts';
import { eventNames, modelCalls, names, numberedPrefix } from './names.ts';
import type { Attributes, Span } from './span.ts';
import { parsedOr } from '../json/parsed.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';

/** A message of a model. */
export interface Choice {
  readonly tool_calls: readonly unknown[] | undefined;
  readonly output: string | undefined;
  /** The model declined, or a filter cut its answer off. */
  readonly refused: boolean;
}

/** The messages of a span, undefined for one that is no object; or why they cannot be read. */
export type Choices = readonly (Choice | undefined)[] | { readonly problem: string };

/**
 * The messages of a span that is a call of a model, of the first place that has any; undefined for every other span. Definitions: the
 * semantic conventions for generative AI of OpenTelemetry, 1.37 and later for `gen_ai.output.messages`, before them `gen_ai.choice`; of
 * OpenLLMetry's instrumentations, `gen_ai.completion.N`.
 */
export function choicesOf({ attributes, events }: Span): Choices | undefined {
  if (!modelCalls.includes(attributes.get(names.operation))) return undefined;
  const given = attributes.get(names.messages);
  if (given !== undefined) return fromMessages(given);
  for (const { name, attributes: inner } of events) {
    const messages = inner.get(names.messages);
    if (name === eventNames.details && messages !== undefined) return fromMessages(messages);
  }
  const older = events.filter(({ name }) => name === eventNames.choice);
  return older.length > 0 ? older.map((event) => fromEvent(event.attributes)) : fromNumbered(attributes);
}

function fromMessages(given: unknown): Choices | undefined {
  const messages = parsedOr(given);
  if (!Array.isArray(messages)) return { problem: `gen_ai.output.messages: ${noMessages(given)}` };
  return messages.length === 0 ? undefined : messages.map(choiceOf);
}

function noMessages(given: unknown): string {
  const cut = '; where it was cut, raise OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT of the exporter';
  return `${shortened(given)} is no list of messages, nor its JSON text${typeof given === 'string' ? cut : ''}`;
}

/** A message in parts, or in the form of OpenAI. */
function choiceOf(message: unknown): Choice | undefined {
  if (!isObject(message)) return undefined;
  const { parts, content, tool_calls: calls, finish_reason: reason } = message;
  const filtered = reason === 'content_filter';
  return Array.isArray(parts)
    ? fromParts(parts, filtered)
    : { tool_calls: Array.isArray(calls) ? calls : undefined, output: textOf(content), refused: filtered };
}

function fromParts(parts: readonly unknown[], filtered: boolean): Choice {
  const { calls, text } = gathered(
    parts,
    (part) => (part['type'] === 'tool_call' ? part : undefined),
    ({ type, content }) => (type === 'text' ? content : undefined),
  );
  const refused = filtered || hasObject(parts, ({ type }) => type === 'refusal');
  return { tool_calls: calls, output: text, refused };
}

/** The message of an event: one attribute, within another, or spread over several. */
function fromEvent(attributes: Attributes): Choice | undefined {
  const whole = parsedOr(attributes.get(names.eventContent));
  const body = isObject(whole)
    ? whole
    : {
        message: attributes.get(names.message),
        content: attributes.get(names.content),
        tool_calls: attributes.get(names.toolCalls),
        finish_reason: attributes.get(names.finishReason),
      };
  const message = parsedOr(body['message']);
  const { finish_reason: reason } = body;
  if (isObject(message)) return choiceOf({ finish_reason: reason, ...message } as JsonObject);
  return choiceOf({
    ...body,
    content: message ?? body['content'],
    tool_calls: parsedOr(body['tool_calls']),
  } as JsonObject);
}

interface Numbered {
  readonly message: { content?: unknown; finish_reason?: unknown };
  readonly calls: Map<number, NumberedCall>;
}

interface NumberedCall {
  name?: unknown;
  arguments?: unknown;
}

const numberedName = /^(\d{1,6})\.(?:(content|finish_reason)|tool_calls\.(\d{1,6})\.(name|arguments))$/;

/** Messages of which each field is an attribute: its name holds the number of the message and of the call. */
function fromNumbered(attributes: Attributes): Choices | undefined {
  const found = new Map<number, Numbered>();
  for (const [name, value] of attributes) {
    if (!name.startsWith(numberedPrefix)) continue;
    const [, number, field, call, callField] = numberedName.exec(name.slice(numberedPrefix.length)) ?? [];
    if (number === undefined) continue;
    const { message, calls } = getOrPut(found, Number(number), (): Numbered => ({ message: {}, calls: new Map() }));
    if (field !== undefined) message[field as 'content'] = value;
    else getOrPut(calls, Number(call), (): NumberedCall => ({}))[callField as 'name'] = value;
  }
  if (found.size === 0) return undefined;
  return inOrder(found).map(({ message, calls }) =>
    choiceOf({ ...message, ...(calls.size > 0 && { tool_calls: inOrder(calls) }) } as JsonObject),
  );
}

function inOrder<Value>(values: ReadonlyMap<number, Value>): readonly Value[] {
  return [...values].sort(([a], [b]) => a - b).map(([, value]) => value);
}
