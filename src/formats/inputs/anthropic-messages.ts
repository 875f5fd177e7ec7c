import type { JsonObject } from '../../scoring/json.ts';
import { type Form, gathered } from './form.ts';

/**
 * Anthropic Messages: blocks in `content[]`, and `stop_reason`. Calls of tools that the server runs (`server_tool_use`) are no decision
 * of the agent's. Definition: `Message` in github.com/anthropics/anthropic-sdk-python, src/anthropic/types.
 */
export const anthropicMessages: Form = {
  content: 'content[] and stop_reason',
  mark: 'stop_reason',
  tells: ({ content, stop_reason: reason }) => Array.isArray(content) && reason !== undefined,
  read: ({ content, id, model, stop_reason: reason }) => {
    const { calls, text } = gathered(content, callIn, textIn);
    return {
      event_id: id,
      model,
      tool_calls: calls,
      output: text,
      refused: reason === 'refusal',
    };
  },
};

function callIn(block: JsonObject): JsonObject | undefined {
  return block['type'] === 'tool_use' ? block : undefined;
}

function textIn({ type, text }: JsonObject): unknown {
  return type === 'text' ? text : undefined;
}
