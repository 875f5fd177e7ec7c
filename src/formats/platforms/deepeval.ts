import { isObject, type Json } from '../../scoring/json.ts';
import { parsedOr } from '../json/parsed.ts';
import { expectedCalls } from './expectation.ts';
import { firstAt, objectAt, partsUnder, type Platform, readingOf } from './platform.ts';

/**
 * DeepEval: goldens and test cases (`expected_tools`, else `expected_output`), in snake case or in the camel case of Confident AI. A tool without
 * `input_parameters` is right with any arguments. The example is `additional_metadata.example_id`, else `name`, else the number of the golden.
 */
export const deepeval: Platform = {
  parts: (record) => partsUnder(record, 'goldens', 'test_cases', 'testCases'),
  read(part, number) {
    if (!('input' in part || 'scenario' in part)) return { lack: 'other' };
    const metadata = { ...objectAt(part, 'additionalMetadata'), ...objectAt(part, 'additional_metadata') };
    const id = metadata['example_id'] ?? part['name'] ?? String(number);
    const tools = parsedOr(part['expected_tools'] ?? part['expectedTools']);
    const answer = firstAt(part, 'expected_output', 'expectedOutput', 'expected_outcome', 'expectedOutcome');
    return readingOf(id, Array.isArray(tools) ? { expected_tool_calls: callsOf(tools as readonly Json[]) } : answer);
  },
};

function callsOf(tools: readonly Json[]): Json {
  return expectedCalls(
    tools.map((tool) => {
      if (!isObject(tool)) return tool;
      const { description: _, reasoning: _r, output: _o, inputParameters, input_parameters, ...rest } = tool;
      const given = input_parameters ?? inputParameters;
      return { ...rest, ...(given !== undefined && { arguments: given }) };
    }),
  );
}
