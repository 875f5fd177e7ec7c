import type { HistoryValue } from '../../src/formats/summary/history.ts';

/** Width and height of a small line, in units of its own. */
export const sparkSize: readonly [width: number, height: number] = [100, 24];

/**
 * Points of the lines of a history: from 0 where it should be low, closely where it should be high; a gap where nothing is known.
 * None without two known values.
 */
export function sparkLines(values: readonly HistoryValue[], better: 'higher' | 'lower'): readonly string[] {
  const known = values.flatMap(({ value }) => (value === null ? [] : [value]));
  if (known.length < 2) return [];
  const [width, height] = sparkSize;
  const greatest = Math.max(0.01, ...known);
  const least = better === 'lower' ? 0 : Math.min(greatest - 0.1, ...known);
  const x = (at: number): string => ((at / (values.length - 1)) * width).toFixed(1);
  const y = (value: number): string => (height - 1 - ((value - least) / (greatest - least)) * (height - 2)).toFixed(1);
  const lines: string[][] = [[]];
  values.forEach(({ value }, at) => {
    if (value !== null) lines.at(-1)!.push(`${x(at)},${y(value)}`);
    else if (lines.at(-1)!.length > 0) lines.push([]);
  });
  return lines.filter((line) => line.length > 1).map((line) => line.join(' '));
}
