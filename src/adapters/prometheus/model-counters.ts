import { getOrPut } from '../../state/containers/get-or-put.ts';
import { other } from '../../state/slices.ts';
import { countersOf } from '../../scoring/families.ts';
import { exemplarKey, type ModelCounters, modelSeries } from '../../telemetry.ts';
import { counter, named, type PageState, type ReadMetric, type Sample } from './read-metric.ts';

/** The counters that families declare, each with its series among the cells of a model. */
const scored = countersOf(modelSeries).map((declared) => ({
  ...declared,
  series: modelSeries.flatMap(({ counter, values }, cell) => (counter === declared ? [{ cell, values }] : [])),
}));

const exemplarOfKind: NonNullable<ReadMetric['exemplar']> = ({ exemplars }, [model, kind]) =>
  exemplars.get(exemplarKey(model!, kind!));

/** Counters by model, in the order of the text: all series of a model from the moment that it is seen. */
export const modelMetrics: readonly ReadMetric[] = named({
  ...Object.fromEntries(
    scored.map(({ name, unit, help, labels, series }) => {
      const read = ({ models }: PageState): Sample[] =>
        models.flatMap(([model, { cells }]) =>
          series.map(({ cell, values }): Sample => [cells[cell]!, model, ...values]),
        );
      const made = counter(unit, help, read, ['model', ...labels]);
      return [`${name}_total`, name === 'hallucinations' ? { ...made, exemplar: exemplarOfKind } : made];
    }),
  ),
  unknown_tool_calls_total: {
    ...counter(
      'calls',
      'Calls of a tool that was not available, counted at once, with or without truth.',
      ({ models }) => models.map(([model, { unknownToolCalls }]) => [unknownToolCalls, model]),
      ['model'],
    ),
    exemplar: (state, [model]) => exemplarOfKind(state, [model!, 'unknown_tool']),
  },
});

/** Most series of a model's counters: OpenMetrics has a time of creation beside each. */
export const seriesOfModel = 2 * (modelSeries.length + 1);

/** The counters of models as earlier metrics texts showed them. */
export interface ModelMemory {
  /** Counts of a model that have been added to one name or another. */
  readonly counted: Map<string, ModelCounters>;
  /** The last value shown of each name: it never falls when other models are counted under it. */
  readonly shown: Map<string, ModelCounters>;
}

/** A memory that holds no model yet. */
export function createModelMemory(): ModelMemory {
  return { counted: new Map(), shown: new Map() };
}

/**
 * Counters by the name that they are exported under: the model's own, or `__other__` where `isOwn` says so. What a model has counted since the last
 * text is added to the name that it has now. So none falls when a model changes its name, and nothing counts twice.
 */
export function exportedModels(
  models: ReadonlyMap<string, ModelCounters>,
  { counted, shown }: ModelMemory,
  isOwn: (model: string) => boolean,
): [model: string, counters: ModelCounters][] {
  const names = new Set<string>();
  for (const [model, counters] of models) {
    const name = isOwn(model) ? model : other;
    names.add(name);
    const before = getOrPut(counted, model, noCounts);
    const into = getOrPut(shown, name, noCounts);
    counters.cells.forEach((cell, index) => {
      into.cells[index]! += cell - before.cells[index]!;
    });
    into.unknownToolCalls += counters.unknownToolCalls - before.unknownToolCalls;
    counted.set(model, { ...counters, cells: counters.cells.slice() });
  }
  return [...names].sort().map((name) => [name, shown.get(name)!]);
}

const noCounts = (): ModelCounters => ({ cells: new Float64Array(modelSeries.length), unknownToolCalls: 0 });

/** Outcomes of a model: the first counter is of what was scored. */
export function outcomesOf({ cells }: ModelCounters): number {
  return scored[0]!.series.reduce((total, { cell }) => total + cells[cell]!, 0);
}
