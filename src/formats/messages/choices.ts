import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { isCutOff } from './finish.ts';

/**
 * The choices of a chat completion as alternatives: pieces of one answer become one choice. Servers of Claude behind OpenAI's API (GitHub Copilot) give
 * its words and each of its calls as a choice. Pieces share an `index`, or have none and say that they stopped for calls which not all of them hold.
 *
 * @example wholeChoices([{ finish_reason: 'tool_calls', message: { content: 'x' } }, { finish_reason: 'tool_calls', message: { tool_calls } }])
 * // [{ finish_reason: 'tool_calls', message: { role: 'assistant', content: [{ type: 'text', text: 'x' }], tool_calls } }]
 */
export function wholeChoices(choices: readonly Json[]): readonly Json[] {
  if (choices.length < 2 || !choices.every(hasMessage)) return choices;
  if (arePieces(choices)) return [joined(choices)];
  const isFirst = ({ index }: Choice, at: number): boolean =>
    index == null || choices.findIndex((each) => each['index'] === index) === at;
  return choices.filter(isFirst).map((first) => {
    const pieces = choices.filter(({ index }) => index != null && index === first['index']);
    return pieces.length > 1 ? joined(pieces) : first;
  });
}

interface Choice extends JsonObject {
  readonly message: JsonObject;
}

function hasMessage(choice: Json): choice is Choice {
  return isObject(choice) && isObject(choice['message']);
}

function arePieces(choices: readonly Choice[]): boolean {
  const stopsForCalls = ({ index, finish_reason: reason }: Choice): boolean => index == null && reason === 'tool_calls';
  return choices.every(stopsForCalls) && choices.some(({ message }) => callsIn(message).length === 0);
}

/** One choice of all pieces; one that was cut off cuts off the whole. */
function joined(pieces: readonly Choice[]): Choice {
  const cut = pieces.find(({ finish_reason: reason }) => isCutOff(reason));
  const messages = pieces.map(({ message }) => message);
  const parts = messages.flatMap(partsIn);
  const calls = messages.flatMap(callsIn);
  const message = {
    ...Object.assign({}, ...messages),
    content: parts.length === 0 ? null : parts,
    tool_calls: calls.length === 0 ? null : calls,
  } as JsonObject;
  return { ...Object.assign({}, ...pieces), ...cut, message } as Choice;
}

function callsIn({ tool_calls: calls }: JsonObject): readonly Json[] {
  return Array.isArray(calls) ? (calls as readonly Json[]) : [];
}

function partsIn({ content }: JsonObject): readonly Json[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly Json[]) : [];
}
