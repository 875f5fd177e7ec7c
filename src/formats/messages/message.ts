import { isObject, type JsonObject } from '../../scoring/json.ts';
import { isCall, isServerCall, namedCall, type RawCall } from '../calls/calls.ts';
import { saysCutOff } from './finish.ts';
import type { Speaker } from './opened.ts';
import type { Returned } from '../../stream/results.ts';
import { returnedIn } from './results.ts';

/** The content of a run by its messages, in their order. */
export interface Steps {
  readonly calls: RawCall[];
  readonly returned: Returned[];
  /** Words of the last step that answers in words. */
  words: string | undefined;
  /** Messages of the agent. */
  answers: number;
  /** A call, or its result, is the last of them: no words follow. */
  endsInCall: boolean;
  /** More of the last step was to come. */
  isCutOff: boolean;
  /** The last step declined. */
  refused: boolean;
  /** The failure of the last step, where it is one. */
  error: unknown;
  model: unknown;
  /** Time of the last step. */
  ts: unknown;
  tools: unknown;
  /** The agent said anything in them. */
  hasAgent: boolean;
  /** The first key of a message of the agent of which nothing was read. */
  unread: string | undefined;
}

/** Reads a message, or a step, of the agent. `given` is the message with what wraps it. */
export function readMessage(
  steps: Steps,
  given: JsonObject,
  element: JsonObject,
  speaker: Speaker | undefined,
  isAnswer: boolean,
): void {
  const before = steps.calls.length;
  const said: Said = { text: undefined, refused: isText(element['refusal']), closes: false, understood: false };
  const listed = callsListed(element);
  for (const call of listed) addCall(steps, call as RawCall, isAnswer);
  const { content } = element;
  // A text that names no speaker may be anyone's.
  const isAnyones = speaker === undefined && typeof content === 'string' && element['type'] !== 'message';
  if (isAnyones) steps.unread ??= 'content';
  for (const part of partsIn(isAnyones ? null : content, element['parts'], element['blocks'], element['toolResults']))
    readPart(steps, said, part, listed.length > 0, isAnswer);
  for (const key of ['text', 'actual_output'] as const) {
    const text: unknown = element[key];
    if (isText(text) || (text === '' && listed.length === 0)) said.text ??= text;
  }
  if (!isAnswer) noteAnswer(steps, given, element);
  steps.hasAgent ||= speaker === 'agent' || listed.length > 0 || said.text !== undefined || steps.calls.length > before;
  steps.unread ??= actionKey(element);
  steps.isCutOff = saysCutOff(element);
  if (steps.calls.length > before || said.text !== undefined || said.refused) {
    if (!isAnswer) steps.answers++;
    // Words beside a list of calls come before them; among parts their order counts.
    steps.endsInCall = listed.length > 0 || (steps.calls.length > before && !said.closes);
    steps.refused = said.refused;
    steps.error = undefined;
  } else if (!said.understood) steps.unread ??= unreadKey(element);
  if (said.text !== undefined) steps.words = isAnswer ? (steps.words ?? '') + said.text : said.text;
}

/** The content of the parts of one message. */
interface Said {
  text: string | undefined;
  refused: boolean;
  /** Words follow the last call. */
  closes: boolean;
  /** A part without words or calls was one of a known kind: thoughts, an image. */
  understood: boolean;
}

function readPart(steps: Steps, said: Said, part: unknown, isListed: boolean, isAnswer: boolean): void {
  if (typeof part === 'string') addWords(said, part);
  if (!isObject(part)) return;
  const { type, part_kind: kind, text, content, thought } = part;
  const returned = returnedIn(part, false);
  if (returned !== undefined) steps.returned.push(returned);
  else if (type === 'refusal') said.refused = true;
  else if (isCall(part) || type === 'tool_call') {
    if (!isListed) addCall(steps, part, isAnswer);
    said.closes = false;
  } else {
    const words = text ?? (type === 'text' || kind === 'text' ? content : undefined);
    const isThought = thought === true || thoughts.has(type) || thoughts.has(kind);
    if (typeof words === 'string' && !isThought) addWords(said, words);
    else if ((type === 'text' || type === 'output_text' || kind === 'text') && !isThought)
      steps.unread ??= Object.keys(part).at(-1);
    else if (isThought || partKinds.some((key) => part[key] !== undefined && part[key] !== null))
      said.understood = true;
    else steps.unread ??= Object.keys(part)[0];
  }
}

function addWords(said: Said, words: string): void {
  said.text = (said.text ?? '') + words;
  said.closes ||= words !== '';
}

const thoughts: ReadonlySet<unknown> = new Set([
  'thinking',
  'reasoning',
  'redacted_thinking',
  'summary_text',
  'reasoning_text',
]);
const partKinds = [
  'type',
  'part_kind',
  'thought',
  'inlineData',
  'inline_data',
  'fileData',
  'reasoningContent',
  'image',
  'document',
] as const;

/** The calls that a message lists beside its content: of today's form, of the older ones, and those that did not parse. */
function callsListed(element: JsonObject): readonly unknown[] {
  const { additional_kwargs: more, invalid_tool_calls: invalid, function_call: legacy, tools_called: called } = element;
  const { tool_calls: listed } = element;
  // Calls that are no list are refused as they stand.
  if (isObject(listed) || ['string', 'number', 'boolean'].includes(typeof listed)) return [listed];
  const found = [listed, element['toolCalls'], called].find((list) => Array.isArray(list) && list.length > 0);
  const calls = (found ?? (isNamed(legacy) ? [legacy] : undefined)) as readonly unknown[] | undefined;
  const broken = Array.isArray(invalid) ? (invalid as readonly unknown[]) : [];
  if (calls !== undefined || broken.length > 0) return [...(calls ?? []), ...broken];
  return isObject(more) ? callsListed(more) : [];
}

/** Adds a call, and its result where it holds that itself. */
export function addCall(steps: Steps, call: RawCall, isAnswer: boolean): void {
  steps.hasAgent = true;
  steps.endsInCall = true;
  if (isAnswer && isObject(call) && isServerCall(call)) return;
  steps.calls.push(call);
  if (!isObject(call) || isAnswer) return;
  const { output, error = call['errorText'] } = call;
  const name = namedCall(call).name;
  if (output === undefined && (error === undefined || error === null)) return;
  const returned = returnedIn(call as JsonObject, true)!;
  steps.returned.push({ ...returned, name: typeof name === 'string' ? name : undefined });
}

/** The model, the time and the tools of a step, where its message or what wraps it names them. */
function noteAnswer(steps: Steps, given: JsonObject, element: JsonObject): void {
  const metadata = element['response_metadata'];
  const inner = isObject(metadata) ? metadata : {};
  const of = (key: string): unknown => given[key] ?? element[key] ?? undefined;
  steps.model ??=
    (inner['model_name'] ?? inner['model'] ?? of('model') ?? of('model_name') ?? of('modelId')) || undefined;
  steps.ts = of('endTime') ?? of('created_at') ?? of('timestamp') ?? of('created') ?? steps.ts;
  const input = given['input'];
  steps.tools ??= of('tools') ?? (isObject(input) ? input['tools'] : undefined);
}

function partsIn(...contents: readonly unknown[]): readonly unknown[] {
  return contents.flatMap((content) =>
    typeof content === 'string'
      ? [content]
      : Array.isArray(content)
        ? (content as readonly unknown[])
        : isObject(content)
          ? [content]
          : [],
  );
}

/** Returns whether a value is a text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** An empty call of the older form stands for none. */
function isNamed(legacy: unknown): legacy is JsonObject {
  return isObject(legacy) && legacy['name'] !== '';
}

/** Keys of messages of the agent that say nothing of its decision. */
const understoodKeys: ReadonlySet<string> = new Set([
  ...['role', 'type', 'kind', 'content', 'parts', 'tool_calls', 'toolCalls', 'function_call', 'refusal', 'name'],
  ...['id', 'index', 'status', 'annotations', 'audio', 'reasoning', 'reasoning_content', 'reasoning_details'],
  ...['thinking', 'phase', 'author', 'text', 'example', 'additional_kwargs', 'response_metadata', 'usage_metadata'],
  ...['usage', 'invalid_tool_calls', 'model', 'model_name', 'timestamp', 'metadata'],
]);

/** A key of a message that nothing reads, and that seems to hold calls by its name: another list of them than the known ones. */
function actionKey(element: JsonObject): string | undefined {
  for (const key in element)
    if (
      !understoodKeys.has(key) &&
      /tool|function|call|action/i.test(key) &&
      !knownActions.has(key) &&
      isFilled(element[key])
    )
      return key;
  return undefined;
}

const knownActions: ReadonlySet<string> = new Set([
  'toolResults',
  'tools_called',
  'tool_call_id',
  'tools',
  'toolInvocations',
  'tool_choice',
  'functions',
]);

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The first key of a message that is not understood, and holds something. */
export function unreadKey(element: JsonObject): string | undefined {
  return Object.keys(element).find((key) => {
    const value = element[key];
    return !understoodKeys.has(key) && (isText(value) || (typeof value === 'object' && value !== null));
  });
}
