import { isObject } from '../../scoring/json.ts';
import { type Form, inside, joined, objectsIn, unlessEmpty } from './form.ts';

/**
 * Amazon Bedrock, Converse: `output.message.content[]`. Definition: `ConverseResponse` in github.com/aws/aws-sdk-js-v3,
 * clients/client-bedrock-runtime; Python's client adds `ResponseMetadata`.
 */
export const bedrockConverse: Form = {
  content: 'output.message.content[]',
  mark: 'stopReason',
  tells: ({ output }) => Array.isArray(inside(inside(output, 'message'), 'content')),
  read: ({ output, requestId, ResponseMetadata: metadata, stopReason: reason }) => {
    const parts = objectsIn(inside(inside(output, 'message'), 'content'));
    return [
      {
        event_id: requestId ?? inside(metadata, 'RequestId'),
        tool_calls: unlessEmpty(parts.filter(({ toolUse: call }) => isObject(call))),
        output: joined(parts.map(({ text }) => text)),
        refused: reason === 'guardrail_intervened' || reason === 'content_filtered',
      },
    ];
  },
};
