import type { JsonObject } from '../../scoring/json.ts';
import { type Form, inside, joined, objectsIn, unlessEmpty } from './form.ts';

/**
 * OpenAI Responses: `output[]`, a list of items. Definition: `Response` in github.com/openai/openai-python,
 * src/openai/types/responses.
 */
export const openaiResponses: Form = {
  content: 'output[] of items with a type',
  mark: 'object',
  tells: ({ output, object, status }) =>
    objectsIn(output).some(({ type }) => typeof type === 'string') ||
    (Array.isArray(output) && object === 'response' && status !== undefined),
  read: (answer) => {
    const { output, id, model, created_at: ts, tools, status, error } = answer;
    const items = objectsIn(output);
    const parts = items.filter(({ type }) => type === 'message').flatMap(({ content }) => objectsIn(content));
    const failure = inside(error, 'message') ?? 'the response has status failed';
    return [
      {
        event_id: id,
        model,
        ts,
        tools,
        tool_calls: unlessEmpty(items.flatMap(callIn)),
        output: joined(parts.filter(({ type }) => type === 'output_text').map(({ text }) => text)),
        error: status === 'failed' ? failure : undefined,
        refused: parts.some(({ type }) => type === 'refusal'),
      },
    ];
  },
};

function callIn({ type, name, arguments: given, input }: JsonObject): readonly object[] {
  if (type === 'function_call' || type === 'mcp_call') return [{ name, arguments: given }];
  return type === 'custom_tool_call' ? [{ custom: { name, input } }] : [];
}
