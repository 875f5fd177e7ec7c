import { type Form, inside, said } from './form.ts';

/** Cohere Chat v2: `message`, and `finish_reason`. Definition: `V2ChatResponse` in github.com/cohere-ai/cohere-python, src/cohere. */
export const cohereChat: Form = {
  content: 'message.tool_calls or message.content, and finish_reason',
  mark: 'finish_reason',
  tells: ({ message, finish_reason: reason }) =>
    reason !== undefined && (inside(message, 'tool_calls') ?? inside(message, 'content')) !== undefined,
  read: ({ message, id }) => ({ ...said(message), event_id: id }),
};
