import type { InputReading, Reading } from './found.ts';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { parsedOr } from '../json/parsed.ts';
import { shortened } from '../json/shortened.ts';
import { answerSteps, type StepKey } from './answer-steps.ts';
import { eventsOf, one, type Source } from './answer-events.ts';
import { placesOf } from './field-places.ts';
import type { Form } from './form.ts';
import { decides, failure, type FormatName, formOf, forms } from './forms.ts';
import { hasUser, isSingle } from './messages.ts';
import { type PlaceUses, usedPlaces } from './place-use.ts';
import { pointer } from './places.ts';
import { answersIn, type FoundAnswer, nameOf } from './unread.ts';

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
  /** An event need not name an example. */
  readonly ownExamples?: boolean | undefined;
  /** Answers are steps of runs by this key (configuration: `runs.by`). */
  readonly stepKey?: StepKey | undefined;
  /** Events hold what their agent was asked. */
  readonly keepsRequest?: boolean | undefined;
}

/** The reading that the options ask for; undefined where every record is a native event as it stands. */
export function inputReading(options: InputOptions, uses: PlaceUses = new Map()): InputReading | undefined {
  const { format, stepKey } = options;
  if (stepKey !== undefined) return answerSteps(formReading(options, uses), stepKey);
  return format === 'assay' && isPlain(options) ? undefined : formReading(options, uses);
}

function formReading(options: InputOptions, uses: PlaceUses): InputReading {
  const { format, response, request, splitsRuns = false, ownExamples = false, stepKey, keepsRequest = false } = options;
  const plain = isPlain(options);
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
      ...{
        value,
        record,
        form,
        places,
        answer,
        given,
        splitsRuns,
        ownExamples,
        stepKey,
        keepsRequest,
        asked: asObject(requestIn?.(value, record)),
      },
      metadata: isObject(metadata) ? metadata : empty,
    };
    const isPiece = format === 'auto' && form === forms.assay && isChunk(answer);
    // The last piece of OpenAI's Responses holds the whole answer.
    if (isPiece && !holdsAnswer(answer)) return refusal(`the record ${streamText}`);
    const within = format === 'auto' && answerIn === undefined ? answerWithin(value, form) : undefined;
    if (within !== undefined) return eventsWithin(source, within);
    if (form !== forms.assay)
      return format === 'auto' || form.tells(answer)
        ? eventsOf(source)
        : failure.tells(answer)
          ? eventsOf({ ...source, form: failure })
          : refusal(unrecognised(form, format, response, answer));
    if (isPiece) return refusal(`the record ${streamText}`);
    return plain ? one({ event: value }) : eventsOf(source);
  };
}

/**
 * The one answer of a known form inside a record that decides nothing itself, or that holds a conversation beside it; undefined where there
 * is none, or several. An answer may be the text of `output`.
 */
function answerWithin(value: JsonObject, form: Form): FoundAnswer | undefined {
  const { output } = value;
  let found: readonly FoundAnswer[] = [];
  if (form === forms.assay && !decides(value)) found = answersIn(value);
  else if (form === forms.assay && typeof output === 'string' && !('tool_calls' in value))
    found = answersIn({ output });
  else if (form === forms.messages && hasUser(value))
    found = answersIn(value).filter((one) => one.form !== forms.messages || isSingle(one.answer));
  return found.length === 1 ? found[0] : undefined;
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

/** Explains a record that is no JSON but what Python prints; undefined for any other. */
export function pythonProblem(text: string): string | undefined {
  return /^\s*\[?\s*\{\s*u?'/.test(text) ? pythonText : undefined;
}

const pythonText =
  'is text as Python prints a dict, with single quotes, None and True, and that is no JSON; send json.dumps(record), or json=record with requests';

const streamText =
  'is a stream of server-sent events, which is not read; log the whole answer, as the SDK puts it together';

const empty: JsonObject = {};

/** Returns whether a record is what a server of MCP sent: no decision of an agent's. Its client's other requests are none either. */
function isResponseOfMcp(value: JsonObject): boolean {
  const message = value['jsonrpc'] === undefined ? value['message'] : value;
  return isObject(message) && message['jsonrpc'] !== undefined && message['method'] !== 'tools/call';
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

function holdsAnswer({ type, response }: JsonObject): boolean {
  return (
    isObject(response) && typeof type === 'string' && /^response\.(?:completed|incomplete|failed|done)$/.test(type)
  );
}

/** Returns whether an object is a piece of a streamed answer. */
function isChunk({ object, type }: JsonObject): boolean {
  const kind = object ?? type;
  return (
    typeof kind === 'string' && /\.chunk$|[._]delta$|^(message|content_block)_(start|stop)$|^response\.\w/.test(kind)
  );
}
