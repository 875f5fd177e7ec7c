import { isObject } from '../../scoring/json.ts';
import { type Form, hasObject, inside, textOf } from './form.ts';

/**
 * OpenAI Chat Completions, and the many servers compatible with it: `choices[].message`. Definition: `ChatCompletion` in
 * github.com/openai/openai-python, src/openai/types/chat.
 */
export const openaiChat: Form = {
  content: 'choices[].message',
  mark: 'choices',
  tells: ({ choices }) => hasObject(choices, ({ message }) => isObject(message)),
  choices: ({ choices }) => choices as readonly unknown[],
  read: ({ id, model, created }, choice) => {
    const message = inside(choice, 'message');
    if (!isObject(message)) return undefined;
    const { tool_calls: calls, function_call: legacy, content, refusal } = message;
    return {
      event_id: id,
      ts: created,
      model,
      tool_calls: calls ?? (isObject(legacy) ? [legacy] : undefined),
      output: textOf(content),
      refused: (typeof refusal === 'string' && refusal !== '') || inside(choice, 'finish_reason') === 'content_filter',
    };
  },
};
