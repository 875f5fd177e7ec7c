import { isObject, type Json } from '../json.ts';
import { toolDefinition } from '../tool.ts';
import type { ExpectedCall } from '../truth.ts';
import type { Profile } from './profile.ts';
import { sameValues } from './same-values.ts';
import { parametersOf } from '../tool.ts';
import { findTool } from './tools.ts';

/** What DeepFabric's own code does where it differs from its documentation (docs/reference/scoring.md, "schema", upstream). */
export const upstreamProfile: Profile = {
  skipsNothingExpected: false,
  refusesNameless: false,
  namesRefused: false,
  nullIsString: true,
  requiresDeclaredOnly: true,
  refusedTruth(expected) {
    return expected.some(hasBlankArgument) ? 'expected call with an argument that is null or ""' : undefined;
  },
  refusedTools(tools, described) {
    return tools.every((tool) => isReadable(tool, described)) ? undefined : 'malformed tool definition';
  },
  accepts(expected, name, args, tools, fits) {
    if (Object.keys(expected).length === 0 && Object.keys(args).length === 0) return true;
    const tool = tools.schemas && name !== '' ? findTool(tools, name) : undefined;
    if (tool === undefined) return sameValues(expected, args);
    const parameters = parametersOf(tool);
    return parameters === undefined || fits(parameters);
  },
};

function hasBlankArgument(call: ExpectedCall): boolean {
  return Object.values(call.arguments).some((value) => value === null || value === '');
}

/** Whether a definition can be converted; null counts as a value where an object or a text belongs, absence does not. */
function isReadable(tool: Json, described: boolean): boolean {
  const { definition, wrapped } = toolDefinition(tool);
  if (!isObject(definition)) return !wrapped;
  if (described && !isDescribed(definition)) return false;
  if (!Object.hasOwn(definition, 'parameters')) return true;
  const parameters = definition['parameters']!;
  if (!isObject(parameters)) return false;
  const properties = parameters['properties'];
  if (!isObject(properties)) return true;
  return Object.values(properties).every(
    (schema) => schema === null || (isObject(schema) && (!described || isDescribed(schema))),
  );
}

function isDescribed(definition: Json): boolean {
  return (
    !isObject(definition) || !Object.hasOwn(definition, 'description') || typeof definition['description'] === 'string'
  );
}
