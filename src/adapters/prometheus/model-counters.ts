import { countersOf } from '../../scoring/families.ts';
import { type ModelCounters, modelSeries } from '../../telemetry.ts';
import { counter, named, type PageState, type ReadMetric, type Sample } from './read-metric.ts';

/** The counters that families declare, each with its series among the cells of a model. */
const scored = countersOf(modelSeries).map((declared) => ({
  ...declared,
  series: modelSeries.flatMap(({ counter, values }, cell) => (counter === declared ? [{ cell, values }] : [])),
}));

/** Counters by model, in the order of the page: all series of a model from the moment that it is seen. */
export const modelMetrics: readonly ReadMetric[] = named({
  ...Object.fromEntries(
    scored.map(({ name, unit, help, labels, series }) => {
      const read = ({ models }: PageState): Sample[] =>
        models.flatMap(([model, { cells }]) =>
          series.map(({ cell, values }): Sample => [cells[cell]!, model, ...values]),
        );
      return [`${name}_total`, counter(unit, help, read, ['model', ...labels])];
    }),
  ),
  unknown_tool_calls_total: counter(
    'calls',
    'Calls of a tool that was not available, counted at once, with or without truth.',
    ({ models }) => models.map(([model, { unknownToolCalls }]) => [unknownToolCalls, model]),
    ['model'],
  ),
});

/** What models beyond the limit are summed under. */
const other = '__other__';

/**
 * Name and counters of each exported model: at most `limit` have series of their own. A model keeps the name that it was first exported under
 * (its own or `__other__`, in `names` from page to page): a counter must not fall, so no model can move to or from `__other__` later.
 */
export function exportedModels(
  models: ReadonlyMap<string, ModelCounters>,
  names: Map<string, string>,
  limit: number,
): [model: string, counters: ModelCounters][] {
  nameModels(models, names, limit);
  const exported = new Map<string, ModelCounters>();
  for (const [model, counters] of models) {
    const name = names.get(model)!;
    const into = exported.get(name);
    exported.set(name, into === undefined ? counters : added(into, counters));
  }
  return [...exported].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Names the models that are new; those with the most outcomes take what is left of the limit. */
function nameModels(models: ReadonlyMap<string, ModelCounters>, names: Map<string, string>, limit: number): void {
  const fresh = [...models].filter(([model]) => !names.has(model));
  const weighed = fresh.map(([model, counters]) => ({ model, outcomes: outcomesOf(counters) }));
  weighed.sort((a, b) => b.outcomes - a.outcomes || (a.model < b.model ? -1 : 1));
  let left = limit - [...names].filter(([model, name]) => model === name && model !== other).length;
  for (const { model } of weighed) names.set(model, model !== other && left-- > 0 ? model : other);
}

/** The first counter is of what was scored. */
function outcomesOf({ cells }: ModelCounters): number {
  return scored[0]!.series.reduce((total, { cell }) => total + cells[cell]!, 0);
}

function added(a: ModelCounters, b: ModelCounters): ModelCounters {
  return {
    cells: a.cells.map((cell, index) => cell + b.cells[index]!),
    unknownToolCalls: a.unknownToolCalls + b.unknownToolCalls,
  };
}
