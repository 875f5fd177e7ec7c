import type { VNode } from 'preact';
import { historyMetrics } from '../../src/formats/summary/history.ts';
import { Chart } from './chart.tsx';
import { duration, plural } from './format.ts';
import { spanPoints } from './history.ts';
import { Name, Section } from './parts.tsx';
import { nameOf, type Shown } from './state.ts';

/** A chart for each metric that has a history. */
export function HistoryView(shown: Shown): VNode | null {
  const { history, counts, focus, groups, document } = shown.picture;
  if (history === undefined || history.at.length < 2 || focus === undefined) return null;
  const drawn = historyMetrics.filter(({ path }) =>
    [...history.groups.values()].some((byPath) => byPath.get(path)?.some(({ value }) => value !== null)),
  );
  const others = groups.filter(({ id }) => id !== focus.id && history.groups.has(id)).length;
  const span =
    counts === undefined
      ? ''
      : `, each point the ${duration(counts.every_ms * spanPoints)} before it, by time of scoring`;
  return (
    <Section name="history" title="History" note={`${duration(history.at.at(-1)! - history.at[0]!)}${span}`}>
      <p class="key row note">
        <span class="key-focus">
          <Name text={nameOf(focus)} />
        </span>
        <span class="key-band">its interval</span>
        {others > 0 && <span class="key-other">{plural(others, 'other group')}</span>}
        {document.incidents.length > 0 && <span class="key-alarm">▲ alarm, while its rate was up</span>}
      </p>
      <div class="charts">
        {drawn.map((metric) => (
          <Chart key={metric.path} metric={metric} {...shown} />
        ))}
      </div>
    </Section>
  );
}
