import { isObject } from '../../scoring/json.ts';
import { type Answer, type Form, inside, objectsIn, textOf } from './form.ts';

/**
 * OpenAI Chat Completions, and the many servers compatible with it: `choices[].message`. Definition: `ChatCompletion` in
 * github.com/openai/openai-python, src/openai/types/chat.
 */
export const openaiChat: Form = {
  content: 'choices[].message',
  mark: 'choices',
  tells: ({ choices }) => objectsIn(choices).some(({ message }) => isObject(message)),
  read: (answer) => (answer['choices'] as readonly unknown[]).map((choice) => choiceOf(choice, answer)),
};

function choiceOf(choice: unknown, { id, model, created }: Readonly<Record<string, unknown>>): Answer | undefined {
  const message = inside(choice, 'message');
  if (!isObject(message)) return undefined;
  const { tool_calls: calls, function_call: legacy, refusal } = message;
  return {
    event_id: id,
    model,
    ts: created,
    tool_calls: calls ?? (isObject(legacy) ? [legacy] : undefined),
    output: textOf(message['content']),
    refused: (typeof refusal === 'string' && refusal !== '') || inside(choice, 'finish_reason') === 'content_filter',
  };
}
