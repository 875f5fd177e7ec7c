import { programName } from '../../name.ts';
import type { Exemplar } from '../../telemetry.ts';

/** One metric, as its HELP and TYPE lines and docs/reference/metrics.md describe it. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly unit: string;
  readonly help: string;
  /** `<dimensions>` stands for the labels of the set's dimensions: `model`, `agent`, `tag_<name>`. */
  readonly labels: readonly string[];
}

/** A gauge by its name without that of the program. */
export function gaugeMetric(name: string, unit: string, help: string, labels: readonly string[]): Metric {
  return { name: `${programName}_${name}`, type: 'gauge', unit, help, labels };
}

/** A series of a metric: what follows the name (a histogram's suffix, labels in braces), and its value. */
export type Series = readonly [labels: string, value: number, exemplar?: Exemplar | undefined];

/** Series of one metric (or a part of them) on their way to the text. */
export interface Section {
  readonly metric: Pick<Metric, 'name' | 'type' | 'help'>;
  readonly series: readonly Series[];
  /** A series is 0 in the first scrape that has it, so that Prometheus sees the first step of a counter. */
  readonly fromZero?: boolean;
}

export type MetricsFormat = 'text' | 'openmetrics';

/** The exact values: Prometheus 3 refuses a text with another. */
export const contentTypes: Readonly<Record<MetricsFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

export interface Writing {
  readonly format: MetricsFormat;
  /** Counter series that scrapes have shown, and when first, in seconds; those of this text are added. Undefined: it is not scraped. */
  readonly shown: Map<string, number> | undefined;
  /** Wall clock. */
  readonly nowMs: number;
}

/**
 * The text: sections in their order, HELP and TYPE once a metric. Sections of one metric must be neighbours: the formats want all
 * lines of a metric together.
 */
export function metricsText(sections: readonly Section[], writing: Writing): string {
  const parts: string[] = [];
  const addSeries = writing.format === 'text' ? addText : addOpenMetrics;
  let last = '';
  for (const section of sections) {
    const { metric } = section;
    if (section.series.length === 0) continue;
    if (metric.name !== last) parts.push(headText(metric, writing.format));
    last = metric.name;
    addSeries(parts, section, writing);
  }
  if (writing.format === 'openmetrics') parts.push('# EOF\n');
  return parts.join('');
}

function headText({ name, type, help }: Section['metric'], format: MetricsFormat): string {
  if (format === 'text') return `# HELP ${name} ${helpText(help)}\n# TYPE ${name} ${type}\n`;
  // In OpenMetrics a counter is named without the suffix of its samples.
  const bare = bareName(name);
  return `# HELP ${bare} ${escapeLabelValue(help)}\n# TYPE ${bare} ${type}\n`;
}

const bareName = (name: string): string => name.replace(/_total$/, '');

/** Returns whether a counter is shown as 0: in the first scrape that has it. */
function isFirst(key: string, { fromZero }: Section, { shown, nowMs }: Writing): boolean {
  if (fromZero !== true || shown === undefined || shown.has(key)) return false;
  shown.set(key, nowMs / 1000);
  return true;
}

function addText(parts: string[], section: Section, writing: Writing): void {
  const { name } = section.metric;
  for (const [labels, value] of section.series) {
    const first = section.fromZero === true && isFirst(name + labels, section, writing);
    parts.push(`${name}${labels} ${first ? '0' : numberText(value)}\n`);
  }
}

/** Behind each counter, and behind the parts of a histogram, when it began. */
function addOpenMetrics(parts: string[], section: Section, writing: Writing): void {
  const { metric, series } = section;
  const { name, type } = metric;
  for (const [labels, value, exemplar] of series) {
    const first = isFirst(name + labels, section, writing);
    const shownLabels = type === 'histogram' ? labels.replace(/le="(-?\d+)"/, 'le="$1.0"') : labels;
    const text = `${name}${shownLabels} ${first ? '0' : numberText(value)}`;
    parts.push(first || exemplar === undefined || value === 0 ? `${text}\n` : `${text}${exemplarText(exemplar)}\n`);
    const created = createdLabels(type, labels);
    const at = writing.shown?.get(name + labels);
    if (created !== undefined && at !== undefined) parts.push(`${bareName(name)}_created${created} ${at}\n`);
  }
}

/** The labels of the time of creation behind this series; undefined: it has none. */
function createdLabels(type: Metric['type'], labels: string): string | undefined {
  if (type === 'counter') return labels;
  return type === 'histogram' && labels.startsWith('_count') ? labels.slice('_count'.length) : undefined;
}

const exemplarText = ({ labels, tsMs }: Exemplar): string => ` # {${labelPairs(labels)}} 1 ${tsMs / 1000}`;

/** `{a="x",b="y"}` with escaped values; empty for no labels. Names must be valid already. */
export function labelSet(labels: readonly (readonly [name: string, value: string])[]): string {
  return labels.length === 0 ? '' : `{${labelPairs(labels)}}`;
}

/** `a="x",b="y"`. */
export function labelPairs(labels: readonly (readonly [name: string, value: string])[]): string {
  return labels.map(([name, value]) => `${name}="${escapeLabelValue(value)}"`).join(',');
}

/**
 * A label value as the text format wants it: backslash, quote and line feed escaped. What no reader should meet raw (other control
 * characters, separators of lines, lone surrogates) becomes the text `\uXXXX`, and the backslash of a name that has such a text already
 * becomes `\u005c`: names that differ stay different.
 */
export function escapeLabelValue(value: string): string {
  if (!special.test(value)) return value;
  return value
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]|\\(?=u[0-9a-f]{4})/gu, (unit) =>
      unit === '\n' ? unit : unitText(unit),
    )
    .replace(/["\\\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

function unitText(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A sample value: Go's syntax, which is JavaScript's but for infinity. Never -0. */
export function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

const special = /["\\\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/u;

function helpText(help: string): string {
  return help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
}
