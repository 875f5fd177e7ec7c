import { argumentsDeclaration } from './arguments.ts';
import { decisionDeclaration } from './decision/index.ts';
import type { AnyDeclaration, Counter } from './family.ts';
import { feedbackDeclaration } from './feedback/index.ts';
import { outcomeDeclaration } from './feedback/outcome.ts';
import { judgeDeclaration, semanticDeclaration } from './judgement/index.ts';
import { ownDeclaration } from './judgement/own.ts';
import { matchDeclaration } from './match/declaration.ts';
import type { Metric, Metrics, RateMetric, About } from './metric.ts';
import { schemaDeclaration } from './schema/index.ts';
import { stabilityDeclaration } from './stability/read.ts';
import { structuredDeclaration } from './structured.ts';
import { toolCallsDeclaration } from './tool-calls.ts';
import { toolUseDeclaration } from './tool-use/index.ts';
import { trajectoryDeclaration } from './trajectory/index.ts';

/** Every family, in the order of every report. */
export const declarations: readonly AnyDeclaration[] = [
  decisionDeclaration,
  stabilityDeclaration,
  toolCallsDeclaration,
  trajectoryDeclaration,
  schemaDeclaration,
  argumentsDeclaration,
  structuredDeclaration,
  matchDeclaration,
  toolUseDeclaration,
  semanticDeclaration,
  judgeDeclaration,
  ownDeclaration,
  feedbackDeclaration,
  outcomeDeclaration,
];

/** A metric with its place. */
export interface PlacedMetric {
  readonly family: AnyDeclaration;
  /** Keys from the family's block on, `tool_calls` not among them: `strict`, `f1`. */
  readonly keys: readonly string[];
  readonly metric: Exclude<Metric<unknown>, { kind: 'group' }>;
}

/** All metrics of families in their order, those of groups one by one. */
export function allMetrics(families: readonly AnyDeclaration[] = declarations): PlacedMetric[] {
  return families.flatMap((family) => placed(family, [], family.metrics));
}

function placed(family: AnyDeclaration, above: readonly string[], metrics: Metrics<unknown>): PlacedMetric[] {
  return Object.entries(metrics).flatMap(([key, metric]) => {
    const keys = [...above, key];
    return metric.kind === 'group' ? placed(family, keys, metric.metrics) : [{ family, keys, metric }];
  });
}

/** A metric that tables of groups have a column for. */
export interface Headline extends Pick<About, 'title' | 'help'> {
  readonly better: 'higher' | 'lower';
  /** Path in a summary group: `decision.accuracy`. */
  readonly path: string;
  /** Short title. */
  readonly column: string;
  /** A share is shown in percent, a score as a fraction. */
  readonly form: 'share' | 'score';
  /** Its course over time is kept. */
  readonly history: boolean;
  /** Known of window `all` only. */
  readonly allOnly: boolean;
}

/** Headlines that come first, in this order. */
const leading: readonly string[] = [
  'match.correct',
  'decision.accuracy',
  'decision.tool_hall',
  'decision.answer_hall',
  'decision.param_hall',
  'decision.macro_f1_present',
  'decision.macro_f1',
];

/** The headline metrics: the leading ones, then those of families of events, then those of runs. */
export function headlinesOf(families: readonly AnyDeclaration[] = declarations): Headline[] {
  const units = ['event', 'judgement', 'runs'] as const;
  const all = units.flatMap((unit) =>
    allMetrics(families.filter((family) => family.unit === unit)).flatMap(({ family, keys, metric }): Headline[] => {
      if (metric.kind === 'labels' || metric.headline === undefined) return [];
      const { title, help, better = 'higher', headline, history } = metric;
      return [
        {
          path: [family.name, ...keys].join('.'),
          title,
          help,
          better,
          column: headline,
          form: metric.kind === 'rate' || metric.kind === 'estimate' ? 'share' : 'score',
          history: history === true,
          allOnly: unit === 'runs',
        },
      ];
    }),
  );
  const first = leading.flatMap((path) => all.find((headline) => headline.path === path) ?? []);
  return [...new Set([...first, ...all])];
}

/**
 * Name of a metric in Prometheus, the value of the label `metric`: `tool_hall`, `per_class_direct_f1`, `tool_calls_strict_f1`. Those of `decision`
 * have no prefix; those of `stability` are series of their own, and have none either.
 */
export function metricName(family: string, keys: readonly string[]): string {
  return (family === 'decision' || family === 'stability' ? keys : [family, ...keys]).join('_');
}

/** A rate that counts a kind of hallucination. */
export interface BudgetedRate {
  readonly family: AnyDeclaration;
  /** As `metricName` gives it. */
  readonly name: string;
  /** `tool` */
  readonly kind: string;
  readonly metric: RateMetric<unknown> & { readonly budget: number };
}

/** The rates that have a budget, in the order of their families. */
export function budgetedRates(families: readonly AnyDeclaration[] = declarations): BudgetedRate[] {
  return families.flatMap((family) =>
    Object.entries(family.metrics).flatMap(([key, metric]): BudgetedRate[] => {
      if (metric.kind !== 'rate' || metric.budget === undefined) return [];
      const name = metricName(family.name, [key]);
      return [{ family, name, kind: name.replace(/_hall$/, ''), metric: { ...metric, budget: metric.budget } }];
    }),
  );
}

/** One series of a counter, of those of a model. */
export interface CounterSeries {
  readonly family: string;
  readonly counter: Omit<Counter<unknown>, 'series'>;
  /** Values of the counter's labels. */
  readonly values: readonly string[];
  of(sums: unknown): number;
}

const budgetCounters = [
  { name: 'hallucination_opportunities', help: 'Predictions that could be a hallucination of the kind.', part: 1 },
  { name: 'hallucinations', help: 'Predictions that are a hallucination of the kind.', part: 0 },
] as const;

/** The counter series of one model: those that families declare, then the hallucinations of all of them by kind. */
export function counterSeriesOf(families: readonly AnyDeclaration[] = declarations): CounterSeries[] {
  const declared = families.flatMap(({ name, counters }) =>
    counters.flatMap((counter) => counter.series.map((series) => ({ family: name, counter, ...series }))),
  );
  const rates = budgetedRates(families);
  const hallucinations = budgetCounters.flatMap(({ name, help, part }) => {
    const counter = { name, help, unit: 'events', labels: ['kind'] };
    return rates.map(({ family, kind, metric }) => ({
      family: family.name,
      counter,
      values: [kind],
      of: (sums: unknown) => metric.of(sums)[part],
    }));
  });
  return [...declared, ...hallucinations];
}

/** The counters of those series, each once. */
export function countersOf(series: readonly CounterSeries[]): CounterSeries['counter'][] {
  return [...new Set(series.map(({ counter }) => counter))];
}
