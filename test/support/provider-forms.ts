/* Native events as the answers of providers: what a gateway would have logged, with everything else beside the answer. */

export interface NativeCall {
  readonly name: string;
  readonly arguments?: object | string | null;
}

export type NativeEvent = Readonly<Record<string, unknown>> & {
  readonly tool_calls?: readonly NativeCall[] | null;
  readonly output?: unknown;
};

const objectOf = ({ arguments: given }: NativeCall): unknown => (typeof given === 'string' ? JSON.parse(given) : given);
const textOf = (call: NativeCall): string => JSON.stringify(objectOf(call) ?? {});

type Write = (calls: readonly NativeCall[] | undefined, text: string | undefined) => object;

const openai = (calls: readonly NativeCall[] | undefined): object[] | undefined =>
  calls?.map((call) => ({ type: 'function', id: 'c', function: { name: call.name, arguments: textOf(call) } }));

/** An answer of each form with these calls and this text. */
export const writers: Readonly<Record<string, Write>> = {
  'openai.chat': (calls, text) => ({ choices: [{ message: { content: text ?? null, tool_calls: openai(calls) } }] }),
  'openai.responses': (calls = [], text) => ({
    object: 'response',
    status: 'completed',
    output: [
      ...(text === undefined ? [] : [{ type: 'message', content: [{ type: 'output_text', text }] }]),
      ...calls.map((call) => ({ type: 'function_call', name: call.name, arguments: textOf(call) })),
    ],
  }),
  'anthropic.messages': (calls = [], text) => ({
    stop_reason: 'end_turn',
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', id: 'c', name: call.name, input: objectOf(call) })),
    ],
  }),
  gemini: (calls = [], text) => ({
    candidates: [
      {
        content: {
          parts: [
            ...(text === undefined ? [] : [{ text }]),
            ...calls.map((call) => ({ functionCall: { name: call.name, args: objectOf(call) } })),
          ],
        },
      },
    ],
  }),
  'bedrock.converse': (calls = [], text) => ({
    stopReason: 'end_turn',
    output: {
      message: {
        content: [
          ...(text === undefined ? [] : [{ text }]),
          ...calls.map((call) => ({ toolUse: { toolUseId: 'c', name: call.name, input: objectOf(call) } })),
        ],
      },
    },
  }),
  'cohere.chat': (calls, text) => ({
    finish_reason: 'COMPLETE',
    message: { content: text === undefined ? [] : [{ type: 'text', text }], tool_calls: openai(calls) },
  }),
  langchain: (calls, text) => ({
    type: 'ai',
    content: text,
    tool_calls: calls?.map((call) => ({ name: call.name, args: objectOf(call), type: 'tool_call' })),
  }),
};

/** An event as a record that holds an answer of a form under `answer`. */
export function wrapped({ tool_calls: calls, output, ...rest }: NativeEvent, write: Write): object {
  return { ...rest, answer: write(calls ?? undefined, typeof output === 'string' ? output : undefined) };
}
