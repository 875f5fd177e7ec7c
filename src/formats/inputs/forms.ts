import type { JsonObject } from '../../scoring/json.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { bedrockConverse } from './bedrock-converse.ts';
import { cohereChat } from './cohere-chat.ts';
import type { Form } from './form.ts';
import { gemini } from './gemini.ts';
import { langchain } from './langchain.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

/** The native event: every field lies in the answer under its own name. */
const assay: Form = {
  content: 'a native event',
  mark: 'example_id',
  tells: ({ example_id: id, tool_calls: calls, label }) =>
    id !== undefined || calls !== undefined || label !== undefined,
  read: ({ refused }) => (refused === true ? { refused } : {}),
};

/** JSON of any shape: `input.fields` alone give the places. */
const mapping: Form = {
  content: 'an object',
  mark: '',
  tells: () => true,
  read: () => ({}),
};

/** By their names in the configuration, in the order in which `auto` tries them. */
export const forms = {
  'openai.chat': openaiChat,
  'openai.responses': openaiResponses,
  'anthropic.messages': anthropicMessages,
  gemini,
  'bedrock.converse': bedrockConverse,
  'cohere.chat': cohereChat,
  langchain,
  assay,
  mapping,
} satisfies Readonly<Record<string, Form>>;

/** The values of `input.format`. */
export type FormatName = keyof typeof forms | 'auto';

/** The forms that `auto` detects. */
export const providedForms: readonly Form[] = Object.values(forms).filter((form) => form !== assay && form !== mapping);

/**
 * The form of an answer. One that could be a native event is one, unless it has the mark of another form: a provider's answer to which
 * a client added an `example_id` is still that answer.
 */
export function formOf(answer: JsonObject): Form {
  const native = assay.tells(answer);
  return providedForms.find((form) => (!native || answer[form.mark] !== undefined) && form.tells(answer)) ?? assay;
}

/** Returns whether the record may have fields of the same names that the answer lacks. */
export function isOpen(form: Form): boolean {
  return form === assay || form === mapping;
}
