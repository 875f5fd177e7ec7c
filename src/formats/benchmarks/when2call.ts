import { isObject } from '../../scoring/json.ts';
import { type Benchmark, objectsIn, withJsonTypes } from './benchmark.ts';
import { parsedOr } from '../json/parsed.ts';

/**
 * When2Call (NVIDIA), test sets: `uuid`, `correct_answer` (one of the four labels), `answers.tool_call` (the call as JSON text), `tools` (each as JSON
 * text). No call is expected where the label is another.
 */
export const when2call: Benchmark = {
  read({ uuid, correct_answer: label, answers, tools }) {
    if (typeof label !== 'string') return { problem: 'has no correct_answer' };
    const call = isObject(answers) ? parsedOr(answers['tool_call']) : undefined;
    if (label === 'tool_call' && !isObject(call)) return { problem: 'answers.tool_call is no call as JSON text' };
    return {
      row: {
        example_id: uuid,
        label,
        tools: objectsIn(tools).map(withJsonTypes),
        expected_tool_calls: label === 'tool_call' ? [call] : [],
      },
    };
  },
};
