import type uPlot from 'uplot';
import type { HistoryMetric } from '../../src/formats/summary/history.ts';
import type { ChartData, Line } from './chart-data.ts';
import { score } from './format.ts';

/** Colours of the style sheet, for the canvas. */
export interface Palette {
  readonly ink: string;
  readonly quiet: string;
  readonly rule: string;
  readonly other: string;
  readonly focus: string;
  readonly band: string;
  readonly alarm: string;
  readonly font: string;
}

/** Reads the palette where a chart will stand. */
export function palette(style: CSSStyleDeclaration): Palette {
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    ink: of('ink'),
    quiet: of('quiet'),
    rule: of('rule'),
    other: of('line-other'),
    focus: of('focus'),
    band: of('focus-band'),
    alarm: of('alarm'),
    font: `11px ${style.fontFamily}`,
  };
}

/** Lines that are named at their end; with more there is no room, and the pointer names them. */
const namedMax = 5;
const nameWidth = 76;
const nameHeight = 13;

/** How a chart of some lines looks, but for its size. Its range follows the values of now. */
export function chartOptions(
  form: HistoryMetric['form'],
  lines: readonly Line[],
  now: () => ChartData,
  colours: Palette,
): Omit<uPlot.Options, 'width' | 'height'> {
  const axis = { stroke: colours.quiet, font: colours.font, ticks: { show: false } };
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
        values: (_, splits, __, ___, step) => splits.map((second) => tickText(second, step)),
      },
      {
        ...axis,
        grid: { stroke: colours.rule, width: 1 },
        space: 32,
        size: 40,
        values: (_, splits) => splits.map((value) => (form === 'share' ? percentTick(value) : score(value))),
      },
    ],
    series: [{}, ...lines.map((line) => seriesOf(line, colours)), edge, edge],
    bands: [{ series: [lines.length + 1, lines.length + 2], fill: colours.band }],
  };
}

function seriesOf({ kind }: Line, colours: Palette): uPlot.Series {
  const stroke = kind === 'focus' ? colours.focus : kind === 'alarm' ? colours.alarm : colours.other;
  return { stroke, width: kind === 'other' ? 1.25 : 2, points: { show: false }, spanGaps: false };
}

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const timeWithSeconds = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

function tickText(second: number, step: number): string {
  const date = new Date(1000 * second);
  return step >= 86_400 ? day.format(date) : step >= 60 ? time.format(date) : timeWithSeconds.format(date);
}

function percentTick(share: number): string {
  return `${Number((100 * share).toFixed(1))}%`;
}

/** Names the lines at their ends, moved apart where they would cover each other. */
export function drawLabels(plot: uPlot, lines: readonly Line[], colours: Palette): void {
  const named = lines.length - 1 > namedMax ? lines.filter(({ kind }) => kind !== 'other') : lines;
  const ends = named.flatMap((line) => {
    const value = line.values.findLast((one) => one.value !== null)?.value;
    return value == null ? [] : [{ line, y: plot.valToPos(value, 'y') + plot.bbox.top / devicePixelRatio }];
  });
  ends.sort((a, b) => a.y - b.y);
  for (let at = 1; at < ends.length; at++) ends[at]!.y = Math.max(ends[at]!.y, ends[at - 1]!.y + nameHeight);
  const bottom = (plot.bbox.top + plot.bbox.height) / devicePixelRatio;
  for (let at = ends.length - 1, limit = bottom; at >= 0; at--, limit -= nameHeight)
    ends[at]!.y = Math.min(ends[at]!.y, limit);
  const { ctx } = plot;
  ctx.save();
  ctx.scale(devicePixelRatio, devicePixelRatio);
  ctx.font = colours.font;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ctx.direction = 'ltr';
  const left = (plot.bbox.left + plot.bbox.width) / devicePixelRatio + 5;
  for (const { line, y } of ends) {
    ctx.fillStyle = line.kind === 'focus' ? colours.focus : line.kind === 'alarm' ? colours.alarm : colours.quiet;
    ctx.fillText(fitting(ctx, line.name), left, y);
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
