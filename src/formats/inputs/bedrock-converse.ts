import { isObject, type JsonObject } from '../../scoring/json.ts';
import { type Form, gathered, inside } from './form.ts';

/**
 * Amazon Bedrock, Converse: `output.message.content[]`. Definition: `ConverseResponse` in github.com/aws/aws-sdk-js-v3,
 * clients/client-bedrock-runtime; Python's client adds `ResponseMetadata`.
 */
export const bedrockConverse: Form = {
  content: 'output.message.content[]',
  mark: 'stopReason',
  tells: ({ output }) => Array.isArray(inside(inside(output, 'message'), 'content')),
  read: ({ output, requestId, ResponseMetadata: metadata, stopReason: reason }) => {
    const { calls, text } = gathered(inside(inside(output, 'message'), 'content'), callIn, ({ text }) => text);
    return {
      event_id: requestId ?? inside(metadata, 'RequestId'),
      tool_calls: calls,
      output: text,
      refused: reason === 'guardrail_intervened' || reason === 'content_filtered',
    };
  },
};

function callIn(part: JsonObject): JsonObject | undefined {
  return isObject(part['toolUse']) ? part : undefined;
}
