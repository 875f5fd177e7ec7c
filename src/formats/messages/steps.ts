import { isObject, type JsonObject } from '../../scoring/json.ts';
import type { Result, Returned } from '../../stream/results.ts';
import { isCall, type RawCall } from '../calls/calls.ts';
import { addCall, isText, readMessage, type Steps, unreadKey } from './message.ts';
import { opened } from './opened.ts';
import { resultsOf, returnedIn } from './results.ts';

/** How messages are read. */
export interface MessageOptions {
  /** The messages are one answer: its texts are joined, and calls that the API has executed itself are left out. */
  readonly isAnswer: boolean;
}

/**
 * Reads a list of messages, items or parts of any dialect, mixed ones too: each element is recognised by its own keys (docs/reference/inputs.md,
 * "Lists of messages"). Never throws.
 */
export function readSteps(list: readonly unknown[], { isAnswer }: MessageOptions): Steps {
  const steps = noSteps();
  for (const element of list) readElement(steps, element, isAnswer, 0);
  return steps;
}

/** The results in a conversation behind the last message of its agent. */
export function returnedLast(conversation: readonly unknown[]): readonly Returned[] {
  const last = conversation.findLastIndex((each) => readSteps([each], { isAnswer: false }).hasAgent);
  return readSteps(conversation.slice(last + 1), { isAnswer: false }).returned;
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
    answers: 0,
    endsInCall: false,
    isCutOff: false,
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
export function contentOf({ calls, returned, words, answers, endsInCall, isCutOff, ...rest }: Steps): {
  tool_calls: readonly RawCall[] | undefined;
  results: readonly Result[] | undefined;
  output: string | undefined;
  steps: number | undefined;
  unfinished: boolean;
  closes: boolean;
  refused: boolean;
  error: unknown;
  unread: string | undefined;
} {
  const results = returned.length === 0 ? [] : resultsOf(calls, returned);
  return {
    tool_calls: calls.length === 0 ? undefined : calls,
    results: results.length === 0 ? undefined : results,
    output: words,
    steps: answers > 1 ? answers : undefined,
    // An answer that calls is finished: its results are not in it.
    unfinished: isCutOff || (endsInCall && results.length > 0),
    closes: calls.length > 0 && !endsInCall,
    refused: rest.refused,
    error: rest.error,
    unread: rest.unread,
  };
}

const depthMax = 6;

function readElement(steps: Steps, given: unknown, isAnswer: boolean, depth: number): void {
  if (Array.isArray(given) && depth < depthMax)
    for (const each of given as readonly unknown[]) readElement(steps, each, isAnswer, depth + 1);
  if (!isObject(given)) return;
  // A piece of a stream: the whole follows.
  if (given['partial'] === true) return;
  const { element, speaker } = opened(given);
  if ((speaker === 'tool' || speaker === 'other') && readResults(steps, element)) return;
  const returned = returnedIn(element, speaker === 'tool');
  if (returned !== undefined) steps.returned.push(returned);
  else if (speaker === 'other') return;
  else if (Array.isArray(element['steps']))
    for (const step of element['steps'] as readonly unknown[]) readElement(steps, step, isAnswer, depth + 1);
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

function isFailure({ error, level }: JsonObject): boolean {
  return isObject(error) || isText(error) || level === 'ERROR';
}

/** Returns whether an element is of no kind that a list of messages has: others name their type. */
function isOdd({ type, jsonrpc }: JsonObject): boolean {
  return (type === undefined || type === 'message') && jsonrpc === undefined;
}
