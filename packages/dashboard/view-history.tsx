import type { VNode } from 'preact';
import { type HistoryMetric, historyMetrics } from '../../src/formats/summary/history.ts';
import type { CountHistory } from '../../src/formats/summary/live-document.ts';
import { headlines, type LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { TimeRange } from './chart-data.ts';
import { markText } from './chart.tsx';
import { Charts } from './charts.tsx';
import { count, duration, plural, printable, timeNear, timeOfDay } from './format.ts';
import { type ReadHistory, spanPoints } from './history.ts';
import { Action, Name, Section } from './parts.tsx';
import { type Choices, nameOf, type Picture, type Shown } from './state.ts';
import { hasNoData } from './view-empty.tsx';

/** The section "Over time": the chart of a rate, or of all, with the time range that is looked at. */
export function HistoryView(shown: Shown): VNode | null {
  const { picture, choices } = shown;
  const { history, counts, focus, document } = picture;
  if (history === undefined || focus === undefined || hasNoData(picture)) return null;
  const { at } = history;
  const known = inOrder.filter(({ path }) =>
    [...history.groups.values()].some((byPath) => byPath.get(path)?.some(({ value }) => value !== null)),
  );
  if (at.length < 2 || known.length === 0)
    return picture.isReport ? null : <Section name="history" title="Over time" children={<NoPoints {...shown} />} />;
  const span =
    counts === undefined
      ? ''
      : `, each point the ${duration(counts.every_ms * spanPoints)} before it, by time of scoring`;
  const drawn = drawnOf(known, choices, document.shown?.failed?.watch ?? undefined);
  const remarks = [rangeText(at, choices), counts && beginText(counts), groupsText(picture, focus, history)];
  return (
    <Section name="history" title="Over time" note={`${duration(at.at(-1)! - at[0]!)}${span}`}>
      <div class="row range-row">
        {known.length > 1 && chartField(known, drawn.length > 1 ? 'all' : drawn[0]!.path)}
        <RangeFields history={history} choices={choices} everyMs={counts?.every_ms} />
      </div>
      <HistoryKey {...shown} />
      {remarks.map((text) => text && <p key={text}>{text}</p>)}
      <Charts metrics={drawn} {...shown} />
    </Section>
  );
}

function HistoryKey({ picture: { history, focus, groups, document } }: Shown): VNode {
  const others = groups.filter(({ id }) => id !== focus!.id && history!.groups.has(id)).length;
  return (
    <p class="key row note">
      <span class="key-focus">
        <Name text={nameOf(focus!)} />
      </span>
      <span class="key-band">its interval</span>
      {others > 0 && <span class="key-other">{plural(others, 'other group')}</span>}
      {document.incidents.length > 0 && <span class="key-alarm">▲ alarm, while its rate was up</span>}
      <MarksText history={history!} />
    </p>
  );
}

/** The reason why there is no chart. */
function NoPoints({ picture: { counts } }: Shown): VNode {
  const text =
    counts === undefined || counts.at.length < 2
      ? 'No points yet: they come every few seconds, and the windows hold nothing of the hour before.'
      : `Nothing was scored since ${timeOfDay(counts.at[0]!)}; the windows hold nothing of the hour before.`;
  return <p class="quiet">{text}</p>;
}

/** Since when there are points, and which of them come from the time before; undefined where they fill the hour. */
function beginText({ at, ingest, points_max: most }: CountHistory): string | undefined {
  const restored = ingest.lastIndexOf(null);
  if (restored >= 0) return `Points before ${timeOfDay(at[restored]!)} come from the windows, by event time.`;
  if (at.length >= most) return undefined;
  return `Points begin at ${timeOfDay(at[0]!)}: the windows hold nothing of the time before.`;
}

/** The part of the chosen time range of which there is no point; undefined where there is none. */
function rangeText(at: readonly number[], { from, until }: TimeRange): string | undefined {
  const [first, last] = [at[0]!, at.at(-1)!];
  const begin = `Points begin at ${timeNear(first, last)}`;
  if ((from ?? first) >= last || (until ?? last) <= first)
    return `Nothing is kept of the chosen time. ${begin} and end at ${timeOfDay(last)}: all of them are shown.`;
  return from !== undefined && from < first ? `${begin}: nothing is kept of the chosen time before.` : undefined;
}

/** The groups that have no line; undefined where all have one. */
function groupsText({ groups, isReport }: Picture, focus: LiveGroup, history: ReadHistory): string | undefined {
  const kept = groups.filter(({ id }) => history.groups.has(id)).length;
  if (kept === groups.length) return undefined;
  const lacks = history.groups.has(focus.id) ? '' : `${printable(nameOf(focus))} has no line. `;
  const which = isReport ? '' : ' with alarms or the most decisions';
  return `${lacks}Of ${plural(groups.length, 'group')}, the ${count(kept)}${which} have a history.`;
}

/** The metrics in the order of the columns of groups. */
const inOrder = headlines.flatMap(({ path }) => historyMetrics.find((metric) => metric.path === path) ?? []);

/** The chosen charts; without a choice that of the rate whose failures are shown, else the first. */
function drawnOf(
  known: readonly HistoryMetric[],
  { chart, sort }: Choices,
  watch: string | undefined,
): readonly HistoryMetric[] {
  if (chart === 'all') return known;
  const of = (path: string | undefined): HistoryMetric | undefined => known.find((metric) => metric.path === path);
  return [of(chart) ?? of(watch) ?? of(sort?.replace(/^-/, '')) ?? known[0]].filter((metric) => metric !== undefined);
}

function chartField(known: readonly HistoryMetric[], chosen: string): VNode {
  return (
    <select data-action="chart" aria-label="Rate over time" value={chosen}>
      {known.map(({ path, title }) => (
        <option key={path} value={path}>
          {title}
        </option>
      ))}
      <option value="all">{`All ${count(known.length)} rates`}</option>
    </select>
  );
}

interface RangeProps {
  readonly history: ReadHistory;
  readonly choices: Choices;
  readonly everyMs: number | undefined;
}

/** The ends of the time range as fields: the same by keyboard as a drag over a chart. */
function RangeFields({ history: { at }, choices: { from, until }, everyMs = 1000 }: RangeProps): VNode {
  const [min, max] = [at[0]!, at.at(-1)!];
  const [first, last] = [Math.max(min, from ?? min), Math.min(max, until ?? max)];
  const field = (name: 'from' | 'until', value: number, least: number, most: number): VNode => (
    <label class="range-field">
      {name} {timeNear(value, max)}
      <input
        type="range"
        data-action={name}
        data-least={least}
        data-most={most}
        min={min}
        max={max}
        step={everyMs}
        value={value}
      />
    </label>
  );
  return (
    <>
      {field('from', first, min, last - everyMs)}
      {field('until', last, first + everyMs, max)}
      {(from ?? until) !== undefined && (
        <Action action="range" id=",">
          Whole time
        </Action>
      )}
    </>
  );
}

/** The marks in words, the newest first. */
function MarksText({ history: { marks } }: { readonly history: ReadHistory }): VNode | null {
  if (marks.length === 0) return null;
  const listed = [...marks].reverse().slice(0, 4);
  return (
    <span class="key-mark" title={[...marks].reverse().map(markText).join(', ')}>
      {listed.map(markText).join(', ')}
      {marks.length > listed.length && ` and ${count(marks.length - listed.length)} before`}
    </span>
  );
}
