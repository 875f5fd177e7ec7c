import { isObject, type JsonObject } from '../../scoring/json.ts';
import { type Form, gathered, hasObject, inside } from './form.ts';

/**
 * Gemini and Vertex AI, generateContent: `candidates[].content.parts[]`. Definition: `GenerateContentResponse` in
 * github.com/googleapis/python-genai, google/genai/types.py.
 */
export const gemini: Form = {
  content: 'candidates[]',
  mark: 'candidates',
  tells: ({ candidates }) => hasObject(candidates, () => true),
  choices: ({ candidates }) => candidates as readonly unknown[],
  read: ({ responseId, modelVersion, createTime }, candidate) => {
    if (!isObject(candidate)) return undefined;
    const { content, finishReason: reason, finishMessage: message } = candidate;
    const { calls, text } = gathered(inside(content, 'parts'), callIn, textIn);
    return {
      event_id: responseId,
      ts: createTime,
      model: modelVersion,
      tool_calls: calls,
      output: text,
      error: reason === malformed ? (message ?? malformed) : undefined,
      refused: refusals.includes(reason),
    };
  },
};

const refusals: readonly unknown[] = ['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'];
const malformed = 'MALFORMED_FUNCTION_CALL';

function callIn(part: JsonObject): JsonObject | undefined {
  return isObject(part['functionCall']) ? part : undefined;
}

function textIn({ thought, text }: JsonObject): unknown {
  return thought === true ? undefined : text;
}
