import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { toolDefinition } from '../../scoring/tool.ts';

/** Tools in any of the forms (docs/reference/inputs.md, "Calls"), as scoring reads them; the array itself where it holds those alone. */
export function toolsOf(tools: readonly Json[]): readonly Json[] {
  return tools.some(isForeign) ? tools.flatMap(toolOf) : tools;
}

/** A list of tools: several may lie in one object, by their names or as one group of declarations. Any other value as it is. */
export function toolList(given: unknown): unknown {
  if (!isObject(given)) return given;
  if ('name' in given || 'function' in given || groupKeys.some((key) => key in given) || 'toolSpec' in given)
    return [given];
  if (Array.isArray(given['tools'])) return given['tools'];
  const tools = Object.entries(given).filter(([, tool]) => isObject(tool));
  return tools.length === 0 ? given : tools.map(([name, tool]) => ({ name, ...(tool as JsonObject) }));
}

const groupKeys = ['functionDeclarations', 'function_declarations'];
/** Keys of parameters besides `parameters`: Anthropic, MCP and Vercel AI SDK, Gemini in both spellings. */
const parameterKeys = ['input_schema', 'inputSchema', 'parametersJsonSchema', 'parameters_json_schema'];

function isForeign(tool: Json): boolean {
  return (
    isObject(tool) &&
    (groupKeys.some((key) => key in tool) || 'toolSpec' in tool || parameterKeys.some((key) => key in tool))
  );
}

function toolOf(tool: Json): readonly Json[] {
  if (!isObject(tool)) return [tool];
  const several = groupKeys.map((key) => tool[key]).find(Array.isArray);
  if (several !== undefined) return several.map(withParameters);
  const { toolSpec } = tool;
  if (!isObject(toolSpec)) return [withParameters(tool)];
  const { inputSchema } = toolSpec;
  return [named(toolSpec, isObject(inputSchema) ? inputSchema['json'] : undefined)];
}

/** A tool whose parameters may lie under another key. */
function withParameters(tool: Json): Json {
  const { definition } = toolDefinition(tool);
  if (!isObject(definition) || (definition['parameters'] ?? undefined) !== undefined) return tool;
  const key = parameterKeys.find((each) => (definition[each] ?? undefined) !== undefined);
  if (key === undefined) return tool;
  const schema = definition[key]!;
  return named(definition, isObject(schema) && isObject(schema['jsonSchema']) ? schema['jsonSchema'] : schema);
}

function named({ name }: JsonObject, parameters: Json | undefined): Json {
  if (parameters === undefined) return name === undefined ? {} : { name };
  return name === undefined ? { parameters } : { name, parameters };
}
