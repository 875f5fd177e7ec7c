import { isObject, type Json } from '../../scoring/json.ts';
import { wholeChoices } from '../messages/choices.ts';
import { isCutOff } from '../messages/finish.ts';
import { type Form, hasObject, inside, isFiltered, said } from './form.ts';

/**
 * OpenAI Chat Completions, and the many servers compatible with it: `choices[].message`. Definition: `ChatCompletion` in
 * github.com/openai/openai-python, src/openai/types/chat. A choice that a filter cut off before its message is a failure.
 */
export const openaiChat: Form = {
  content: 'choices[].message',
  mark: 'choices',
  tells: ({ choices }) => hasObject(choices, (choice) => isObject(choice['message']) || isFiltered(choice)),
  choices: ({ choices }) => wholeChoices(choices as readonly Json[]),
  read: ({ id, model, created }, choice) => {
    const message = inside(choice, 'message');
    if (!isObject(message))
      return isFiltered(choice) ? { event_id: id, ts: created, model, error: 'content_filter' } : undefined;
    const {
      tool_calls,
      results,
      output,
      refused,
      unfinished,
      closes,
      error = inside(choice, 'error') ?? undefined,
      unread,
    } = said(message);
    // No spread: this is the form of most traffic.
    return {
      event_id: id,
      ts: created,
      model,
      tool_calls,
      results,
      output,
      error,
      refused: refused || isFiltered(choice),
      unfinished: unfinished || isCutOff(inside(choice, 'finish_reason')),
      closes,
      unread,
    };
  },
};
