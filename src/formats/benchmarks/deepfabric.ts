import { isObject, type JsonObject } from '../../scoring/json.ts';
import { type Benchmark, callsOfMessages, objectsIn, withJsonTypes } from './benchmark.ts';

/**
 * DeepFabric: conversations with `tool_context` (`available_tools`, whose parameters are a list; `executions` with `function_name` and `arguments` as JSON
 * text), or with `tools` and `messages` in OpenAI's form. The example is their `id`, else the number of the record. One without calls is answered directly.
 */
export const deepfabric: Benchmark = {
  read({ id, tool_context: context, tools, messages }, number) {
    if (!isObject(context) && !Array.isArray(messages)) return { problem: 'has neither tool_context nor messages' };
    const calls = isObject(context)
      ? objectsIn(context['executions']).map((one) => ({ name: one['function_name'], arguments: one['arguments'] }))
      : callsOfMessages(messages);
    return {
      row: {
        example_id: typeof id === 'string' ? id : String(id ?? number),
        label: calls.length > 0 ? 'tool_call' : 'direct',
        tools: isObject(context) ? objectsIn(context['available_tools']).map(toolOf) : (tools ?? null),
        expected_tool_calls: calls,
      },
    };
  },
};

function toolOf({ name, parameters }: JsonObject): JsonObject {
  const listed = objectsIn(parameters);
  const properties = listed.map((one) => [String(one['name']), { type: one['type'] ?? 'any' }]);
  const required = listed.filter((one) => one['required'] !== false).map((one) => String(one['name']));
  const schema = { type: 'object', properties: Object.fromEntries(properties), required };
  return withJsonTypes({ name: name ?? null, parameters: schema });
}
