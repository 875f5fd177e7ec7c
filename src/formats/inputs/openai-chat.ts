import { isObject } from '../../scoring/json.ts';
import { type Form, hasObject, inside, said } from './form.ts';

/**
 * OpenAI Chat Completions, and the many servers compatible with it: `choices[].message`. Definition: `ChatCompletion` in
 * github.com/openai/openai-python, src/openai/types/chat. A choice that a filter cut off before its message is a failure.
 */
export const openaiChat: Form = {
  content: 'choices[].message',
  mark: 'choices',
  tells: ({ choices }) => hasObject(choices, (choice) => isObject(choice['message']) || isFiltered(choice)),
  choices: ({ choices }) => choices as readonly unknown[],
  read: ({ id, model, created }, choice) => {
    const message = inside(choice, 'message');
    const envelope = { event_id: id, ts: created, model };
    if (!isObject(message)) return isFiltered(choice) ? { ...envelope, error: 'content_filter' } : undefined;
    const content = said({ role: 'assistant', ...message });
    return { ...envelope, ...content, refused: content.refused || isFiltered(choice) };
  },
};

function isFiltered(choice: unknown): boolean {
  return inside(choice, 'finish_reason') === 'content_filter';
}
