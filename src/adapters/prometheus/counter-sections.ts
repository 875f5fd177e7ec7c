import { labels, predictedNames } from '../../scoring/label.ts';
import {
  callModes,
  fieldResults,
  hallucinationKinds,
  modelCells,
  type ModelCounters,
  type Telemetry,
} from '../../telemetry.ts';
import { metricOf, type MetricName } from './metric-list.ts';
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
  const section = (name: MetricName, first: number, cells: readonly string[]): Section =>
    counterSection(
      memory.shown,
      name,
      exported.flatMap(([model, counters]) =>
        cells.map((cell, index): Sample => [`{model="${model}",${cell}}`, counters.cells[first + index]!]),
      ),
    );
  return [
    section('assay_outcomes_total', modelCells.outcomes, outcomeLabels),
    section('assay_hallucination_opportunities_total', modelCells.opportunities, kindLabels),
    section('assay_hallucinations_total', modelCells.hallucinations, kindLabels),
    section('assay_calls_predicted_total', modelCells.predicted, modeLabels),
    section('assay_calls_reference_total', modelCells.reference, modeLabels),
    section('assay_calls_matched_total', modelCells.matched, modeLabels),
    section('assay_argument_fields_total', modelCells.fields, resultLabels),
    counterSection(
      memory.shown,
      'assay_unknown_tool_calls_total',
      exported.map(([model, counters]): Sample => [`{model="${model}"}`, counters.unknownToolCalls]),
    ),
  ];
}

const outcomeLabels = labels.flatMap((gold) =>
  predictedNames.map((predicted) => `gold="${gold}",predicted="${predicted}"`),
);
const kindLabels = hallucinationKinds.map((kind) => `kind="${kind}"`);
const modeLabels = callModes.map((mode) => `mode="${mode}"`);
const resultLabels = fieldResults.map((result) => `result="${result}"`);

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
  }
}

function outcomesOf({ cells }: ModelCounters): number {
  return cells.subarray(0, modelCells.opportunities).reduce((total, cell) => total + cell, 0);
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
