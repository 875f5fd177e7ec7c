import type { VNode } from 'preact';
import { type HistoryMetric, historyMetrics } from '../../src/formats/summary/history.ts';
import { headlines } from '../../src/formats/summary/live-group.ts';
import { Charts } from './charts.tsx';
import { count, duration, plural, printable, timeNear, timeOfDay } from './format.ts';
import { type ReadHistory, spanPoints } from './history.ts';
import { Action, Name, Section } from './parts.tsx';
import { type Choices, nameOf, type Shown } from './state.ts';

/** The section "Over time": the chart of a rate, or of all, with the time range that is looked at. */
export function HistoryView(shown: Shown): VNode | null {
  const { picture, choices } = shown;
  const { history, counts, focus, groups, document } = picture;
  if (history === undefined || history.at.length < 2 || focus === undefined) return null;
  const known = inOrder.filter(({ path }) =>
    [...history.groups.values()].some((byPath) => byPath.get(path)?.some(({ value }) => value !== null)),
  );
  const others = groups.filter(({ id }) => id !== focus.id && history.groups.has(id)).length;
  const missing = groups.filter(({ id }) => !history.groups.has(id)).length;
  const span =
    counts === undefined
      ? ''
      : `, each point the ${duration(counts.every_ms * spanPoints)} before it, by time of scoring`;
  const drawn = drawnOf(known, choices, document.shown?.failed?.watch ?? undefined);
  return (
    <Section name="history" title="Over time" note={`${duration(history.at.at(-1)! - history.at[0]!)}${span}`}>
      <div class="row range-row">
        {known.length > 1 && chartField(known, drawn.length > 1 ? 'all' : drawn[0]!.path)}
        <RangeFields history={history} choices={choices} everyMs={counts?.every_ms} />
      </div>
      <p class="key row note">
        <span class="key-focus">
          <Name text={nameOf(focus)} />
        </span>
        <span class="key-band">its interval</span>
        {others > 0 && <span class="key-other">{plural(others, 'other group')}</span>}
        {document.incidents.length > 0 && <span class="key-alarm">▲ alarm, while its rate was up</span>}
        <MarksText history={history} />
      </p>
      {missing > 0 && (
        <p class="quiet">
          {history.groups.has(focus.id) ? '' : `${printable(nameOf(focus))} has no line: `}the history of{' '}
          {plural(missing, 'group')} is not kept.
        </p>
      )}
      <Charts metrics={drawn} {...shown} />
    </Section>
  );
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
    <span class="key-mark">
      {listed.map(({ at, value }) => `${printable(value)} at ${timeOfDay(at)}`).join(', ')}
      {marks.length > listed.length && ` and ${count(marks.length - listed.length)} before`}
    </span>
  );
}
