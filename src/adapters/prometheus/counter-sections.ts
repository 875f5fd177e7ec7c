import { limitReached, type ModelCounters, modelSeries, type Telemetry } from '../../telemetry.ts';
import { metricOf, type MetricName } from './metric-list.ts';
import { counterName } from './score-metrics.ts';
import { createSeriesTexts, type SeriesTexts } from './series-texts.ts';
import { escapeLabelValue, labelSet, numberText, type Section } from './text.ts';

/** What earlier pages have shown. */
export interface PageMemory {
  /** Counter series. */
  readonly shown: Set<string>;
  /** Model to the name that its counters are exported under: its own or `__other__`. */
  readonly models: Map<string, string>;
  readonly texts: SeriesTexts;
}

/** A page that has shown nothing yet. */
export function createPageMemory(): PageMemory {
  return { shown: new Set(), models: new Map(), texts: createSeriesTexts() };
}

/** A series: its label set in braces (or empty) and its value. */
export type Sample = readonly [labels: string, value: number];

/** A counter's lines: 0 for a series that no page has shown yet, so that Prometheus sees its first step. */
export function counterSection(shown: ReadonlySet<string>, name: MetricName, samples: readonly Sample[]): Section {
  const firstShown: string[] = [];
  const lines = samples.map(([labels, value]) => {
    const series = name + labels;
    if (shown.has(series)) return `${series} ${numberText(value)}`;
    firstShown.push(series);
    return `${series} 0`;
  });
  return { metric: metricOf(name), lines, firstShown };
}

/**
 * Counters by model, all series of a model from the moment it is seen. At most `models` models have series of their
 * own.
 */
export function modelSections(telemetry: Telemetry, memory: PageMemory, models: number): Section[] {
  const exported = exportedModels(telemetry, memory.models, models);
  return [
    ...scored.map(({ name, series }) =>
      counterSection(
        memory.shown,
        name,
        exported.flatMap(([model, { cells }]) =>
          series.map(({ labels, cell }): Sample => [`{model="${model}",${labels}}`, cells[cell]!]),
        ),
      ),
    ),
    counterSection(
      memory.shown,
      'assay_unknown_tool_calls_total',
      exported.map(([model, counters]): Sample => [`{model="${model}"}`, counters.unknownToolCalls]),
    ),
  ];
}

/** The counters of what was scored, each with its series of a model. */
const scored = [...new Set(modelSeries.map(({ counter }) => counter))].map((counter) => ({
  name: counterName(counter),
  series: modelSeries.flatMap((series, cell) => {
    if (series.counter !== counter) return [];
    return [{ cell, labels: counter.labels.map((label, index) => `${label}="${series.values[index]}"`).join(',') }];
  }),
}));

/** What models beyond the limit are summed under. */
const other = '__other__';

/**
 * Escaped name and counters of each exported model. A model keeps the name that it was first exported under: a
 * counter must not fall, so no model can move to or from `__other__` later.
 */
function exportedModels(telemetry: Telemetry, names: Map<string, string>, limit: number): [string, ModelCounters][] {
  nameModels(telemetry, names, limit);
  const exported = new Map<string, ModelCounters>();
  for (const [model, counters] of telemetry.models) {
    const name = names.get(model)!;
    const into = exported.get(name);
    exported.set(name, into === undefined ? counters : added(into, counters));
  }
  return [...exported]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, counters]) => [escapeLabelValue(name), counters]);
}

/** Names the models that are new; those with the most outcomes take what is left of the limit. */
function nameModels(telemetry: Telemetry, names: Map<string, string>, limit: number): void {
  if (names.size === telemetry.models.size) return;
  const fresh = [...telemetry.models.entries()].filter(([model]) => !names.has(model));
  const weighed = fresh.map(([model, counters]) => ({ model, outcomes: outcomesOf(counters) }));
  weighed.sort((a, b) => b.outcomes - a.outcomes || (a.model < b.model ? -1 : 1));
  let own = 0;
  for (const [model, name] of names) if (model === name && model !== other) own++;
  for (const { model } of weighed) {
    const named = model !== other && own < limit;
    names.set(model, named ? model : other);
    if (named) own++;
    else if (model !== other) limitReached(telemetry, 'groups_exported');
  }
}

/** The first counter is of what was scored. */
function outcomesOf({ cells }: ModelCounters): number {
  const first = modelSeries.findIndex(({ counter }) => counter !== modelSeries[0]!.counter);
  return cells.subarray(0, first).reduce((total, cell) => total + cell, 0);
}

function added(a: ModelCounters, b: ModelCounters): ModelCounters {
  return {
    cells: a.cells.map((cell, index) => cell + b.cells[index]!),
    unknownToolCalls: a.unknownToolCalls + b.unknownToolCalls,
  };
}

/** Samples with one label. */
export function oneLabel(label: string, entries: Iterable<readonly [string, number]>): Sample[] {
  return Array.from(entries, ([value, count]) => [labelSet([[label, value]]), count]);
}
