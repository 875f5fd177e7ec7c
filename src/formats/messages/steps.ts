import { isObject, type JsonObject } from '../../scoring/json.ts';
import { isCall, namedCall, type RawCall } from '../calls/calls.ts';
import { opened, type Speaker } from './opened.ts';
import { paired, type Result, type Returned, returnedIn } from './results.ts';

/** What the messages of a run say, in their order. */
export interface Steps {
  readonly calls: RawCall[];
  readonly returned: Returned[];
  /** Words of the last step that answers in words. */
  words: string | undefined;
  /** The last step declined. */
  refused: boolean;
  /** The failure of the last step, where it is one. */
  error: unknown;
  model: unknown;
  /** Time of the last step. */
  ts: unknown;
  tools: unknown;
  /** Whether the agent said anything in them. */
  hasAgent: boolean;
  /** The first key of a message of the agent of which nothing was read. */
  unread: string | undefined;
}

/** How messages are read. */
export interface Reading {
  /** The messages are one answer: its texts are joined, and calls that the API has executed itself are left out. */
  readonly isAnswer: boolean;
}

/**
 * Reads a list of messages, items or parts of any dialect, mixed ones too: each element is told by its own keys (docs/reference/inputs.md,
 * "Lists of messages"). Never throws.
 */
export function readSteps(list: readonly unknown[], { isAnswer }: Reading): Steps {
  const steps = noSteps();
  for (const element of list) readElement(steps, element, isAnswer, 0);
  return steps;
}

/** Reads the one message of an answer. */
export function readAnswer(message: JsonObject): Steps {
  const steps = noSteps();
  readMessage(steps, message, message, 'agent', true);
  return steps;
}

function noSteps(): Steps {
  return {
    calls: [],
    returned: [],
    words: undefined,
    refused: false,
    error: undefined,
    model: undefined,
    ts: undefined,
    tools: undefined,
    hasAgent: false,
    unread: undefined,
  };
}

/** The content of an event that the steps give; a list that is empty is absent. */
export function contentOf({ calls, returned, words, refused, error }: Steps): {
  tool_calls: readonly RawCall[] | undefined;
  results: readonly Result[] | undefined;
  output: string | undefined;
  refused: boolean;
  error: unknown;
} {
  const results = returned.length === 0 ? [] : paired(calls, returned);
  return {
    tool_calls: calls.length === 0 ? undefined : calls,
    results: results.length === 0 ? undefined : results,
    output: words,
    refused,
    error,
  };
}

const depthMax = 6;

function readElement(steps: Steps, given: unknown, isAnswer: boolean, depth: number): void {
  if (Array.isArray(given) && depth < depthMax)
    for (const each of given as readonly unknown[]) readElement(steps, each, isAnswer, depth + 1);
  if (!isObject(given)) return;
  const { element, speaker } = opened(given);
  if ((speaker === 'tool' || speaker === 'other') && readResults(steps, element)) return;
  const returned = returnedIn(element, speaker === 'tool');
  if (returned !== undefined) steps.returned.push(returned);
  else if (speaker === 'other') return;
  else if (speaker === undefined && isCall(element)) addCall(steps, element, isAnswer);
  else if (speaker === 'agent' || isMessage(element)) readMessage(steps, given, element, speaker, isAnswer);
  else if (isFailure(given)) steps.error = given['error'] ?? given['statusMessage'];
  else if (isOdd(element)) steps.unread ??= unreadKey(element);
}

/** Reads results that are parts of a message of a tool or of the user: Anthropic, Bedrock, Gemini, pydantic-ai, Vercel. Returns whether there are any. */
function readResults(steps: Steps, { content, parts }: JsonObject): boolean {
  const before = steps.returned.length;
  const list = Array.isArray(content) ? content : Array.isArray(parts) ? parts : [];
  for (const part of list as readonly unknown[]) {
    const returned = isObject(part) ? returnedIn(part, false) : undefined;
    if (returned !== undefined) steps.returned.push(returned);
  }
  return steps.returned.length > before;
}

/** Returns whether an element without a speaker is a message, or a step, of the agent. */
function isMessage(element: JsonObject): boolean {
  return messageKeys.some((key) => element[key] !== undefined && element[key] !== null);
}

const messageKeys = [
  'tool_calls',
  'toolCalls',
  'tools_called',
  'parts',
  'content',
  'text',
  'steps',
  'actual_output',
] as const;

function readMessage(
  steps: Steps,
  given: JsonObject,
  element: JsonObject,
  speaker: Speaker | undefined,
  isAnswer: boolean,
): void {
  if (Array.isArray(element['steps'])) {
    for (const step of element['steps'] as readonly unknown[]) readElement(steps, step, isAnswer, 1);
    return;
  }
  const before = steps.calls.length;
  const said: Said = { text: undefined, refused: isText(element['refusal']), understood: false };
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
  if (steps.calls.length > before || said.text !== undefined || said.refused) {
    steps.refused = said.refused;
    steps.error = undefined;
  } else if (!said.understood) steps.unread ??= unreadKey(element);
  if (said.text !== undefined) steps.words = isAnswer ? (steps.words ?? '') + said.text : said.text;
}

/** What the parts of one message say. */
interface Said {
  text: string | undefined;
  refused: boolean;
  /** A part without words or calls was one of a known kind: thoughts, an image. */
  understood: boolean;
}

function readPart(steps: Steps, said: Said, part: unknown, isListed: boolean, isAnswer: boolean): void {
  if (typeof part === 'string') said.text = (said.text ?? '') + part;
  if (!isObject(part)) return;
  const { type, part_kind: kind, text, content, thought } = part;
  const returned = returnedIn(part, false);
  if (returned !== undefined) steps.returned.push(returned);
  else if (type === 'refusal') said.refused = true;
  else if (isCall(part) || type === 'tool_call') {
    if (!isListed) addCall(steps, part, isAnswer);
  } else {
    const words = text ?? (type === 'text' || kind === 'text' ? content : undefined);
    const isThought = thought === true || thoughts.has(type) || thoughts.has(kind);
    if (typeof words === 'string' && !isThought) said.text = (said.text ?? '') + words;
    else if ((type === 'text' || type === 'output_text' || kind === 'text') && !isThought)
      steps.unread ??= Object.keys(part).at(-1);
    else if (isThought || partKinds.some((key) => part[key] !== undefined && part[key] !== null))
      said.understood = true;
    else steps.unread ??= Object.keys(part)[0];
  }
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
function addCall(steps: Steps, call: RawCall, isAnswer: boolean): void {
  steps.hasAgent = true;
  if (isAnswer && isObject(call) && isServerCall(call)) return;
  steps.calls.push(call);
  if (!isObject(call) || isAnswer) return;
  const { output, error } = call;
  const name = namedCall(call).name;
  if (output === undefined && (error === undefined || error === null)) return;
  const returned = returnedIn(call as JsonObject, true)!;
  steps.returned.push({ ...returned, name: typeof name === 'string' ? name : undefined });
}

/** Returns whether an element is a call of a tool of the API's own, which it has executed before it answered. */
export function isServerCall({ type }: RawCall): boolean {
  return serverCalls.has(type);
}

/** Calls that the API has executed before it answered: no decision of the agent's waits for them. */
const serverCalls: ReadonlySet<unknown> = new Set([
  ...[
    'server_tool_use',
    'server_tool_call',
    'web_search_call',
    'file_search_call',
    'code_interpreter_call',
    'image_generation_call',
  ],
]);

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

function isFailure({ error, level }: JsonObject): boolean {
  return isObject(error) || isText(error) || level === 'ERROR';
}

/** Returns whether an element is of no kind that a list of messages has: others name their type. */
function isOdd({ type, jsonrpc }: JsonObject): boolean {
  return (type === undefined || type === 'message') && jsonrpc === undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** An empty call of the older form stands for none. */
function isNamed(legacy: unknown): legacy is JsonObject {
  return isObject(legacy) && legacy['name'] !== '';
}

/** Keys of messages of the agent that say nothing of its decision. */
const understoodKeys: ReadonlySet<string> = new Set([
  ...[
    'role',
    'type',
    'kind',
    'content',
    'parts',
    'tool_calls',
    'toolCalls',
    'function_call',
    'refusal',
    'name',
    'id',
    'index',
    'status',
  ],
  ...[
    'annotations',
    'audio',
    'reasoning',
    'reasoning_content',
    'reasoning_details',
    'thinking',
    'phase',
    'author',
    'text',
    'example',
  ],
  ...[
    'additional_kwargs',
    'response_metadata',
    'usage_metadata',
    'usage',
    'invalid_tool_calls',
    'model',
    'model_name',
    'timestamp',
    'metadata',
  ],
]);

function unreadKey(element: JsonObject): string | undefined {
  return Object.keys(element).find((key) => {
    const value = element[key];
    return !understoodKeys.has(key) && (isText(value) || (typeof value === 'object' && value !== null));
  });
}
