import type { Block } from '../scoring/metric.ts';
import type { Rate } from '../scoring/reading.ts';

/** How far a replay is. */
export interface Progress {
  readonly records: number;
  readonly seconds: number;
  /** Part of the input that was read, in [0, 1]; undefined where its size is not known. */
  readonly share: number | undefined;
  /** Numbers of family `decision` so far; null or undefined where there are none. */
  readonly decision: Block | null | undefined;
}

const hallucinations = [
  { title: 'tool', path: 'tool_hall' },
  { title: 'param', path: 'param_hall' },
  { title: 'answer', path: 'answer_hall' },
];
const counts = new Intl.NumberFormat('en');

/** Progress as one line of a terminal: as much of it, from the left, as has place. */
export function progressLine({ records, seconds, share, decision }: Progress, columns: number): string {
  const parts = [`${counts.format(records)} records`];
  if (seconds > 0) parts.push(`${counts.format(Math.round(records / seconds))}/s`);
  if (share !== undefined) parts.push(`${Math.floor(100 * share)} %`);
  if (decision) {
    parts.push(`accuracy ${percent(decision['accuracy'])}`);
    for (const { title, path } of hallucinations) parts.push(`${title} hallucination ${percent(decision[path])}`);
  }
  return parts.reduce((line, part) => (line.length + 2 + part.length < columns ? `${line}, ${part}` : line));
}

function percent(rate: unknown): string {
  const { value } = rate as Rate;
  return value === null ? '–' : `${(100 * value).toFixed(1)} %`;
}
