import { isObject, type JsonObject } from '../../scoring/json.ts';
import { isCall } from '../calls/calls.ts';
import { opened, speakerOf } from '../messages/opened.ts';
import { contentOf, readSteps } from '../messages/steps.ts';
import { type Form, firstGiven, inside } from './form.ts';

/**
 * A whole run as a list of messages, items or steps of any dialect, or a single message (docs/reference/inputs.md, "Lists of messages"):
 * LangGraph, Agents SDK, Vercel AI SDK, pydantic-ai, Ollama, MCP, DeepEval, Langfuse's traces, Cohere v1.
 */
export const messages: Form = {
  content: 'message, or list of messages, of an agent',
  mark: 'messages',
  tells: (answer) => {
    const list = listIn(answer);
    return list !== undefined && readSteps(list, { isAnswer: false }).hasAgent;
  },
  read: (answer, turn) => {
    const list = (turn as readonly unknown[] | undefined) ?? listIn(answer)!;
    const steps = readSteps(list, { isAnswer: isSingle(answer) });
    const { response } = answer;
    return {
      ...contentOf(steps),
      event_id: eventId(answer),
      ts: firstGiven(steps.ts, answer['created_at'], answer['timestamp'], inside(response, 'timestamp')),
      model: firstGiven(steps.model, answer['model'], answer['model_name'], inside(response, 'modelId')),
      tools: steps.tools,
    };
  },
};

/** The messages of each turn of a run: what an agent said and did after a message of its user. */
export function turnsIn(answer: JsonObject): readonly (readonly unknown[])[] {
  const turns: unknown[][] = [[]];
  for (const message of listIn(answer) ?? []) {
    const isUsers = isObject(message) && opened(message).speaker === 'other' && !isResultOnly(message);
    if (isUsers) turns.push([]);
    turns.at(-1)!.push(message);
  }
  return turns.filter((turn) => readSteps(turn, { isAnswer: false }).hasAgent);
}

/** Returns whether a message of a user holds what tools gave back, and is no turn of its own: Anthropic, Bedrock, Gemini. */
function isResultOnly(message: JsonObject): boolean {
  return readSteps([message], { isAnswer: false }).returned.length > 0;
}

/** Returns whether a value is a message of an agent, or holds a run. */
export function isRun(value: unknown): boolean {
  if (Array.isArray(value)) return isRunList(value as readonly unknown[]);
  return isObject(value) && (messages.tells(value) || messages.tells({ output: value }));
}

/** Returns whether an object is a trace of Langfuse with its observations: its own output sums them up, in any form. */
export function isTrace({ observations }: JsonObject): boolean {
  return Array.isArray(observations) && isRunList(observations as readonly unknown[]);
}

/** Returns whether the messages of an answer hold some of its user: they may be a conversation that led to another answer. */
export function hasUser(answer: JsonObject): boolean {
  const list = isSingle(answer) ? [] : (listIn(answer) ?? []);
  return list.some((each) => isObject(each) && opened(each).speaker === 'other');
}

/** Returns whether a list holds messages of an agent, and little else. */
export function isRunList(list: readonly unknown[]): boolean {
  return isList(list) && readSteps(list, { isAnswer: false }).hasAgent;
}

/** Keys under which lists of messages lie: traces before the messages that they sum up. */
const listKeys = [
  'observations',
  'messages',
  'new_items',
  'newItems',
  'steps',
  'items',
  'trajectory',
  'traj',
  'events',
  'history',
] as const;

/** The messages of a record; undefined where it has none. */
function listIn(answer: JsonObject): readonly unknown[] | undefined {
  if (isSingle(answer)) return [answer];
  for (const key of listKeys) if (isList(answer[key])) return answer[key];
  const { input, output } = answer;
  if (isList(output)) return isList(input) ? [...input, ...output] : output;
  if (isObject(output) && isObject(output['message'])) return [{ role: 'assistant', ...output['message'] }];
  if (isObject(output)) return isSingle(output) ? [output] : listIn(output);
  return undefined;
}

/** Returns whether an object is one message, call or step of an agent. */
export function isSingle(answer: JsonObject): boolean {
  const { done, message, generation_id: generation, toolCalls, tools_called: called, actual_output: words } = answer;
  if (done !== undefined && isObject(message)) return true;
  if (generation !== undefined || Array.isArray(toolCalls) || Array.isArray(called) || typeof words === 'string')
    return true;
  if (answer['jsonrpc'] !== undefined || isObject(inside(message, 'params'))) return isCall(opened(answer).element);
  return speakerOf(answer) === 'agent' && contentKeys.some((key) => key in answer);
}

const contentKeys = ['content', 'parts', 'tool_calls', 'function_call', 'text', 'kwargs', 'data'] as const;

/** Returns whether a value is a list of objects that have a speaker, or are calls or items. */
function isList(value: unknown): value is readonly unknown[] {
  return (
    Array.isArray(value) && value.some((each) => isObject(each) && (opened(each).speaker !== undefined || isStep(each)))
  );
}

function isStep(element: JsonObject): boolean {
  return (
    element['type'] === 'message' ||
    isCall(element) ||
    isSingle(element) ||
    Array.isArray(element['choices']) ||
    Array.isArray(element['tool_calls']) ||
    isObject(element['raw_item']) ||
    element['jsonrpc'] !== undefined
  );
}

function eventId(answer: JsonObject): unknown {
  return firstGiven(answer['id'], answer['trace_id'], inside(answer['response'], 'id'), answer['generation_id']);
}
