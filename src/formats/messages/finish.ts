import { isObject, type JsonObject } from '../../scoring/json.ts';

/**
 * Returns whether a finish reason, or a status, says that more of the answer was to come: it was cut off at a limit of tokens, or its provider
 * paused it. OpenAI, Cohere, Vercel, Anthropic, Bedrock and Gemini.
 */
export function isCutOff(reason: unknown): boolean {
  return typeof reason === 'string' && cutOff.has(reason.toLowerCase());
}

/** Returns whether a message of the agent says so itself: LangChain's has the reason in its metadata. */
export function saysCutOff({
  finish_reason: reason,
  stop_reason: stop,
  status,
  response_metadata: more,
}: JsonObject): boolean {
  return [reason, stop, status].some(isCutOff) || (isObject(more) && saysCutOff(more));
}

const cutOff: ReadonlySet<string> = new Set([
  ...['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded', 'incomplete', 'pause_turn'],
]);
