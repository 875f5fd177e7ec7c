import { isObject, type JsonObject } from '../../scoring/json.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import { bedrockConverse } from './bedrock-converse.ts';
import { cohereChat } from './cohere-chat.ts';
import { type Form, inside } from './form.ts';
import { gemini } from './gemini.ts';
import { langchain } from './langchain.ts';
import { isRun, isSingle, isTrace, messages } from './messages.ts';
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
  messages,
  assay,
  mapping,
} satisfies Readonly<Record<string, Form>>;

/** The values of `input.format`. */
export type FormatName = keyof typeof forms | 'auto';

/** An answer of any provider that is an error: it is read whatever form is configured. */
export const failure: Form = {
  content: 'an error',
  mark: 'error',
  tells: ({ error, status, status_code: code, statusCode }) =>
    (isObject(error) && errorKeys.some((key) => (error[key] ?? undefined) !== undefined)) ||
    [status, code, statusCode].some((each) => typeof each === 'number' && each >= 400 && each < 600),
  read: (answer) => {
    const { error, message, status, status_code: code, statusCode } = answer;
    const text = inside(error, 'message') ?? error ?? message ?? `HTTP status ${String(status ?? code ?? statusCode)}`;
    return { model: answer['model'], error: text };
  },
};

const errorKeys = ['message', 'code', 'type', 'status'] as const;

/** The forms of single answers that `auto` detects, and of runs. */
const providedForms: readonly Form[] = Object.values(forms).filter(
  (form) => form !== messages && form !== assay && form !== mapping,
);

/**
 * The form of an answer. One that could be a native event is one, unless it has the mark of another form: a provider's answer to which
 * a client added an `example_id` is still that answer. An object that decides nothing of its own may hold a run, or be an error.
 */
export function formOf(answer: JsonObject): Form {
  const native = assay.tells(answer);
  const isMarked = (form: Form): boolean => answer[form.mark] !== undefined || form.isMarked?.(answer) === true;
  const provided = providedForms.find((form) => (!native || isMarked(form)) && form.tells(answer));
  if (provided !== undefined) return provided;
  // A label may lie beside a run, as beside any answer.
  const { output } = answer;
  const decided = isDecision(answer) || (isGiven(output) && !isRun(output) && !isTrace(answer));
  if ((!decided || isSingle(answer)) && messages.tells(answer)) return messages;
  const saysNothing = !decides(answer) || (Array.isArray(output) && output.length === 0 && !('tool_calls' in answer));
  return saysNothing && failure.tells(answer) ? failure : assay;
}

/** Returns whether an object gives a decision as a native event does: also `[]` and null as `tool_calls` are one. */
export function decides(event: JsonObject): boolean {
  return typeof event['label'] === 'string' || isGiven(event['output']) || isDecision(event);
}

/** Returns whether an object gives calls, an error or a refusal. */
function isDecision(event: JsonObject): boolean {
  const { error } = event;
  return 'tool_calls' in event || (isGiven(error) && !isObject(error)) || event['refused'] === true;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns whether the record may have fields of the same names that the answer lacks. */
export function isOpen(form: Form): boolean {
  return form === assay || form === mapping;
}
