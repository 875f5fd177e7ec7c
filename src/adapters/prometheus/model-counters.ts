import { countersOf } from '../../scoring/families.ts';
import { type ModelCounters, modelSeries, type Telemetry } from '../../telemetry.ts';
import { escapeLabelValue, type Metric, type Section, sectionOf, type Series } from './text.ts';

/**
 * Counters by model, all series of a model from the moment it is seen. At most `limit` models have series of their own; `names` holds
 * the name that each model is exported under (its own or `__other__`), from page to page.
 */
export function modelSections(
  { models }: Telemetry,
  names: Map<string, string>,
  shown: ReadonlySet<string>,
  limit: number,
): Section[] {
  const exported = exportedModels(models, names, limit);
  const section = (metric: Metric, seriesOf: (model: string, counters: ModelCounters) => Series[]): Section => {
    const series = exported.flatMap(([model, counters]) => seriesOf(`model="${model}"`, counters));
    return sectionOf(metric, series, shown);
  };
  return [
    ...scored.map(({ metric, cells }) =>
      section(metric, (model, counters) =>
        cells.map(({ cell, labels }) => [`{${model},${labels}}`, counters.cells[cell]!]),
      ),
    ),
    section(unknownToolCalls, (model, counters) => [[`{${model}}`, counters.unknownToolCalls]]),
  ];
}

const unknownToolCalls: Metric = {
  name: 'assay_unknown_tool_calls_total',
  type: 'counter',
  unit: 'calls',
  help: 'Calls of a tool that was not available, counted at once, with or without truth.',
  labels: ['model'],
};

/** The counters that families declare, each with its cells among those of a model. */
const scored = countersOf(modelSeries).map((counter) => ({
  metric: {
    name: `assay_${counter.name}_total`,
    type: 'counter' as const,
    unit: counter.unit,
    help: counter.help,
    labels: ['model', ...counter.labels],
  },
  cells: modelSeries.flatMap((series, cell) => {
    if (series.counter !== counter) return [];
    return [{ cell, labels: counter.labels.map((label, index) => `${label}="${series.values[index]}"`).join(',') }];
  }),
}));

/** Counters by model, in the order of the page. */
export const modelCounterMetrics: readonly Metric[] = [...scored.map(({ metric }) => metric), unknownToolCalls];

/** What models beyond the limit are summed under. */
const other = '__other__';

/**
 * Escaped name and counters of each exported model. A model keeps the name that it was first exported under: a
 * counter must not fall, so no model can move to or from `__other__` later.
 */
function exportedModels(
  models: Telemetry['models'],
  names: Map<string, string>,
  limit: number,
): [string, ModelCounters][] {
  nameModels(models, names, limit);
  const exported = new Map<string, ModelCounters>();
  for (const [model, counters] of models) {
    const name = names.get(model)!;
    const into = exported.get(name);
    exported.set(name, into === undefined ? counters : added(into, counters));
  }
  return [...exported]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, counters]) => [escapeLabelValue(name), counters]);
}

/** Names the models that are new; those with the most outcomes take what is left of the limit. */
function nameModels(models: Telemetry['models'], names: Map<string, string>, limit: number): void {
  const fresh = [...models].filter(([model]) => !names.has(model));
  const weighed = fresh.map(([model, counters]) => ({ model, outcomes: outcomesOf(counters) }));
  weighed.sort((a, b) => b.outcomes - a.outcomes || (a.model < b.model ? -1 : 1));
  let left = limit - [...names].filter(([model, name]) => model === name && model !== other).length;
  for (const { model } of weighed) names.set(model, model !== other && left-- > 0 ? model : other);
}

/** The first counter is of what was scored. */
function outcomesOf({ cells }: ModelCounters): number {
  return scored[0]!.cells.reduce((total, { cell }) => total + cells[cell]!, 0);
}

function added(a: ModelCounters, b: ModelCounters): ModelCounters {
  return {
    cells: a.cells.map((cell, index) => cell + b.cells[index]!),
    unknownToolCalls: a.unknownToolCalls + b.unknownToolCalls,
  };
}
