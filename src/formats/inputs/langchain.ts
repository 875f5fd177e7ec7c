import { isObject, type JsonObject } from '../../scoring/json.ts';
import { type Form, inside, said } from './form.ts';

/**
 * LangChain, an `AIMessage` as `model_dump()`, `message_to_dict()` (under `data`) and `dumpd()` (under `kwargs`) write it. Calls that
 * did not parse follow the others, their `args` are text; those of older versions lie in `additional_kwargs`. Definition: `AIMessage` in
 * github.com/langchain-ai/langchain, libs/core/langchain_core/messages/ai.py.
 */
export const langchain: Form = {
  content: 'type "ai", or lc and kwargs of an AIMessage',
  mark: 'type',
  tells: (answer) => messageIn(answer) !== undefined,
  read: (answer) => {
    const message = messageIn(answer)!;
    const { id, response_metadata: metadata } = message;
    return {
      ...said(message),
      event_id: id,
      model: inside(metadata, 'model_name') ?? inside(metadata, 'model'),
    };
  },
};

function messageIn(answer: JsonObject): JsonObject | undefined {
  const { type, data, lc, kwargs, id } = answer;
  if (type === 'ai' || type === 'AIMessageChunk') return isObject(data) ? data : answer;
  const name = Array.isArray(id) ? (id as readonly unknown[]).at(-1) : undefined;
  const isMessage = lc !== undefined && typeof name === 'string' && name.startsWith('AIMessage');
  return isMessage && isObject(kwargs) ? kwargs : undefined;
}
