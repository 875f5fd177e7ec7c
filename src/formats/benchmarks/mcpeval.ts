import { isObject } from '../../scoring/json.ts';
import { type Benchmark, objectsIn, rowOfCalls } from './benchmark.ts';

/**
 * MCPEval (Salesforce): verified tasks with `id`, `tools` (MCP's definitions) and `tool_calls` (`tool_name`, `tool_parameters`); or results of the
 * verification, which hold the task under `task`. A task that was not verified is no truth.
 */
export const mcpeval: Benchmark = {
  read(record) {
    const task = isObject(record['task']) ? record['task'] : record;
    const given = record['tool_calls'] ?? task['tool_calls'];
    if (record['success'] === false) return { problem: 'was not verified (success is false)' };
    if (!Array.isArray(given)) return { problem: 'has no tool_calls' };
    const calls = objectsIn(given).map((call) => ({ name: call['tool_name'], arguments: call['tool_parameters'] }));
    const tools = objectsIn(task['tools']).map(({ name, inputSchema }) => ({ name, parameters: inputSchema }));
    return { row: { ...rowOfCalls(task['id'], calls), tools: tools.length > 0 ? tools : null } };
  },
};
