/** Names of the attributes that are read: those of the semantic conventions, and Assay's own where no convention has one. */
export const names = {
  operation: 'gen_ai.operation.name',
  messages: 'gen_ai.output.messages',
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
  errorType: 'error.type',
  run: 'assay.run',
  label: 'assay.label',
  success: 'assay.success',
} as const;

/** Operations that are calls of models: values of `names.operation`. */
export const modelCalls: readonly unknown[] = ['chat', 'generate_content', 'text_completion'];

/** Names of events that hold the messages of a span. */
export const eventNames = {
  details: 'gen_ai.client.inference.operation.details',
  choice: 'gen_ai.choice',
} as const;

/** Places of the example id where the configuration names none. */
export const exampleIdPlaces: readonly string[] = [
  'attribute:assay.example_id',
  '/example_id',
  '/metadata/example_id',
  'header:example_id',
  'key',
];
