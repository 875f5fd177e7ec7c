import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import type { HistoryMetric } from '../../src/formats/summary/history.ts';
import { chartData, type ChartData, type Line } from './chart-data.ts';
import { chartOptions } from './chart-options.ts';
import { interval, percent, score, timeOfDay } from './format.ts';
import { Name } from './parts.tsx';
import { nameOf, type Picture, type Shown } from './state.ts';

/** The history of one metric. A chart whose lines are the same is only given its new values. */
export function Chart({ picture, look: { theme, chartWidth }, metric }: Shown & { metric: HistoryMetric }): VNode {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const [pointer, setPointer] = useState<Pointer>();
  const data = useMemo(() => chartData(picture, metric), [picture, metric]);
  const now = useRef(data);
  now.current = data;
  useLayoutEffect(() => {
    const element = place.current!;
    const made = createPlot(element, metric, () => now.current, setPointer);
    plot.current = made;
    if (chartWidth !== undefined) made.setSize({ width: chartWidth, height: chartHeight });
    const observer = new ResizeObserver(() => made.setSize(sizeOf(element)));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [data.signature, theme, chartWidth]);
  useLayoutEffect(() => plot.current!.setData(data.columns), [data]);
  return (
    <div class="chart">
      <h3>
        <span title={metric.help} class="explained">
          {metric.title}
        </span>
        <span class="readout note">
          <Readout data={data} form={metric.form} pointer={pointer} />
        </span>
      </h3>
      <div ref={place} class="plot" data-chart={metric.path} role="img" aria-label={labelOf(picture, metric)} />
    </div>
  );
}

/** Where the pointer is: in another chart it has a time here, but no height. */
interface Pointer {
  readonly index: number;
  /** Value of the axis. */
  readonly value: number | undefined;
}

const chartHeight = 168;

function sizeOf(place: Element): { width: number; height: number } {
  return { width: Math.max(160, place.clientWidth), height: chartHeight };
}

function createPlot(
  place: HTMLElement,
  metric: HistoryMetric,
  now: () => ChartData,
  setPointer: (pointer: Pointer | undefined) => void,
): uPlot {
  const { hooks, ...options } = chartOptions(metric, now, getComputedStyle(place));
  const setCursor = ({ cursor: { idx, top = -1 }, posToVal }: uPlot): void =>
    setPointer(
      idx == null
        ? undefined
        : { index: idx, value: place.matches(':hover') && top >= 0 ? posToVal(top, 'y') : undefined },
    );
  return new uPlot({ ...sizeOf(place), ...options, hooks: { ...hooks, setCursor: [setCursor] } }, now().columns, place);
}

interface ReadoutProps {
  readonly data: ChartData;
  readonly form: HistoryMetric['form'];
  readonly pointer: Pointer | undefined;
}

/** The value under the pointer, or the last one. */
function Readout({ data, form, pointer }: ReadoutProps): VNode | null {
  const index = pointer?.index ?? data.at.length - 1;
  const line = nearestLine(data, index, pointer?.value);
  const of = line.values[index];
  if (of === undefined || of.value === null) return null;
  const ends = interval(of);
  return (
    <>
      {pointer !== undefined && (
        <>
          {timeOfDay(data.at[index]!)} <Name text={line.name} />{' '}
        </>
      )}
      {form === 'share' ? percent(of.value) : score(of.value)}
      {ends !== '' && ` (${ends})`}
    </>
  );
}

/** The line that passes nearest to the pointer; without one the group in focus. */
function nearestLine({ lines }: ChartData, index: number, wanted: number | undefined): Line {
  if (wanted === undefined) return lines.at(-1)!;
  const distance = ({ values }: Line): number => Math.abs((values[index]?.value ?? Number.POSITIVE_INFINITY) - wanted);
  return [...lines].sort((a, b) => distance(a) - distance(b))[0]!;
}

/** A chart in words: where its line ends, and between what it lies. */
function labelOf({ history, focus }: Picture, { path, title }: HistoryMetric): string {
  const values = history!.groups.get(focus!.id)?.get(path) ?? [];
  const known = values.flatMap(({ value }) => (value === null ? [] : [value]));
  const name = nameOf(focus!);
  if (known.length === 0) return `${title} of ${name}: no values`;
  const text = (value: number): string => `${(100 * value).toFixed(0)} percent`;
  return `${title} of ${name}: now ${text(known.at(-1)!)}, lowest ${text(Math.min(...known))}, highest ${text(Math.max(...known))}`;
}
