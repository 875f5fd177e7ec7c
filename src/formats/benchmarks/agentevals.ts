import { isObject } from '../../scoring/json.ts';
import { type Benchmark, callsOfMessages, idText, rowOfCalls } from './benchmark.ts';

/**
 * agentevals (LangChain): records with `reference_outputs` (or `reference_trajectory`, or a dataset's `outputs`), a list of messages or an object with `messages`,
 * in the form of OpenAI (`function.name`, `function.arguments`) or of LangChain (`name`, `args`). The calls of all messages are expected, in their order. The
 * example is the `id`, else the number of the record.
 */
export const agentevals: Benchmark = {
  read({ id, example_id: exampleId, reference_outputs: reference, reference_trajectory: trajectory, outputs }, number) {
    const given = reference ?? trajectory ?? outputs;
    const messages = isObject(given) ? given['messages'] : given;
    if (!Array.isArray(messages)) return { problem: 'has no reference_outputs with messages' };
    return { row: rowOfCalls(idText(exampleId ?? id ?? number), callsOfMessages(messages)) };
  },
};
