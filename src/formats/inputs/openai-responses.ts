import type { JsonObject } from '../../scoring/json.ts';
import { isCutOff } from '../messages/finish.ts';
import { type Form, hasObject, inside, said } from './form.ts';

/**
 * OpenAI Responses: `output[]`, a list of items. Definition: `Response` in github.com/openai/openai-python,
 * src/openai/types/responses.
 */
export const openaiResponses: Form = {
  content: 'output[] of items with a type',
  mark: 'object',
  tells: ({ output, object, status }) =>
    hasObject(output, isItem) || (Array.isArray(output) && object === 'response' && status !== undefined),
  read: (answer) => {
    const { output, id, model, created_at: ts, tools, status, error, incomplete_details: details } = answer;
    const failure = inside(error, 'message') ?? 'the response has status failed';
    const content = said(output);
    const refused = content.refused || hasObject(output, isRefusal) || inside(details, 'reason') === 'content_filter';
    return {
      ...content,
      event_id: id,
      ts,
      model,
      tools,
      error: status === 'failed' ? failure : undefined,
      refused,
      unfinished: content.unfinished || (isCutOff(status) && !refused),
    };
  },
};

/** Items of a response have a type; messages of other dialects name their role and none. */
function isItem({ type, role }: JsonObject): boolean {
  return typeof type === 'string' && (role === undefined || type === 'message');
}

function isRefusal({ type, content }: JsonObject): boolean {
  return type === 'message' && hasObject(content, (part) => part['type'] === 'refusal');
}
