import uPlot from 'uplot';
import { type HistoryMetric, historyMetrics } from '../../src/formats/summary/history.ts';
import { chartData, type ChartData, type Line } from './chart-data.ts';
import { chartOptions, drawLabels, type Palette, palette } from './chart-options.ts';
import { interval, percent, printable, score, timeOfDay } from './format.ts';
import { patch } from './patch.ts';
import type { Picture } from './state.ts';
import { nameNode } from './view-parts.ts';

/** The charts of the page, drawn into the places that the view leaves for them. */
export interface Charts {
  /** Draws what a picture holds; a chart whose lines are the same is only given its new values. */
  draw(root: Element, picture: Picture): void;
  /** Draws all again, in the colours of now; in a width, or in that of their places. */
  restyle(width?: number): void;
}

/** Charts that follow the width of their places. */
export function createCharts(): Charts {
  const drawn = new Map<Element, Drawn>();
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) drawn.get(target)?.plot.setSize(sizeOf(target));
  });
  const drawOne = (place: HTMLElement, metric: HistoryMetric, picture: Picture): void => {
    const data = chartData(picture, metric);
    const held = drawn.get(place);
    if (held?.signature === data.signature) {
      held.data = data;
      held.plot.setData(data.columns);
    } else {
      held?.plot.destroy();
      drawn.set(place, create(place, metric, data, observer));
    }
    showReadout(place, metric, data, drawn.get(place)!.plot.cursor);
  };
  return {
    draw(root, picture) {
      for (const [place, { plot }] of drawn) {
        if (place.isConnected) continue;
        plot.destroy();
        observer.unobserve(place);
        drawn.delete(place);
      }
      for (const place of root.querySelectorAll<HTMLElement>('[data-chart]')) {
        const metric = historyMetrics.find(({ path }) => path === place.dataset['chart']);
        if (metric !== undefined) drawOne(place, metric, picture);
      }
    },
    restyle(width) {
      for (const [place, { plot, metric, data }] of drawn) {
        plot.destroy();
        const made = create(place as HTMLElement, metric, data, observer);
        if (width !== undefined) made.plot.setSize({ width, height: chartHeight });
        drawn.set(place, made);
      }
    },
  };
}

interface Drawn {
  readonly plot: uPlot;
  readonly metric: HistoryMetric;
  readonly signature: string;
  data: ChartData;
}

const chartHeight = 168;

function sizeOf(place: Element): { width: number; height: number } {
  return { width: Math.max(160, place.clientWidth), height: chartHeight };
}

function create(place: HTMLElement, metric: HistoryMetric, data: ChartData, observer: ResizeObserver): Drawn {
  const colours: Palette = palette(getComputedStyle(place));
  const held: { drawn: Drawn | undefined } = { drawn: undefined };
  const now = (): ChartData => held.drawn?.data ?? data;
  const plot = new uPlot(
    {
      ...sizeOf(place),
      ...chartOptions(metric.form, data.lines, now, colours),
      hooks: {
        setCursor: [({ cursor }) => showReadout(place, metric, now(), cursor)],
        draw: [(self) => drawLabels(self, now().lines, colours)],
      },
    },
    data.columns,
    place,
  );
  observer.observe(place);
  held.drawn = { plot, metric, signature: data.signature, data };
  return held.drawn;
}

/** Above the chart: the value under the pointer, or the last one. */
function showReadout(place: HTMLElement, metric: HistoryMetric, data: ChartData, cursor: uPlot.Cursor): void {
  const readout = place.parentElement?.querySelector('[data-readout]');
  if (readout == null) return;
  const isPointed = cursor.idx != null;
  const index = cursor.idx ?? data.at.length - 1;
  const line = isPointed ? nearestLine(data, index, place, cursor.top ?? -1) : data.lines.at(-1);
  const value = line?.values[index];
  if (line === undefined || value == null || value.value === null) {
    patch(readout, []);
    return;
  }
  const text = metric.form === 'share' ? percent(value.value) : score(value.value);
  const ends = value.lower === null || value.upper === null ? '' : ` (${interval(value.lower, value.upper)})`;
  const where = isPointed ? [`${timeOfDay(data.at[index]!)} `, nameNode(printable(line.name)), ' '] : [];
  patch(readout, [...where, `${text}${ends}`]);
}

/** The line that passes nearest to the pointer. */
function nearestLine(data: ChartData, index: number, place: HTMLElement, top: number): Line | undefined {
  const over = place.querySelector('.u-over');
  // A pointer in another chart has a time here, but no height.
  if (over === null || top < 0 || !place.matches(':hover')) return data.lines.at(-1);
  const [low, high] = data.range;
  const wanted = high - (top / over.clientHeight) * (high - low);
  const distance = ({ values }: Line): number => Math.abs((values[index]?.value ?? Number.POSITIVE_INFINITY) - wanted);
  return [...data.lines].sort((a, b) => distance(a) - distance(b))[0];
}
