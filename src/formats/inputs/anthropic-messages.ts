import { isCutOff } from '../messages/finish.ts';
import { type Form, said } from './form.ts';

/**
 * Anthropic Messages: blocks in `content[]`, and `stop_reason`. Calls of tools that the server runs (`server_tool_use`) are no decision
 * of the agent's. Definition: `Message` in github.com/anthropics/anthropic-sdk-python, src/anthropic/types.
 */
export const anthropicMessages: Form = {
  content: 'content[] and stop_reason',
  mark: 'stop_reason',
  tells: ({ content, stop_reason: reason }) => Array.isArray(content) && reason !== undefined,
  read: ({ content: blocks, id, model, stop_reason: reason }) => {
    const content = said({ content: blocks! });
    return {
      ...content,
      event_id: id,
      model,
      unfinished: content.unfinished || isCutOff(reason),
      refused: reason === 'refusal',
    };
  },
};
