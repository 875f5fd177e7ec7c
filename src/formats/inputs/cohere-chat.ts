import { isCutOff } from '../messages/finish.ts';
import { type Form, inside, said } from './form.ts';

/** Cohere Chat v2: `message`, and `finish_reason`. Definition: `V2ChatResponse` in github.com/cohere-ai/cohere-python, src/cohere. */
export const cohereChat: Form = {
  content: 'message.tool_calls or message.content, and finish_reason',
  mark: 'finish_reason',
  tells: ({ message, finish_reason: reason }) =>
    reason !== undefined && (inside(message, 'tool_calls') ?? inside(message, 'content')) !== undefined,
  read: ({ message, id, finish_reason: reason }) => {
    const content = said(message);
    return { ...content, event_id: id, unfinished: content.unfinished || isCutOff(reason) };
  },
};
