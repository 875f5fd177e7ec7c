import type { VNode } from 'preact';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import { headlines } from '../../src/formats/summary/live-group.ts';
import {
  count,
  coverageShare,
  interval,
  isShare,
  numberIn,
  percent,
  plural,
  reading,
  readingTitle,
  sinceText,
  windowText,
} from './format.ts';
import { alarmMark, exact, RangeBar, Section, Sparkline } from './parts.tsx';
import type { Shown } from './state.ts';

/** The metrics in large: calls right, decisions of an agent, and their stability; the others stand in the table of groups. */
const large = /^(match|decision|stability)\./;

/** The events that the numbers leave out: those of the window that are not scored, calls that are malformed. */
function basis({ coverage, records, windows_counts: windows }: LiveDocument, window: string): string {
  const counted = windows.find((one) => one.window === window);
  const ofAll = window === 'all' ? (coverage?.value ?? null) : null;
  const share = ofAll ?? (counted === undefined ? null : coverageShare(counted)) ?? 1;
  const malformed = window === 'all' ? (records?.malformed_calls ?? 0) : 0;
  return `${share < 1 ? `, coverage ${percent(share)}` : ''}${malformed > 0 ? `, ${plural(malformed, 'malformed call')}` : ''}`;
}

/** An instance of several shows its own partitions alone. */
function isPart({ service }: LiveDocument): boolean {
  return service !== null && service.partitions.length < service.partitions_of;
}

function coverText(document: LiveDocument): string {
  if (!isPart(document)) return 'Everything';
  const { partitions, partitions_of: all } = document.service!;
  return `${count(partitions.length)} of ${plural(all, 'partition')}`;
}

function heldText(document: LiveDocument): VNode | null {
  if (!isPart(document)) return null;
  const names = document.service!.partitions.map(({ name }) => name).join(', ');
  return <p class="quiet">{`All numbers here are of ${names}. One page over all partitions: assay view.`}</p>;
}

/** The total, in large numbers. */
export function TotalView({ picture }: Shown): VNode | null {
  const { total, window, firing, history, document } = picture;
  if (total === undefined) return null;
  const worse = firing.paths.get(total.id);
  const shown = headlines.filter(({ path }) => large.test(path) && numberIn(total.headlines[path]) !== null);
  return (
    <Section
      name="total"
      title={coverText(document)}
      note={`${windowText(window)}, ${count(total.n)} decisions scored${basis(document, window)}`}
    >
      {heldText(document)}
      <dl class="tiles">
        {shown.map(({ path, title, help, better, allOnly }) => {
          const of = total.headlines[path];
          const values = history?.groups.get(total.id)?.get(path);
          return (
            <div key={path} class={worse?.has(path) ? 'tile is-alarm' : 'tile'}>
              <dt title={help}>
                {worse?.has(path) && alarmMark()}
                {title}
                {allOnly && window !== 'all' && <small class="note"> all time</small>}
              </dt>
              <dd class="big value" {...exact(path, of)} title={readingTitle(of)}>
                {reading(of)}
              </dd>
              <dd class="note">{[isShare(of) && interval(of), sinceText(total, path)].filter(Boolean).join(', ')}</dd>
              {isShare(of) ? <RangeBar {...of} /> : <dd />}
              <dd class="trend">
                <Sparkline values={values} better={better} label={`${title}, over time`} />
              </dd>
              <dd class="note meaning">{help}</dd>
            </div>
          );
        })}
      </dl>
    </Section>
  );
}
