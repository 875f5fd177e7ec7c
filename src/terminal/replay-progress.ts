import { stat } from 'node:fs/promises';
import type { Block } from '../scoring/metric.ts';
import type { Rate } from '../scoring/reading.ts';

/** Shows a person at a terminal how far a replay is: one line, drawn again and again, and gone at the end. */
export interface ReplayProgress {
  /** So many records and bytes were read, of all files together. */
  show(records: number, bytes: number): void;
  /** Clears the line. */
  end(): void;
}

/** Where progress is shown: standard error. */
export interface Terminal {
  readonly isTTY?: boolean;
  /** Undefined or 0 where it is not known. */
  readonly columns?: number;
  write(text: string): unknown;
}

const everyMs = 200;
const usualColumns = 80;
const clear = '\r\u001b[K';

/** Progress over these files, `-` is standard input; `decision` reads the numbers so far. Nothing is shown where there is no terminal. */
export async function replayProgress(
  terminal: Terminal,
  files: readonly string[],
  decision: () => Block | null | undefined,
): Promise<ReplayProgress> {
  if (!terminal.isTTY) return { show: () => undefined, end: () => undefined };
  const size = await sizeOf(files);
  const startMs = performance.now();
  let drawnMs = Number.NEGATIVE_INFINITY;
  return {
    show(records, bytes) {
      const nowMs = performance.now();
      if (nowMs - drawnMs < everyMs) return;
      drawnMs = nowMs;
      const share = size === undefined ? undefined : Math.min(1, bytes / size);
      const progress = { records, seconds: (nowMs - startMs) / 1000, share, decision: decision() };
      terminal.write(`\r${progressLine(progress, terminal.columns || usualColumns)}\u001b[K`);
    },
    end() {
      if (drawnMs > 0) terminal.write(clear);
      drawnMs = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Bytes of all files; undefined where one is no regular file, such as a pipe. */
async function sizeOf(files: readonly string[]): Promise<number | undefined> {
  let size = 0;
  for (const file of files) {
    const found = file === '-' ? undefined : await stat(file).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    size += found.size;
  }
  return size > 0 ? size : undefined;
}

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
