import type uPlot from 'uplot';
import type { HistoryMetric } from '../../src/formats/summary/history.ts';
import type { ChartData, Line } from './chart-data.ts';
import { score, timeOfDay } from './format.ts';

/** Lines that are named at their end; with more there is no room, and the pointer names them. */
const namedMax = 5;
const nameWidth = 76;
const nameHeight = 13;

/** A colour of the style sheet, for the canvas. */
type Palette = (name: 'quiet' | 'rule' | 'line-other' | 'focus' | 'focus-band' | 'alarm' | 'alarm-band') => string;

/** How a chart looks, but for its size, in the colours of its place. Its range and its names follow the data of now. */
export function chartOptions(
  { form }: HistoryMetric,
  now: () => ChartData,
  style: CSSStyleDeclaration,
): Omit<uPlot.Options, 'width' | 'height'> {
  const colour: Palette = (name) => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${style.fontFamily}`;
  const { lines } = now();
  const axis = { stroke: colour('quiet'), font, ticks: { show: false } };
  const edge = { stroke: 'transparent', points: { show: false }, width: 0 };
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, sync: { key: 'history' }, points: { show: false }, y: false },
    padding: [8, nameWidth + 6, 0, 0],
    scales: { x: { time: true }, y: { range: () => [...now().range] as uPlot.Range.MinMax } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        size: 26,
        values: (_, splits, __, ___, step) => splits.map((second) => timeTick(second, step)),
      },
      {
        ...axis,
        grid: { stroke: colour('rule'), width: 1 },
        space: 32,
        size: 40,
        values: (_, splits) => splits.map((value) => (form === 'share' ? percentTick(value) : score(value))),
      },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, colour)), edge, edge],
    bands: [
      {
        series: [lines.length + 1, lines.length + 2],
        fill: colour(lines.at(-1)!.isAlarm ? 'alarm-band' : 'focus-band'),
      },
    ],
    hooks: {
      drawClear: [(plot) => drawSpans(plot, now().spans, colour)],
      draw: [(plot) => drawNames(plot, now().lines, colour, font)],
    },
  };
}

/** The colour of a line. An alarm keeps its colour, in focus or not. */
function colourOf({ isFocus, isAlarm }: Line, other: 'quiet' | 'line-other', colour: Palette): string {
  return colour(isAlarm ? 'alarm' : isFocus ? 'focus' : other);
}

function seriesOf(line: Line, colour: Palette): uPlot.Series {
  const width = line.isFocus ? 2.25 : line.isAlarm ? 1.75 : 1.25;
  return { stroke: colourOf(line, 'line-other', colour), width, points: { show: false }, spanGaps: false };
}

/** Marks the time of incidents: a ground, and a bar at its foot, which is seen without colours too. */
function drawSpans({ ctx, bbox, scales, valToPos }: uPlot, spans: ChartData['spans'], colour: Palette): void {
  const { min, max } = scales['x']!;
  if (min == null || max == null) return;
  const bar = 3 * devicePixelRatio;
  for (const [fromMs, untilMs] of spans) {
    const [from, until] = [Math.max(min, fromMs / 1000), Math.min(max, untilMs / 1000)];
    if (from >= until) continue;
    const [left, right] = [valToPos(from, 'x', true), valToPos(until, 'x', true)];
    ctx.fillStyle = colour('alarm-band');
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
    ctx.fillStyle = colour('alarm');
    ctx.fillRect(left, bbox.top + bbox.height - bar, right - left, bar);
  }
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** A day, a minute or a second, by the distance of the ticks. */
function timeTick(second: number, step: number): string {
  const ms = 1000 * second;
  if (step >= 86_400) return day.format(ms);
  return step >= 60 ? timeOfDay(ms).slice(0, 5) : timeOfDay(ms);
}

function percentTick(share: number): string {
  return `${Number((100 * share).toFixed(1))}%`;
}

/** Names the lines at their ends, moved apart where they would cover each other. */
function drawNames(plot: uPlot, lines: readonly Line[], colour: Palette, font: string): void {
  const { ctx, bbox } = plot;
  const named = lines.length - 1 > namedMax ? lines.filter(({ isFocus, isAlarm }) => isFocus || isAlarm) : lines;
  const ends = named.flatMap((line) => {
    const value = line.values.findLast((one) => one.value !== null)?.value;
    return value == null ? [] : [{ line, y: plot.valToPos(value, 'y') + bbox.top / devicePixelRatio }];
  });
  ends.sort((a, b) => a.y - b.y);
  for (let at = 1; at < ends.length; at++) ends[at]!.y = Math.max(ends[at]!.y, ends[at - 1]!.y + nameHeight);
  const bottom = (bbox.top + bbox.height) / devicePixelRatio;
  for (let at = ends.length - 1, limit = bottom; at >= 0; at--, limit -= nameHeight)
    ends[at]!.y = Math.min(ends[at]!.y, limit);
  ctx.save();
  ctx.scale(devicePixelRatio, devicePixelRatio);
  Object.assign(ctx, { font, textBaseline: 'middle', textAlign: 'left', direction: 'ltr' });
  const left = (bbox.left + bbox.width) / devicePixelRatio + 5;
  for (const { line, y } of ends) {
    ctx.fillStyle = colourOf(line, 'quiet', colour);
    ctx.fillText(fitting(ctx, line.isAlarm ? `▲ ${line.name}` : line.name), left, y);
  }
  ctx.restore();
}

/** A name cut to the room that there is, with a direction of its own. */
function fitting(context: CanvasRenderingContext2D, name: string): string {
  const isolated = (text: string): string => `\u2068${text}\u2069`;
  if (context.measureText(name).width <= nameWidth) return isolated(name);
  const characters = [...name.slice(0, 40)];
  while (characters.length > 1 && context.measureText(`${characters.join('')}…`).width > nameWidth) characters.pop();
  return isolated(`${characters.join('')}…`);
}
