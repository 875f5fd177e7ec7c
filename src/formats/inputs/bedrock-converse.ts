import { isObject } from '../../scoring/json.ts';
import { isCutOff } from '../messages/finish.ts';
import { type Form, inside, said } from './form.ts';

/**
 * Amazon Bedrock, Converse: `output.message.content[]`. Definition: `ConverseResponse` in github.com/aws/aws-sdk-js-v3,
 * clients/client-bedrock-runtime; Python's client adds `ResponseMetadata`.
 */
export const bedrockConverse: Form = {
  content: 'output.message.content[]',
  mark: 'stopReason',
  tells: ({ output, stopReason: reason }) =>
    Array.isArray(inside(inside(output, 'message'), 'content')) || (typeof reason === 'string' && isObject(output)),
  read: ({ output, requestId, ResponseMetadata: metadata, stopReason: reason }) => {
    const blocks = inside(inside(output, 'message'), 'content');
    const content = Array.isArray(blocks) ? said({ content: blocks }) : undefined;
    return {
      ...(content ?? { unread: Object.keys(output as object)[0] }),
      unfinished: content?.unfinished || isCutOff(reason),
      event_id: requestId ?? inside(metadata, 'RequestId'),
      refused: reason === 'guardrail_intervened' || reason === 'content_filtered',
    };
  },
};
