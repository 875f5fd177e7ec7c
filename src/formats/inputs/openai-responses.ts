import type { JsonObject } from '../../scoring/json.ts';
import { type Form, gathered, hasObject, inside } from './form.ts';

/**
 * OpenAI Responses: `output[]`, a list of items. Definition: `Response` in github.com/openai/openai-python,
 * src/openai/types/responses.
 */
export const openaiResponses: Form = {
  content: 'output[] of items with a type',
  mark: 'object',
  tells: ({ output, object, status }) =>
    hasObject(output, ({ type }) => typeof type === 'string') ||
    (Array.isArray(output) && object === 'response' && status !== undefined),
  read: (answer) => {
    const { output, id, model, created_at: ts, tools, status, error } = answer;
    const { calls, text } = gathered(output, callIn, textIn);
    const failure = inside(error, 'message') ?? 'the response has status failed';
    return {
      event_id: id,
      ts,
      model,
      tool_calls: calls,
      tools,
      output: text,
      error: status === 'failed' ? failure : undefined,
      refused: hasObject(output, isRefusal),
    };
  },
};

function callIn({ type, name, arguments: given, input }: JsonObject): JsonObject | undefined {
  if (type === 'function_call' || type === 'mcp_call') return { name: name!, arguments: given! };
  return type === 'custom_tool_call' ? { custom: { name: name!, input: input! } } : undefined;
}

function textIn({ type, content }: JsonObject): unknown {
  return type === 'message' ? gathered(content, () => undefined, outputText).text : undefined;
}

function outputText({ type, text }: JsonObject): unknown {
  return type === 'output_text' ? text : undefined;
}

function isRefusal({ type, content }: JsonObject): boolean {
  return type === 'message' && hasObject(content, (part) => part['type'] === 'refusal');
}
