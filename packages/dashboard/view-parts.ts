import type { HistoryValue } from '../../src/formats/summary/history.ts';
import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { Rate } from '../../src/scoring/reading.ts';
import { basis, interval, isRate, percent, type Reading, reading, numberIn } from './format.ts';
import { nameOf } from './state.ts';
import { h, type VNode } from './vnode.ts';

/** A name from events: one line, cut where there is no room, and with a direction of its own. */
export function nameNode(text: string, className = 'name'): VNode {
  return h('bdi', { class: className, title: text }, text);
}

/** The name of a group of the data. */
export function groupName(group: LiveGroup): VNode {
  return nameNode(nameOf(group));
}

/** Where a rate lies between 0 and 1, and how sure that is. Decoration: the numbers stand beside it. */
export function rangeBar({ value, lower, upper }: Pick<Rate, 'value' | 'lower' | 'upper'>): VNode {
  if (value === null || lower === null || upper === null) return h('span', { class: 'range', 'aria-hidden': 'true' });
  const at = (share: number): string => `${(100 * share).toFixed(2)}%`;
  const vars = { lower: at(lower), width: at(upper - lower), value: at(value) };
  return h('span', { class: 'range is-known', vars, 'aria-hidden': 'true' }, h('span', { class: 'range-interval' }));
}

/** What a number rests on, and its interval, in words. */
export function readingTitle(of: Reading | undefined): string | undefined {
  if (of === undefined || typeof of === 'number') return undefined;
  if (!isRate(of)) return basis(of);
  if (of.lower === null || of.upper === null) return 'no data';
  return `${basis(of)}, interval ${interval(of.lower, of.upper)}%`;
}

/** Attributes by which tests (and people with the inspector) find the exact number. */
export function exact(path: string, of: Reading | undefined): { readonly [data: `data-${string}`]: string } {
  return { 'data-path': path, 'data-value': String(numberIn(of)) };
}

/** A rate and its interval in two lines, for tables of details. */
export function rateCell(path: string, of: Rate): VNode {
  const ends = of.lower === null || of.upper === null ? '' : interval(of.lower, of.upper);
  return h(
    'td',
    { class: 'number', ...exact(path, of), title: readingTitle(of) },
    percent(of.value),
    h('small', { class: 'interval' }, ends),
  );
}

const sparkWidth = 100;
const sparkHeight = 24;

/**
 * The history of a number as a small line without axes: from 0 where it should be low, closely where it should be high. Undefined
 * without two points.
 */
export function sparkline(
  values: readonly HistoryValue[] | undefined,
  better: 'higher' | 'lower',
  label: string,
): VNode | undefined {
  const known = values?.flatMap(({ value }) => (value === null ? [] : [value])) ?? [];
  if (values === undefined || known.length < 2) return undefined;
  const greatest = known.reduce((a, b) => Math.max(a, b), 0.01);
  const least =
    better === 'lower'
      ? 0
      : Math.min(
          greatest - 0.1,
          known.reduce((a, b) => Math.min(a, b)),
        );
  const x = (at: number): string => ((at / (values.length - 1)) * sparkWidth).toFixed(1);
  const y = (value: number): string =>
    (sparkHeight - 1 - ((value - least) / (greatest - least)) * (sparkHeight - 2)).toFixed(1);
  const lines: string[][] = [[]];
  values.forEach(({ value }, at) => {
    if (value !== null) lines.at(-1)!.push(`${x(at)},${y(value)}`);
    else if (lines.at(-1)!.length > 0) lines.push([]);
  });
  return h(
    'svg',
    {
      class: 'spark',
      viewBox: `0 0 ${sparkWidth} ${sparkHeight}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': label,
    },
    lines.filter((line) => line.length > 1).map((line) => h('polyline', { points: line.join(' ') })),
  );
}

/** `84.2%` of a reading, with an explanation for who points at it. */
export function readingNode(path: string, of: Reading | undefined): VNode {
  return h('span', { class: 'value', ...exact(path, of), title: readingTitle(of) }, reading(of));
}
