import type { Steps } from '../../state/steps.ts';

/** One metric, as its HELP and TYPE lines and docs/reference/metrics.md describe it. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly unit: string;
  readonly help: string;
  /** `<dimensions>` stands for the labels of the set's dimensions: `model`, `agent`, `tag_<name>`. */
  readonly labels: readonly string[];
}

/** A series of a metric: what follows the name (a histogram's suffix, labels in braces), and its value. */
export type Series = readonly [labels: string, value: number];

/** Series of one metric (or a part of them) on their way to the page. */
export interface Section {
  readonly metric: Pick<Metric, 'name' | 'type' | 'help'>;
  readonly series: readonly Series[];
  /** A series is 0 in the first page that has it, so that Prometheus sees the first step of a counter. */
  readonly fromZero?: boolean;
}

/** `text/plain; version=0.0.4`: the exact value; Prometheus 3 refuses a page with another. */
export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The page: sections in their order, each a step, HELP and TYPE once a metric. Sections of one metric must be neighbours: the format wants all
 * lines of a metric together. `shown` are the counter series that pages have shown; those of this page are added.
 */
export function* pageText(sections: readonly Section[], shown: Set<string>): Steps<string> {
  const parts: string[] = [];
  let last = '';
  for (const { metric, series, fromZero } of sections) {
    if (series.length === 0) continue;
    const { name, type, help } = metric;
    if (name !== last) parts.push(`# HELP ${name} ${helpText(help)}\n# TYPE ${name} ${type}\n`);
    last = name;
    for (const [labels, value] of series) {
      const first = fromZero === true && !shown.has(name + labels);
      if (first) shown.add(name + labels);
      parts.push(`${name}${labels} ${first ? '0' : numberText(value)}\n`);
    }
    yield;
  }
  return parts.join('');
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
