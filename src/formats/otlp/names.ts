import { programName } from '../../name.ts';

/** Names of the attributes that are read: those of the semantic conventions, and Assay's own where no convention has one. */
export const names = {
  operation: 'gen_ai.operation.name',
  messages: 'gen_ai.output.messages',
  inputMessages: 'gen_ai.input.messages',
  eventContent: 'gen_ai.event.content',
  message: 'message',
  content: 'content',
  toolCalls: 'tool_calls',
  finishReason: 'finish_reason',
  responseModel: 'gen_ai.response.model',
  requestModel: 'gen_ai.request.model',
  agent: 'gen_ai.agent.name',
  service: 'service.name',
  tools: 'gen_ai.tool.definitions',
  toolName: 'gen_ai.tool.name',
  toolCallId: 'gen_ai.tool.call.id',
  toolResult: 'gen_ai.tool.call.result',
  toolArguments: 'gen_ai.tool.call.arguments',
  finishReasons: 'gen_ai.response.finish_reasons',
  conversation: 'gen_ai.conversation.id',
  mcpMethod: 'mcp.method.name',
  errorType: 'error.type',
  run: `${programName}.run`,
  label: `${programName}.label`,
  success: `${programName}.success`,
} as const;

/** Operations that are calls of models: values of `names.operation`. */
export const modelCalls: readonly unknown[] = ['chat', 'generate_content', 'text_completion'];

/** The operation of a span that runs an agent. */
export const agentRun = 'invoke_agent';

/** The operation of a span that runs a tool. */
export const toolRun = 'execute_tool';

/** Names of events, of a span or log records, that hold its messages. */
export const eventNames = {
  details: 'gen_ai.client.inference.operation.details',
  choice: 'gen_ai.choice',
  tool: 'gen_ai.tool.message',
  assistant: 'gen_ai.assistant.message',
} as const;

/** Places of the example id where the configuration names none. */
export const exampleIdPlaces: readonly string[] = [
  `attribute:${programName}.example_id`,
  '/example_id',
  '/metadata/example_id',
  'header:example_id',
  'key',
];
