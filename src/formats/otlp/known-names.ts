import type { Names } from './span.ts';

/** The attributes that every reading looks at: of the conventions, and our own for what no convention has. */
const knownNames = {
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
  exampleId: 'assay.example_id',
  run: 'assay.run',
  label: 'assay.label',
  success: 'assay.success',
} as const;

/** Their places in the values of a span. */
export const knownPlaces: Readonly<Record<keyof typeof knownNames, number>> = placesOf(
  Object.keys(knownNames) as (keyof typeof knownNames)[],
);

/** The places of all attributes that are read: the known ones, and the ones that the configuration names. */
export function namesWith(more: readonly string[]): Names {
  return new Map(Object.entries(placesOf([...new Set([...Object.values(knownNames), ...more])])));
}

function placesOf<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key, place) => [key, place])) as Record<Key, number>;
}
