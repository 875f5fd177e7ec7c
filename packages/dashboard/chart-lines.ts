import type { ChartData, Line } from './chart-data.ts';

/** Units of the drawing, which is stretched over its place. */
export const chartSize: readonly [width: number, height: number] = [1000, 100];

const [width, height] = chartSize;

/** The share of the width at which a time lies. */
export function xOf({ shown: [from, until] }: ChartData, ms: number): number {
  return (ms - from) / (until - from);
}

/** The share of the height, from the top, at which a value lies. */
export function yOf({ range: [low, high] }: ChartData, value: number): number {
  return 1 - (value - low) / (high - low);
}

/** The path of a line, with gaps where nothing is known. */
export function linePath(data: ChartData, { values }: Line): string {
  return runsOf(
    data,
    values.map(({ value }) => value),
  )
    .map((run) => `M${run.map(([x, y]) => `${x},${y}`).join('L')}`)
    .join('');
}

/** The path of the area between the ends of a line's interval. */
export function bandPath(data: ChartData, { values }: Line): string {
  const uppers = runsOf(
    data,
    values.map(({ upper }) => upper),
  );
  const lowers = runsOf(
    data,
    values.map(({ lower }) => lower),
  );
  return uppers
    .map((upper, at) => `M${[...upper, ...[...(lowers[at] ?? [])].reverse()].map(([x, y]) => `${x},${y}`).join('L')}Z`)
    .join('');
}

type Point = readonly [x: string, y: string];

/** The points that are known and shown, in runs without a gap. One point more at each side has lines reach the frame. */
function runsOf(data: ChartData, values: readonly (number | null)[]): readonly (readonly Point[])[] {
  const { at, shown } = data;
  const first = Math.max(0, at.findIndex((ms) => ms >= shown[0]) - 1);
  const last = at.findLastIndex((ms) => ms <= shown[1]) + 1;
  const runs: Point[][] = [[]];
  for (let point = first; point <= last && point < at.length; point++) {
    const value = values[point] ?? null;
    if (value !== null)
      runs.at(-1)!.push([(width * xOf(data, at[point]!)).toFixed(1), (height * yOf(data, value)).toFixed(2)]);
    else if (runs.at(-1)!.length > 0) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

/** A name at the end of a line. */
export interface EndName {
  readonly line: Line;
  /** Pixels from the top. */
  readonly top: number;
}

/** Lines that are named at their end; with more there is no room, and the pointer names them. */
const namedMax = 5;
const nameHeight = 14;

/** The names at the ends of lines, moved apart where they would cover each other. */
export function endNames(data: ChartData, pixels: number): readonly EndName[] {
  const { lines } = data;
  const named = lines.length - 1 > namedMax ? lines.filter(({ isFocus, isAlarm }) => isFocus || isAlarm) : lines;
  const ends = named.flatMap((line) => {
    const value = line.values.findLast((one, point) => one.value !== null && data.at[point]! <= data.shown[1])?.value;
    return value == null ? [] : [{ line, top: Math.max(0, pixels * yOf(data, value) - nameHeight / 2) }];
  });
  ends.sort((a, b) => a.top - b.top);
  for (let at = 1; at < ends.length; at++) ends[at]!.top = Math.max(ends[at]!.top, ends[at - 1]!.top + nameHeight);
  for (let at = ends.length - 1, limit = pixels - nameHeight; at >= 0; at--, limit -= nameHeight)
    ends[at]!.top = Math.min(ends[at]!.top, limit);
  return ends;
}

/** Marks of a chart that have one label. */
export interface MarkLabel {
  /** Share of the width at which the label begins. */
  readonly left: number;
  readonly marks: ChartData['marks'];
}

/** Pixels of a label with its distance to the next one: as the style sheet has it. */
const markWidth = 84;

/** The labels of the marks that are shown, over a width in pixels: none covers another, and none leaves the frame. */
export function markLabels(data: ChartData, pixels: number): readonly MarkLabel[] {
  const width = markWidth / pixels;
  const labels: { left: number; marks: ChartData['marks'][number][] }[] = [];
  for (const mark of marksIn(data)) {
    const left = Math.max(0, Math.min(xOf(data, mark.at), 1 - width));
    const last = labels.at(-1);
    if (last !== undefined && left < last.left + width) last.marks.push(mark);
    else labels.push({ left, marks: [mark] });
  }
  return labels;
}

/** The marks within the time that is shown. */
export function marksIn({ marks, shown }: ChartData): ChartData['marks'] {
  return marks.filter(({ at }) => at >= shown[0] && at <= shown[1]);
}
