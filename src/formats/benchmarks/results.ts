import type { InputReading } from '../inputs/found.ts';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { idText, objectsIn } from './benchmark.ts';

/** Events that a record of a benchmark's results holds, as records that hold a list of messages each; or why it is none. */
export type Results = readonly JsonObject[] | { readonly problem: string };

type Read = (record: JsonObject) => Results;

/** Forms in which benchmarks write what agents did (docs/reference/truth.md, "Results of benchmarks"), by their names on the command line. */
export const resultForms = {
  /** tau-bench: an element of its list of results. tau2-bench: a file with `simulations`. A run succeeded where its reward is 1. */
  'tau-results': (record) => {
    const { simulations, info, traj } = record;
    if (Array.isArray(traj)) return [tauRun(record, traj, record['reward'])];
    if (!Array.isArray(simulations)) return { problem: 'has neither traj nor simulations' };
    const agent = isObject(info) ? info['agent_info'] : undefined;
    const model = isObject(agent) ? agent['llm'] : undefined;
    return objectsIn(simulations).map((one) => {
      const { reward_info: judged, messages } = one;
      const reward = isObject(judged) ? judged['reward'] : undefined;
      return { ...tauRun(one, messages ?? [], reward), ...(model !== undefined && { model }) };
    });
  },
  /** SWE-agent: a `.traj` file. Without calls in its history, each action is a call of the shell. */
  'swe-agent': ({ history, trajectory, info, environment, instance_id: instance }) => {
    if (!Array.isArray(trajectory) && !Array.isArray(history)) return { problem: 'has neither trajectory nor history' };
    const id = instance ?? (isObject(info) ? info['instance_id'] : undefined) ?? environment;
    const calls = objectsIn(history).some(({ tool_calls: list }) => Array.isArray(list) && list.length > 0);
    const messages = calls ? (history as Json) : objectsIn(trajectory).flatMap(stepOf);
    return [{ ...idOf(id), messages }];
  },
  /** BFCL: a line of a result file of a model that calls functions: `result` holds `{name: "arguments"}`, in turns and steps where there are several. */
  'bfcl-results': ({ id, result }) => {
    if (typeof id !== 'string' || result === undefined) return { problem: 'has no id or no result' };
    if (typeof result === 'string' && /^\s*\[?\w[\w.]*\(/.test(result))
      return {
        problem: 'has Python text as its result, which is not read; take results of a model that calls functions',
      };
    const calls = typeof result === 'string' ? [] : bfclCalls(result);
    const said = typeof result === 'string' ? { content: result } : { content: null, tool_calls: calls };
    return [{ example_id: id, messages: [{ role: 'assistant', ...said }] }];
  },
  /** Inspect: a log as JSON, or a sample of an .eval log with the `eval` of its header. A sample succeeded where a score of it is "C" or 1. */
  inspect: ({ samples: listed, eval: about, ...sample }) => {
    const samples = listed ?? (Array.isArray(sample['messages']) ? [sample] : undefined);
    if (!Array.isArray(samples)) return { problem: 'has no samples' };
    const model = isObject(about) ? about['model'] : undefined;
    return objectsIn(samples).map(({ id, epoch, messages, scores, error }) => ({
      ...idOf(id),
      ...(typeof epoch === 'number' && { run: epoch - 1 }),
      ...(typeof model === 'string' && { model }),
      ...(isObject(scores) && { success: Object.values(scores).some(isPassed) }),
      // A sample that failed has the messages up to then: the failure counts.
      ...(isObject(error) && !Array.isArray(messages)
        ? { error }
        : { messages: [...objectsIn(messages), ...(isObject(error) ? [{ error }] : [])] }),
    }));
  },
} satisfies Readonly<Record<string, Read>>;

/** The names of `resultForms`. */
export type ResultForm = keyof typeof resultForms;

/** Returns whether a text is the name of a form of results. */
export function isResultForm(name: string): name is ResultForm {
  return Object.hasOwn(resultForms, name);
}

/** A reading of records of results: the events that `inner` finds in each record that they hold. */
export function resultsReading(form: ResultForm, inner: InputReading): InputReading {
  return (value, record) => {
    if (!isObject(value)) return inner(value, record);
    const results = resultForms[form](value);
    if ('problem' in results) {
      const detail = `the record ${results.problem}, so it is no record of ${form}; check --from`;
      return { found: [{ code: 'schema', detail }], skipped: [] };
    }
    const readings = results.map((each) => inner(each, record));
    return { found: readings.flatMap(({ found }) => found), skipped: readings.flatMap(({ skipped }) => skipped) };
  };
}

function tauRun({ task_id: task, trial }: JsonObject, messages: Json, reward: Json | undefined): JsonObject {
  return {
    ...idOf(task),
    ...(typeof trial === 'number' && { run: trial }),
    ...(typeof reward === 'number' && { success: Math.abs(reward - 1) < 1e-6 }),
    messages,
  };
}

function idOf(id: Json | undefined): JsonObject {
  const text = idText(id) as Json | undefined;
  return text === undefined || text === null ? {} : { example_id: text };
}

function stepOf({ action, observation, response }: JsonObject): JsonObject[] {
  if (typeof action !== 'string' || action === '') return [{ role: 'assistant', content: response ?? '' }];
  const call = { role: 'assistant', tool_calls: [{ name: 'bash', arguments: { command: action } }] };
  return [call, { role: 'tool', name: 'bash', content: observation ?? '' }];
}

/** Calls in steps and turns, in order. */
function bfclCalls(result: Json): JsonObject[] {
  if (Array.isArray(result)) return (result as readonly Json[]).flatMap(bfclCalls);
  if (!isObject(result)) return [];
  return Object.entries(result).map(([name, given]) => ({ name, arguments: given }));
}

function isPassed(score: Json): boolean {
  const value = isObject(score) ? score['value'] : undefined;
  return value === 'C' || value === 1 || value === true;
}
