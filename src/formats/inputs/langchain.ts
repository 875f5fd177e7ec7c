import { isObject, type JsonObject } from '../../scoring/json.ts';
import { type Form, inside, textOf } from './form.ts';

/**
 * LangChain, an `AIMessage` as `model_dump()`, `message_to_dict()` (under `data`) and `dumpd()` (under `kwargs`) write it. Calls that
 * did not parse follow the others, their `args` are text. Definition: `AIMessage` in github.com/langchain-ai/langchain,
 * libs/core/langchain_core/messages/ai.py.
 */
export const langchain: Form = {
  content: 'type "ai", or lc and kwargs of an AIMessage',
  mark: 'type',
  tells: (answer) => messageIn(answer) !== undefined,
  read: (answer) => {
    const message = messageIn(answer)!;
    const { id, content, response_metadata: metadata, tool_calls: calls, invalid_tool_calls: invalid } = message;
    const both = Array.isArray(calls) && Array.isArray(invalid) ? [...calls, ...invalid] : (calls ?? invalid);
    return {
      event_id: id,
      model: inside(metadata, 'model_name') ?? inside(metadata, 'model'),
      tool_calls: both,
      output: textOf(content),
    };
  },
};

function messageIn(answer: JsonObject): JsonObject | undefined {
  const { type, data, lc, kwargs, id } = answer;
  if (type === 'ai') return isObject(data) ? data : answer;
  const name = Array.isArray(id) ? (id as readonly unknown[]).at(-1) : undefined;
  const isMessage = lc !== undefined && typeof name === 'string' && name.startsWith('AIMessage');
  return isMessage && isObject(kwargs) ? kwargs : undefined;
}
