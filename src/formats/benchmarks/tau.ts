import { isObject, type Json } from '../../scoring/json.ts';
import { type Benchmark, idText, objectsIn, rowOfCalls } from './benchmark.ts';

/**
 * tau-bench and tau2-bench (Sierra): tasks with `evaluation_criteria.actions` (`name`, `arguments`), or results of the first with
 * `info.task.actions` (`name`, `kwargs`), of which trial 0 counts. Actions of the user are none of the agent's. Of an action with `compare_args` only the
 * arguments that it names count; those of none are all ignored.
 */
export const tau: Benchmark = {
  read({ id, task_id: taskId, trial, evaluation_criteria: criteria, info }) {
    const task = isObject(info) ? info['task'] : undefined;
    const actions = isObject(criteria) ? (criteria['actions'] ?? []) : isObject(task) ? task['actions'] : undefined;
    if (!Array.isArray(actions)) return { problem: 'has neither evaluation_criteria.actions nor info.task.actions' };
    if (typeof trial === 'number' && trial > 0) return { row: undefined };
    const calls = objectsIn(actions)
      .filter(({ requestor }) => requestor !== 'user')
      .map(({ name, arguments: given, kwargs, compare_args: compared }) => ({
        name,
        arguments: given ?? kwargs,
        ...ignored(given ?? kwargs, compared),
      }));
    return { row: rowOfCalls(idText(id ?? taskId), calls) };
  },
};

/** The rules that leave out the arguments which an action does not compare; nothing where it compares all. */
function ignored(given: unknown, compared: Json | undefined): object {
  if (!isObject(given) || !Array.isArray(compared)) return {};
  if (compared.length === 0) return { accept: { '*': { ignore: true } } };
  const names = Object.keys(given).filter((name) => !compared.includes(name));
  return names.length === 0 ? {} : { accept: Object.fromEntries(names.map((name) => [name, { ignore: true }])) };
}
