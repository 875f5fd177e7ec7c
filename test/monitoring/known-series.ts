import { metricValues } from '../../packages/monitoring/metric-values.ts';
import { recordsOf, ruleFiles } from '../../packages/monitoring/rules.ts';
import { metricList } from '../../src/adapters/prometheus/metric-list.ts';
import { createProcessMetrics } from '../../src/adapters/prometheus/process-metrics.ts';
import { limitNames } from '../../src/config/limits.ts';
import { limitNames as hitNames } from '../../src/state/limit-hits.ts';
import { counterSeriesOf, countersOf } from '../../src/scoring/families.ts';
import type { Selector } from '../support/promql.ts';
import { links } from '../support/promtool.ts';

/** What a series may be asked for. */
interface Known {
  readonly counter: boolean;
  readonly labels: readonly string[];
}

const target = ['job', 'instance'];

/** Every series by name: of the page, of the process, recorded by the rules, and Prometheus' own. */
export async function knownSeries(): Promise<ReadonlyMap<string, Known>> {
  const process = await createProcessMetrics()();
  const recorded = recordsOf(ruleFiles(links)).map(({ record, labels = {} }) => {
    const level = record.split(':')[0]!.split('_');
    return [record, { counter: false, labels: [...new Set([...level, ...Object.keys(labels)])] }] as const;
  });
  return new Map<string, Known>([
    ...pageSeries(),
    ...process.map(
      ({ metric }) => [metric.name, { counter: metric.type === 'counter', labels: [...target, 'version'] }] as const,
    ),
    ...recorded,
    ['up', { counter: false, labels: target }],
    ['ALERTS', { counter: false, labels: ['alertname', 'alertstate', 'severity', 'job', 'model', 'kind', 'slice'] }],
    ['ALERTS_FOR_STATE', { counter: false, labels: ['alertname', 'job', 'model', 'kind', 'agent', 'long'] }],
    ['scrape_duration_seconds', { counter: false, labels: target }],
    ['scrape_samples_scraped', { counter: false, labels: target }],
  ]);
}

function pageSeries(): (readonly [string, Known])[] {
  return metricList.flatMap(({ name, type, labels }) => {
    const own = labels.flatMap((label) => (label === '<dimensions>' ? ['model', 'agent'] : [label]));
    const known = { counter: type !== 'gauge', labels: [...target, ...own] };
    const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    return suffixes.map((suffix): readonly [string, Known] => {
      const labels = suffix === '_bucket' ? [...known.labels, 'le'] : known.labels;
      return [name + suffix, { ...known, labels }];
    });
  });
}

/** Values that a label may have, where the list is closed. */
const closed: Readonly<Record<string, readonly string[]>> = {
  metric: metricValues().map(({ value }) => value),
  // Those of the configuration, and those of the state, which have other names where the key lies elsewhere.
  limit: [...limitNames, ...hitNames],
  ...Object.fromEntries(countersOf(counterSeriesOf()).flatMap(({ labels }) => labels.map(valuesOf))),
  outcome: ['scored', 'expired', 'duplicate', 'rejected'],
  state: ['scored', 'pending', 'expired', 'seen', 'complete'],
};

/** A label of counters, with its values in all of them. */
function valuesOf(label: string): [label: string, values: string[]] {
  const values = counterSeriesOf().flatMap(({ counter, values: of }) => of[counter.labels.indexOf(label)] ?? []);
  return [label, values];
}

/** What is wrong with a selector: a series or label that does not exist, a value that can never be. */
export function selectorProblems({ name, matchers }: Selector, known: ReadonlyMap<string, Known>): string[] {
  const series = known.get(name);
  if (series === undefined) return [`${name} is no series of the page or of the rules`];
  return matchers.flatMap(({ label, operator, value }) => {
    if (!series.labels.includes(label)) return [`${name} has no label ${label}`];
    const values = closed[label];
    if (values === undefined || value.includes('$')) return [];
    const alternatives = operator === '=~' ? splitAlternatives(value) : [value];
    return alternatives
      .filter((alternative) => !values.some((known) => new RegExp(`^(?:${alternative})$`).test(known)))
      .map((alternative) => `${name}: label ${label} is never ${alternative}`);
  });
}

/** `a|b(c|d)` into `a` and `b(c|d)`. */
function splitAlternatives(pattern: string): string[] {
  return pattern.split(/\|(?![^(]*\))/);
}
