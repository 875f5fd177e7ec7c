/* Spans of calls of models, of tools and of agents as instrumentations write them, and what each gives as a step of a run. */

const given = '{"city":"Oslo"}';
export const openai = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: given } }],
};
/** A message as LangChain serializes it, which the exporter of LangSmith writes. */
const constructed = {
  lc: 1,
  type: 'constructor',
  id: ['langchain', 'schema', 'messages', 'AIMessage'],
  kwargs: { content: '', type: 'ai', tool_calls: [{ name: 'get_weather', args: { city: 'Oslo' }, id: 'c1' }] },
};
const asked = [{ role: 'user', content: 'w?' }, openai, { role: 'tool', tool_call_id: 'c1', content: 'rain' }];
const call = { id: 'c1', name: 'get_weather', arguments: given };
const repeated = [{ id: 'c1', ok: true, output: 'rain' }];
const tool = { id: 'c1', name: 'get_weather', ok: true, output: '{"rain":1}' };

/** Spans of one dialect: of a call of a model, of its last answer, of a tool, of an agent, each with what it gives. */
export interface DialectSteps {
  readonly called: readonly [attributes: object, given: object];
  readonly answered: readonly [attributes: object, given: object];
  readonly tool: readonly [attributes: object, given: object, name?: string];
  readonly context: readonly [attributes: object, given: object, name?: string];
}

export const dialectSteps: Readonly<Record<string, DialectSteps>> = {
  'semantic conventions': {
    called: [
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'm',
        'gen_ai.output.messages': JSON.stringify([
          {
            role: 'assistant',
            parts: [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }],
          },
        ]),
      },
      { tool_calls: [{ ...call, arguments: { city: 'Oslo' } }], model: 'm' },
    ],
    answered: [
      {
        'gen_ai.operation.name': 'generate_content',
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: 'w?' }] },
          { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'get_weather', arguments: {} }] },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: 'rain' }] },
        ]),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'Rain.' }] }]),
      },
      { output: 'Rain.', returned: repeated },
    ],
    tool: [
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'get_weather',
        'gen_ai.tool.call.id': 'c1',
        'gen_ai.tool.call.result': '{"rain":1}',
      },
      tool,
    ],
    context: [{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper' }, { agent: 'helper' }],
  },
  OpenInference: {
    called: [
      {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'm',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.contents.0.message_content.type': 'reasoning',
        'llm.output_messages.0.message.contents.0.message_content.text': 'hm',
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'get_weather',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': given,
      },
      { tool_calls: [call], model: 'm' },
    ],
    answered: [
      {
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'w?',
        'llm.input_messages.1.message.role': 'assistant',
        'llm.input_messages.1.message.tool_calls.0.tool_call.id': 'c1',
        'llm.input_messages.2.message.role': 'tool',
        'llm.input_messages.2.message.tool_call_id': 'c1',
        'llm.input_messages.2.message.name': 'get_weather',
        'llm.input_messages.2.message.content': 'rain',
        'llm.output_messages.0.message.contents.0.message_content.type': 'text',
        'llm.output_messages.0.message.contents.0.message_content.text': 'Ra',
        'llm.output_messages.0.message.contents.1.message_content.text': 'in.',
      },
      { output: 'Rain.', returned: repeated },
    ],
    tool: [
      { 'openinference.span.kind': 'TOOL', 'tool.name': 'get_weather', 'tool.id': 'c1', 'output.value': '{"rain":1}' },
      tool,
    ],
    context: [{ 'openinference.span.kind': 'AGENT', 'agent.name': 'helper' }, { agent: 'helper' }],
  },
  OpenLLMetry: {
    called: [
      {
        'gen_ai.operation.name': 'chat',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.tool_calls.0.id': 'c1',
        'gen_ai.completion.0.tool_calls.0.name': 'get_weather',
        'gen_ai.completion.0.tool_calls.0.arguments': given,
      },
      { tool_calls: [call] },
    ],
    answered: [
      {
        'llm.request.type': 'chat',
        'gen_ai.prompt.0.role': 'assistant',
        'gen_ai.prompt.0.tool_calls.0.id': 'c1',
        'gen_ai.prompt.1.role': 'tool',
        'gen_ai.prompt.1.tool_call_id': 'c1',
        'gen_ai.prompt.1.content': 'rain',
        'gen_ai.completion.0.content': 'Rain.',
      },
      { output: 'Rain.', returned: repeated },
    ],
    tool: [
      {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'get_weather',
        'traceloop.entity.output': '{"rain":1}',
      },
      { name: 'get_weather', ok: true, output: '{"rain":1}' },
    ],
    context: [{ 'traceloop.span.kind': 'agent', 'traceloop.entity.name': 'helper' }, { agent: 'helper' }],
  },
  'Vercel AI SDK': {
    called: [
      {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.telemetry.functionId': 'helper',
        'ai.model.id': 'm',
        'ai.response.text': '',
        'ai.response.toolCalls': JSON.stringify([
          { toolCallId: 'c1', toolName: 'get_weather', input: { city: 'Oslo' } },
        ]),
      },
      { tool_calls: [{ ...call, arguments: { city: 'Oslo' } }], model: 'm', agent: 'helper' },
    ],
    answered: [
      {
        'ai.operationId': 'ai.streamText.doStream',
        'ai.prompt.messages': JSON.stringify([
          { role: 'user', content: [{ type: 'text', text: 'w?' }] },
          { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'get_weather', input: {} }] },
          {
            role: 'tool',
            content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'get_weather', output: 'rain' }],
          },
        ]),
        'ai.response.text': 'Rain.',
      },
      { output: 'Rain.', returned: repeated },
    ],
    tool: [
      {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'get_weather',
        'ai.toolCall.id': 'c1',
        'ai.toolCall.args': given,
        'ai.toolCall.result': '{"rain":1}',
      },
      { ...tool, arguments: { city: 'Oslo' } },
    ],
    context: [{ 'ai.operationId': 'ai.generateText', 'ai.telemetry.functionId': 'helper' }, { agent: 'helper' }],
  },
  'pydantic-ai 2': {
    called: [
      {
        'gen_ai.operation.name': 'chat',
        events: JSON.stringify([{ index: 0, message: openai, 'event.name': 'gen_ai.choice' }]),
      },
      { tool_calls: [call] },
    ],
    answered: [
      {
        'gen_ai.operation.name': 'chat',
        events: JSON.stringify([
          { ...openai, 'event.name': 'gen_ai.assistant.message' },
          { role: 'tool', id: 'c1', content: 'rain', 'event.name': 'gen_ai.tool.message' },
          { message: { role: 'assistant', content: 'Rain.' }, 'event.name': 'gen_ai.choice' },
        ]),
      },
      { output: 'Rain.', returned: repeated },
    ],
    tool: [
      { 'gen_ai.tool.name': 'get_weather', 'gen_ai.tool.call.id': 'c1', tool_response: '{"rain":1}' },
      tool,
      'running tool',
    ],
    context: [{ agent_name: 'helper', model_name: 'm' }, { agent: 'helper' }, 'agent run'],
  },
  Langfuse: {
    called: [
      { 'langfuse.observation.type': 'generation', 'langfuse.observation.output': JSON.stringify(openai) },
      { tool_calls: [call] },
    ],
    answered: [
      {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.input': JSON.stringify(asked),
        'langfuse.observation.output': 'Rain.',
      },
      { output: 'Rain.', returned: repeated },
    ],
    tool: [
      { 'langfuse.observation.type': 'tool', 'langfuse.observation.output': '{"rain":1}' },
      { name: 'get_weather', ok: true, output: '{"rain":1}' },
      'get_weather',
    ],
    context: [{ 'langfuse.observation.type': 'agent' }, { agent: 'helper' }, 'helper'],
  },
  MLflow: {
    called: [
      { 'mlflow.spanType': '"CHAT_MODEL"', 'mlflow.spanOutputs': JSON.stringify({ choices: [{ message: openai }] }) },
      { tool_calls: [call] },
    ],
    answered: [
      {
        'mlflow.spanType': '"LLM"',
        'mlflow.spanInputs': JSON.stringify({ messages: asked }),
        'mlflow.spanOutputs': JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Rain.' } }] }),
      },
      { output: 'Rain.', returned: repeated },
    ],
    tool: [
      { 'mlflow.spanType': '"TOOL"', 'mlflow.spanOutputs': '{"rain":1}' },
      { name: 'get_weather', ok: true, output: '{"rain":1}' },
      'get_weather',
    ],
    context: [{ 'mlflow.spanType': '"AGENT"' }, { agent: 'helper' }, 'helper'],
  },
  LangSmith: {
    called: [
      {
        'langsmith.span.kind': 'llm',
        'gen_ai.operation.name': 'chat',
        'gen_ai.completion': JSON.stringify({ generations: [[{ text: '', message: constructed }]] }),
      },
      { tool_calls: [{ id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }] },
    ],
    answered: [
      {
        'langsmith.span.kind': 'llm',
        'gen_ai.operation.name': 'chat',
        'gen_ai.prompt': JSON.stringify({ messages: asked }),
        'gen_ai.completion': JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Rain.' } }] }),
      },
      { output: 'Rain.', returned: repeated },
    ],
    tool: [
      { 'langsmith.span.kind': 'tool', 'gen_ai.operation.name': 'execute_tool', 'gen_ai.completion': '{"rain":1}' },
      { name: 'get_weather', ok: true, output: '{"rain":1}' },
      'get_weather',
    ],
    context: [{ 'langsmith.span.kind': 'prompt', 'gen_ai.operation.name': 'chat' }, {}],
  },
};
