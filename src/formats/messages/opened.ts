import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { wholeChoices } from './choices.ts';

/** An element of a list of messages without its wrappings, and the speaker that they name. */
export interface Opened {
  readonly element: JsonObject;
  readonly speaker: Speaker | undefined;
}

/** The source of a message: the model, a tool that it called, or anyone else (a user, the system). */
export type Speaker = 'agent' | 'tool' | 'other';

/** Speakers by the roles, types and class names of messages. */
const speakers: Readonly<Record<string, Speaker>> = {
  ...named('agent', 'assistant', 'model', 'ai', 'aimessage', 'aimessagechunk', 'chatbot', 'response', 'agent'),
  ...named('tool', 'tool', 'toolmessage', 'function', 'functionmessage', 'observation'),
  ...named('other', 'user', 'human', 'humanmessage', 'system', 'systemmessage', 'developer', 'request', 'remove'),
};

/** Wrappings nest at most so deep: an event of ADK in a list of choices has three. */
const wrappingsMax = 5;

/**
 * Takes an element out of what wraps it: a constructor of LangChain, a choice, a candidate, an event of ADK, an item of the Agents SDK,
 * a generation of Langfuse, a line of an MCP log.
 */
export function opened(given: JsonObject): Opened {
  let element = given;
  let speaker = speakerOf(given);
  for (let depth = 0; depth < wrappingsMax; depth++) {
    const inner = innerOf(element);
    if (inner === undefined) break;
    speaker = speakerOf(inner) ?? speaker;
    element = inner;
  }
  return { element, speaker };
}

/** The speaker that an element names by its `role`, `kind`, `type` or `author`. */
export function speakerOf({ role, kind, type, author, id, lc }: JsonObject): Speaker | undefined {
  const names = [role, kind, type, lc === undefined || !Array.isArray(id) ? undefined : id.at(-1)];
  for (const name of names) {
    const speaker = typeof name === 'string' ? known(name) : undefined;
    if (speaker !== undefined) return speaker;
  }
  // An event of ADK names the agent, or the user.
  return typeof author === 'string' ? (known(author) ?? 'agent') : undefined;
}

function known(name: string): Speaker | undefined {
  const plain = name.toLowerCase();
  return Object.hasOwn(speakers, plain) ? speakers[plain] : undefined;
}

function named(speaker: Speaker, ...names: readonly string[]): Record<string, Speaker> {
  return Object.fromEntries(names.map((name) => [name, speaker]));
}

function innerOf(element: JsonObject): JsonObject | undefined {
  const { lc, kwargs, data, type, choices, candidates, message, output, content, raw_item: item } = element;
  if (lc !== undefined && isObject(kwargs)) return kwargs;
  if (isObject(item)) return item;
  if (isObject(data) && typeof type === 'string' && known(type) !== undefined) return data;
  const [first] = Array.isArray(choices)
    ? wholeChoices(choices as readonly Json[])
    : Array.isArray(candidates)
      ? candidates
      : [];
  if (isObject(first)) return first;
  if (isObject(message)) return message;
  if (isObject(output) && (isObject(output['message']) || isGeneration(element))) return output;
  if (typeof output === 'string' && isGeneration(element)) return { role: 'assistant', content: output };
  return isObject(content) && Array.isArray(content['parts']) ? content : undefined;
}

/** Returns whether an element is an observation of Langfuse that a model made: its output is a message. */
function isGeneration({ type }: JsonObject): boolean {
  return type === 'GENERATION' || type === 'generation';
}
