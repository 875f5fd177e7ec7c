import type { JsonObject } from '../../src/scoring/json.ts';

/* One run as the messages of each dialect of docs/reference/inputs.md, "Lists of messages": calls, what came back, words. */

export interface RunCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Text that came back, and whether the call failed; absent: nothing came back. */
  readonly result?: { readonly ok: boolean; readonly text: string };
}

export interface Run {
  readonly calls: readonly RunCall[];
  readonly words: string | undefined;
}

type Dialect = (run: Run) => readonly object[];

const text = (call: RunCall): string => JSON.stringify(call.arguments);
const idOf = (at: number): string => `call_${at}`;

/** A dialect by its messages: of a call, of a result, of words. */
function dialect(
  call: (call: RunCall, id: string) => object,
  result: (call: RunCall & { result: { ok: boolean; text: string } }, id: string) => object,
  words: (text: string) => object,
): Dialect {
  return (run) => [
    ...run.calls.flatMap((one, at) => [
      call(one, idOf(at)),
      ...(one.result === undefined ? [] : [result(one as never, idOf(at))]),
    ]),
    ...(run.words === undefined ? [] : [words(run.words)]),
  ];
}

const openai = (call: RunCall, id: string): object => ({
  id,
  type: 'function',
  function: { name: call.name, arguments: text(call) },
});

export const dialects: Readonly<Record<string, Dialect>> = {
  'OpenAI chat': dialect(
    (call, id) => ({ role: 'assistant', content: null, tool_calls: [openai(call, id)] }),
    ({ result }, id) => ({ role: 'tool', tool_call_id: id, content: result.text, ...(!result.ok && { error: {} }) }),
    (content) => ({ role: 'assistant', content }),
  ),
  'OpenAI chat, the older call': dialect(
    (call) => ({ role: 'assistant', content: null, function_call: { name: call.name, arguments: text(call) } }),
    ({ name, result }) => ({ role: 'function', name, content: result.text, ...(!result.ok && { is_error: true }) }),
    (content) => ({ role: 'assistant', content }),
  ),
  'OpenAI Responses, Agents SDK': dialect(
    (call, id) => ({ type: 'function_call', id: `fc_${id}`, call_id: id, name: call.name, arguments: text(call) }),
    ({ result }, id) => ({
      type: 'function_call_output',
      call_id: id,
      output: result.text,
      ...(!result.ok && { status: 'error' }),
    }),
    (words) => ({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] }),
  ),
  'Agents SDK, run items': dialect(
    (call, id) => ({
      type: 'tool_call_item',
      raw_item: { type: 'function_call', call_id: id, name: call.name, arguments: text(call) },
    }),
    ({ result }, id) => ({
      type: 'tool_call_output_item',
      raw_item: {
        type: 'function_call_output',
        call_id: id,
        output: result.text,
        ...(!result.ok && { is_error: true }),
      },
    }),
    (words) => ({
      type: 'message_output_item',
      raw_item: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] },
    }),
  ),
  Anthropic: dialect(
    (call, id) => ({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'so' },
        { type: 'tool_use', id, name: call.name, input: call.arguments },
      ],
    }),
    ({ result }, id) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: result.text, ...(!result.ok && { is_error: true }) }],
    }),
    (words) => ({ role: 'assistant', content: [{ type: 'text', text: words }] }),
  ),
  Gemini: dialect(
    (call) => ({ role: 'model', parts: [{ functionCall: { name: call.name, args: call.arguments } }] }),
    ({ name, result }) => ({ role: 'user', parts: [{ functionResponse: { name, response: responseOf(result) } }] }),
    (words) => ({ role: 'model', parts: [{ text: words }] }),
  ),
  'Gemini, snake case': dialect(
    (call, id) => ({
      role: 'model',
      parts: [{ text: null, thought: null, function_call: { id, name: call.name, args: call.arguments } }],
    }),
    ({ name, result }, id) => ({
      role: 'user',
      parts: [{ text: null, function_response: { id, name, response: responseOf(result) } }],
    }),
    (words) => ({ role: 'model', parts: [{ text: words, function_call: null }] }),
  ),
  Bedrock: dialect(
    (call, id) => ({
      role: 'assistant',
      content: [{ toolUse: { toolUseId: id, name: call.name, input: call.arguments } }],
    }),
    ({ result }, id) => ({
      role: 'user',
      content: [
        { toolResult: { toolUseId: id, content: [{ text: result.text }], ...(!result.ok && { status: 'error' }) } },
      ],
    }),
    (words) => ({ role: 'assistant', content: [{ text: words }] }),
  ),
  'LangChain, LangGraph': dialect(
    (call, id) => ({
      type: 'ai',
      content: '',
      tool_calls: [{ name: call.name, args: call.arguments, id, type: 'tool_call' }],
      additional_kwargs: { tool_calls: [openai(call, id)] },
      invalid_tool_calls: [],
    }),
    ({ name, result }, id) => ({
      ...{ type: 'tool', name, tool_call_id: id, content: result.text },
      status: result.ok ? 'success' : 'error',
    }),
    (content) => ({ type: 'ai', content, tool_calls: [], invalid_tool_calls: [] }),
  ),
  'LangChain, constructors': dialect(
    (call, id) => lcObject('AIMessage', { content: '', tool_calls: [{ name: call.name, args: call.arguments, id }] }),
    ({ result }, id) =>
      lcObject('ToolMessage', { content: result.text, tool_call_id: id, status: result.ok ? 'success' : 'error' }),
    (content) => lcObject('AIMessage', { content }),
  ),
  'LangChain, the older form': dialect(
    (call, id) => ({ type: 'ai', data: { content: '', additional_kwargs: { tool_calls: [openai(call, id)] } } }),
    ({ result }, id) => ({
      type: 'tool',
      data: { content: result.text, tool_call_id: id, ...(!result.ok && { status: 'error' }) },
    }),
    (content) => ({ type: 'ai', data: { content } }),
  ),
  'Vercel AI SDK, messages': dialect(
    (call, id) => ({
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: id, toolName: call.name, input: call.arguments }],
    }),
    ({ name, result }, id) => ({
      role: 'tool',
      content: [
        {
          type: result.ok ? 'tool-result' : 'tool-error',
          ...{ toolCallId: id, toolName: name, output: { type: 'text', value: result.text } },
        },
      ],
    }),
    (words) => ({ role: 'assistant', content: [{ type: 'text', text: words }] }),
  ),
  'Vercel AI SDK, of a page': ({ calls, words }) => [
    {
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        ...calls.map(({ name, arguments: input, result }, at) => ({
          ...{ type: `tool-${name}`, toolCallId: idOf(at), input },
          ...(result?.ok === true && { state: 'output-available', output: result.text }),
          ...(result?.ok === false && { state: 'output-error', errorText: result.text }),
        })),
        ...(words === undefined ? [] : [{ type: 'text', text: words }]),
      ],
    },
  ],
  'pydantic-ai': dialect(
    (call, id) => ({
      kind: 'response',
      parts: [{ part_kind: 'tool-call', tool_name: call.name, args: text(call), tool_call_id: id }],
    }),
    ({ name, result }, id) => ({
      kind: 'request',
      parts: [
        {
          part_kind: result.ok ? 'tool-return' : 'retry-prompt',
          ...{ tool_name: name, content: result.text, tool_call_id: id },
        },
      ],
    }),
    (content) => ({ kind: 'response', parts: [{ part_kind: 'text', content }] }),
  ),
  'ADK events': dialect(
    (call, id) => ({
      author: 'agent',
      content: { role: 'model', parts: [{ function_call: { id, name: call.name, args: call.arguments } }] },
    }),
    ({ name, result }, id) => ({
      author: 'agent',
      content: { role: 'user', parts: [{ function_response: { id, name, response: responseOf(result) } }] },
    }),
    (words) => ({ author: 'agent', content: { role: 'model', parts: [{ text: words }] } }),
  ),
  'MCP JSON-RPC': dialect(
    (call, id) => ({
      jsonrpc: '2.0',
      ...{ id, method: 'tools/call', params: { name: call.name, arguments: call.arguments } },
    }),
    ({ result }, id) => ({
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: result.text }], isError: !result.ok },
    }),
    (content) => ({ role: 'assistant', content }),
  ),
  Ollama: dialect(
    (call) => ({
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: call.name, arguments: call.arguments } }],
    }),
    ({ name, result }) => ({ role: 'tool', tool_name: name, content: result.text, ...(!result.ok && { error: 'x' }) }),
    (content) => ({ role: 'assistant', content }),
  ),
  Inspect: dialect(
    (call, id) => ({
      role: 'assistant',
      content: '',
      tool_calls: [{ id, type: 'function', function: call.name, arguments: call.arguments }],
    }),
    ({ name, result }, id) => ({
      ...{ role: 'tool', tool_call_id: id, function: name, content: result.text },
      ...(!result.ok && { error: { type: 'unknown', message: 'x' } }),
    }),
    (content) => ({ role: 'assistant', content: [{ type: 'text', text: content }] }),
  ),
  'answers of OpenAI in order': dialect(
    (call, id) => ({ choices: [{ message: { role: 'assistant', content: null, tool_calls: [openai(call, id)] } }] }),
    ({ result }, id) => ({ role: 'tool', tool_call_id: id, content: result.text, ...(!result.ok && { error: {} }) }),
    (content) => ({ choices: [{ message: { role: 'assistant', content } }] }),
  ),
  'Langfuse observations': dialect(
    (call, id) => ({
      type: 'GENERATION',
      ...{ id: `gen-${id}`, name: 'chat', input: { messages: [] } },
      output: { role: 'assistant', content: null, tool_calls: [openai(call, id)] },
    }),
    ({ result }, id) => ({ role: 'tool', tool_call_id: id, content: result.text, ...(!result.ok && { error: {} }) }),
    (content) => ({ type: 'GENERATION', id: 'gen-last', output: { role: 'assistant', content } }),
  ),
};

/** Each message of another dialect: lists of several sources are told element by element. */
export function mixed(run: Run): readonly object[] {
  const ids = [
    'OpenAI chat',
    'OpenAI Responses, Agents SDK',
    'Anthropic',
    'Bedrock',
    'LangChain, LangGraph',
    'pydantic-ai',
  ];
  const lists = ids.map((name) => dialects[name]!(run));
  return lists[0]!.map((_, at) => lists[at % lists.length]![at]!);
}

function responseOf({ ok, text: said }: { ok: boolean; text: string }): object {
  return ok ? { result: said } : { error: said };
}

function lcObject(name: string, kwargs: object): object {
  return { lc: 1, type: 'constructor', id: ['langchain', 'schema', 'messages', name], kwargs };
}
