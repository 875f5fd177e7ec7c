import { isObject } from '../../scoring/json.ts';
import { type Answer, type Form, inside, joined, objectsIn, unlessEmpty } from './form.ts';

/**
 * Gemini and Vertex AI, generateContent: `candidates[].content.parts[]`. Definition: `GenerateContentResponse` in
 * github.com/googleapis/python-genai, google/genai/types.py.
 */
export const gemini: Form = {
  content: 'candidates[]',
  mark: 'candidates',
  tells: ({ candidates }) => objectsIn(candidates).length > 0,
  read: (answer) => (answer['candidates'] as readonly unknown[]).map((candidate) => candidateOf(candidate, answer)),
};

const refusals: readonly unknown[] = ['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'];
const malformed = 'MALFORMED_FUNCTION_CALL';

function candidateOf(candidate: unknown, answer: Readonly<Record<string, unknown>>): Answer | undefined {
  if (!isObject(candidate)) return undefined;
  const parts = objectsIn(inside(candidate['content'], 'parts'));
  const { finishReason: reason, finishMessage: message } = candidate;
  return {
    event_id: answer['responseId'],
    model: answer['modelVersion'],
    ts: answer['createTime'],
    tool_calls: unlessEmpty(parts.filter(({ functionCall: call }) => isObject(call))),
    output: joined(parts.filter(({ thought }) => thought !== true).map(({ text }) => text)),
    error: reason === malformed ? (message ?? malformed) : undefined,
    refused: refusals.includes(reason),
  };
}
