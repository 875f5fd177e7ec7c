import { isObject, type JsonObject } from '../../scoring/json.ts';
import { isCutOff } from '../messages/finish.ts';
import { type Form, hasObject, inside, said } from './form.ts';

/**
 * Gemini and Vertex AI, generateContent: `candidates[].content.parts[]`, in the names of the API and in those of Python's SDK. A request
 * that was blocked has no candidates. Definition: `GenerateContentResponse` in github.com/googleapis/python-genai, google/genai/types.py.
 */
export const gemini: Form = {
  content: 'candidates[]',
  mark: 'candidates',
  isMarked: (answer) => blockReason(answer) !== undefined,
  tells: (answer) => hasObject(answer['candidates'], () => true) || blockReason(answer) !== undefined,
  choices: ({ candidates }) => (hasObject(candidates, () => true) ? (candidates as readonly unknown[]) : [{}]),
  read: (answer, candidate) => {
    if (!isObject(candidate)) return undefined;
    const reason = either(candidate, 'finishReason', 'finish_reason');
    const content = said(inside(candidate, 'content') ?? {});
    const message = either(candidate, 'finishMessage', 'finish_message') ?? malformed;
    const isElsewhere = candidate['content'] === undefined && reason !== malformed;
    return {
      ...content,
      unread:
        content.unread ?? (isElsewhere ? Object.keys(candidate).find((key) => isObject(candidate[key])) : undefined),
      event_id: either(answer, 'responseId', 'response_id'),
      ts: either(answer, 'createTime', 'create_time'),
      model: either(answer, 'modelVersion', 'model_version'),
      error: reason === malformed ? message : undefined,
      unfinished: content.unfinished || isCutOff(reason),
      refused: refusals.includes(reason) || blockReason(answer) !== undefined,
    };
  },
};

const refusals: readonly unknown[] = ['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'];
const malformed = 'MALFORMED_FUNCTION_CALL';

function blockReason(answer: JsonObject): unknown {
  const feedback = either(answer, 'promptFeedback', 'prompt_feedback');
  return inside(feedback, 'blockReason') ?? inside(feedback, 'block_reason') ?? undefined;
}

function either(value: JsonObject, camel: string, snake: string): unknown {
  return value[camel] ?? value[snake] ?? undefined;
}
