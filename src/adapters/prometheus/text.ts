/** One metric, as its HELP and TYPE lines and docs/reference/metrics.md describe it. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly unit: string;
  readonly help: string;
  /** `<dimensions>` stands for the labels of the set's dimensions: `model`, `agent`, `tag_<name>`. */
  readonly labels: readonly string[];
}

/** A series of a metric: its label set in braces (or empty) and its value. */
export type Series = readonly [labels: string, value: number];

/** Samples of one metric (or a part of them) on their way to the page. */
export interface Section {
  readonly metric: Pick<Metric, 'name' | 'type' | 'help'>;
  /** One line a series. */
  readonly lines: readonly string[];
  /** Series that this page shows for the first time, at 0. */
  readonly firstShown: readonly string[];
}

/** `text/plain; version=0.0.4`: the exact value; Prometheus 3 refuses a page with another. */
export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * A line a series, none where the value is not known (NaN). A counter is 0 in the first page that has it, so that Prometheus sees its
 * first step; `shown` are those that pages have shown.
 */
export function sectionOf(metric: Metric, all: readonly Series[], shown: ReadonlySet<string>): Section {
  const lines: string[] = [];
  const firstShown: string[] = [];
  for (const [labels, value] of all) {
    if (Number.isNaN(value)) continue;
    const series = metric.name + labels;
    const first = metric.type === 'counter' && !shown.has(series);
    if (first) firstShown.push(series);
    lines.push(`${series} ${first ? '0' : numberText(value)}`);
  }
  return { metric, lines, firstShown };
}

/**
 * The page: sections in their order, HELP and TYPE once a metric. Sections of one metric must be neighbours: the
 * format wants all lines of a metric together.
 */
export function pageText(sections: readonly Section[]): string {
  const parts: string[] = [];
  let last = '';
  for (const { metric, lines } of sections) {
    if (lines.length === 0) continue;
    if (metric.name !== last)
      parts.push(`# HELP ${metric.name} ${helpText(metric.help)}\n# TYPE ${metric.name} ${metric.type}`);
    last = metric.name;
    parts.push(lines.join('\n'));
  }
  return parts.length === 0 ? '' : `${parts.join('\n')}\n`;
}

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
