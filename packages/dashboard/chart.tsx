import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { HistoryMetric } from '../../src/formats/summary/history.ts';
import { shareTicks, timeTicks } from './chart-axes.ts';
import { type ChartData, chartData, type Line, type Pointer } from './chart-data.ts';
import { bandPath, chartSize, endNames, linePath, markLabels, marksIn, xOf, yOf } from './chart-lines.ts';
import { interval, percent, printable, timeOfDay } from './format.ts';
import { Name } from './parts.tsx';
import { nameOf, type Picture, type Shown } from './state.ts';

/** Height of the drawing in pixels, as the style sheet has it. */
const heightPx = 190;
const [width, height] = chartSize;

interface ChartProps extends Shown {
  readonly metric: HistoryMetric;
  /** The pointer over any chart; undefined while it is over none. */
  readonly pointer: Pointer | undefined;
  /** Width of the drawing in pixels. */
  readonly widthPx: number;
}

/** The history of one metric. */
export function Chart({ picture, choices: { from, until }, metric, pointer, widthPx }: ChartProps): VNode {
  const data = useMemo(() => chartData(picture, metric, { from, until }), [picture, metric, from, until]);
  const focus = data.lines.at(-1)!;
  return (
    <div class="chart">
      <h3>
        <span title={metric.help} class="explained">
          {metric.title}
        </span>
        <span class="readout note">
          <Readout data={data} pointer={pointer} path={metric.path} />
        </span>
      </h3>
      <div class="plot" data-chart={metric.path} role="img" aria-label={labelOf(picture, metric)}>
        <div class="field-of-lines">
          <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
            {data.spans.map(([fromMs, untilMs]) => (
              <AlarmSpan key={fromMs} left={xOf(data, fromMs)} right={xOf(data, untilMs)} />
            ))}
            {shareTicks(...data.range).map(({ share }) => (
              <path key={share} class="grid" d={`M0,${height * (1 - share)}H${width}`} />
            ))}
            <path class={focus.isAlarm ? 'band is-alarm' : 'band'} d={bandPath(data, focus)} />
            {data.lines.map((line) => (
              <path key={line.id} class={kindOf(line)} d={linePath(data, line)} />
            ))}
            {marksIn(data).map(({ at, value }) => (
              <path key={`${at} ${value}`} class="mark-line" d={`M${width * xOf(data, at)},0V${height}`} />
            ))}
          </svg>
          <Labels data={data} pointer={pointer} width={widthPx} />
        </div>
      </div>
    </div>
  );
}

function kindOf({ isFocus, isAlarm }: Line): string {
  return ['line', isFocus && 'is-focus', isAlarm && 'is-alarm'].filter(Boolean).join(' ');
}

/** The time of an incident: a ground, and a bar at its foot, which is seen without colours too. */
function AlarmSpan({ left, right }: { readonly left: number; readonly right: number }): VNode | null {
  const [from, until] = [Math.max(0, left), Math.min(1, right)];
  if (from >= until) return null;
  const wide = { x: width * from, width: width * (until - from) };
  return (
    <>
      <rect class="alarm-ground" {...wide} y={0} height={height} />
      <rect class="alarm-foot" {...wide} y={height - 2} height={2} />
    </>
  );
}

const at = (share: number): string => `${(100 * share).toFixed(2)}%`;

interface LabelsProps {
  readonly data: ChartData;
  readonly pointer: Pointer | undefined;
  /** Width of the drawing in pixels. */
  readonly width: number;
}

/** The texts of a chart, which are not stretched with it: axes, names of lines, values of marks, and the pointer's time. */
function Labels({ data, pointer, width }: LabelsProps): VNode {
  return (
    <>
      {shareTicks(...data.range).map(({ share, text }) => (
        <span key={`y ${share}`} class="tick-y" style={{ top: at(1 - share) }}>
          {text}
        </span>
      ))}
      {timeTicks(...data.shown).map(({ share, text }) => (
        <span key={`x ${share}`} class="tick-x" style={{ left: at(share) }}>
          {text}
        </span>
      ))}
      {markLabels(data, width).map(({ left, marks }) => (
        <span key={left} class="mark-text" style={{ left: at(left) }} title={marks.map(markText).join(', ')}>
          <Name text={marks.length === 1 ? marks[0]!.value : `${marks.length} changes`} />
        </span>
      ))}
      {endNames(data, heightPx).map(({ line, top }) => (
        <span key={line.id} class={`end-name ${kindOf(line)}`} style={{ top: `${top.toFixed(1)}px` }}>
          {line.isAlarm && '▲ '}
          <Name text={line.name} />
        </span>
      ))}
      {pointer !== undefined && <span class="pointer" style={{ left: at(pointer.x) }} />}
      {pointer?.dragFrom !== undefined && (
        <span
          class="dragged"
          style={{
            left: at(Math.min(pointer.x, pointer.dragFrom)),
            width: at(Math.abs(pointer.x - pointer.dragFrom)),
          }}
        />
      )}
    </>
  );
}

interface ReadoutProps {
  readonly data: ChartData;
  readonly pointer: Pointer | undefined;
  readonly path: string;
}

/** The value under the pointer, or that of the chosen time range, or the last one. */
function Readout({ data, pointer, path }: ReadoutProps): VNode | null {
  const index = pointer === undefined ? data.at.length - 1 : indexAt(data, pointer.x);
  const line = nearestLine(data, index, pointer?.path === path ? pointer.y : undefined);
  const of = pointer === undefined ? (data.inRange ?? line.values[index]) : line.values[index];
  if (of === undefined || of.value === null) return null;
  const ends = interval(of);
  return (
    <>
      {pointer !== undefined && (
        <>
          {timeOfDay(data.at[index]!)} <Name text={line.name} />{' '}
        </>
      )}
      {percent(of.value)}
      {ends !== '' && ` (${ends})`}
    </>
  );
}

/** Index of the point that is nearest to a share of the width. */
function indexAt({ at: times, shown: [from, until] }: ChartData, x: number): number {
  const ms = from + x * (until - from);
  const after = times.findIndex((time) => time >= ms);
  if (after <= 0) return after === 0 ? 0 : times.length - 1;
  return times[after]! - ms < ms - times[after - 1]! ? after : after - 1;
}

/** The line that passes nearest to the pointer, at a share of the height; without one the group in focus. */
function nearestLine(data: ChartData, index: number, y: number | undefined): Line {
  if (y === undefined) return data.lines.at(-1)!;
  const distance = ({ values }: Line): number => {
    const value = values[index]?.value;
    return value == null ? Number.POSITIVE_INFINITY : Math.abs(yOf(data, value) - y);
  };
  return [...data.lines].sort((a, b) => distance(a) - distance(b))[0]!;
}

/** `v2 at 14:01:00` */
export function markText({ at, value }: ChartData['marks'][number]): string {
  return `${printable(value)} at ${timeOfDay(at)}`;
}

/** A chart in words: where its line ends, and between what it lies. */
function labelOf({ history, focus }: Picture, { path, title }: HistoryMetric): string {
  const values = history!.groups.get(focus!.id)?.get(path) ?? [];
  const known = values.flatMap(({ value }) => (value === null ? [] : [value]));
  const name = nameOf(focus!);
  if (known.length === 0) return `${title} of ${name}: no values`;
  const text = (value: number): string => `${(100 * value).toFixed(0)} percent`;
  const { marks } = history!;
  const changes = marks.length === 0 ? '' : `; new: ${marks.map(markText).join(', ')}`;
  return `${title} of ${name}: now ${text(known.at(-1)!)}, lowest ${text(Math.min(...known))}, highest ${text(Math.max(...known))}${changes}`;
}
