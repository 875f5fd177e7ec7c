import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { opened } from './opened.ts';

/** Keys under which requests lie, as providers and tracing platforms name them. */
const requestKeys = ['request', 'messages', 'input', 'contents', 'prompt', 'system'] as const;

/** The request to an agent, in the first of some objects that holds it: a text, or the messages of users and system. */
export function requestIn(...holders: readonly JsonObject[]): Json | undefined {
  for (const holder of holders)
    for (const key of requestKeys) {
      const request = requestOf(holder[key]);
      if (request !== undefined) return request;
    }
  return undefined;
}

function requestOf(given: Json | undefined): Json | undefined {
  if (typeof given === 'string') return given === '' ? undefined : given;
  if (isObject(given)) return requestIn(given);
  if (!Array.isArray(given)) return undefined;
  const asked = (given as readonly Json[]).filter(isAsked);
  return asked.length === 0 ? undefined : asked;
}

/** Returns whether an element is a message of neither the agent nor a tool. */
function isAsked(element: Json): boolean {
  return isObject(element) && opened(element).speaker === 'other';
}
