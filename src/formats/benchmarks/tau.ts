import { isObject } from '../../scoring/json.ts';
import { type Benchmark, idText, objectsIn, rowOfCalls } from './benchmark.ts';

/**
 * tau-bench and tau2-bench (Sierra): tasks with `evaluation_criteria.actions` (`name`, `arguments`), or results of the first with
 * `info.task.actions` (`name`, `kwargs`), of which trial 0 counts. Actions of the user are none of the agent's.
 */
export const tau: Benchmark = {
  read({ id, task_id: taskId, trial, evaluation_criteria: criteria, info }) {
    const task = isObject(info) ? info['task'] : undefined;
    const actions = isObject(criteria) ? (criteria['actions'] ?? []) : isObject(task) ? task['actions'] : undefined;
    if (!Array.isArray(actions)) return { problem: 'has neither evaluation_criteria.actions nor info.task.actions' };
    if (typeof trial === 'number' && trial > 0) return { row: undefined };
    const calls = objectsIn(actions)
      .filter(({ requestor }) => requestor !== 'user')
      .map(({ name, arguments: given, kwargs }) => ({ name, arguments: given ?? kwargs }));
    return { row: rowOfCalls(idText(id ?? taskId), calls) };
  },
};
