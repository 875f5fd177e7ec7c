import type { VNode } from 'preact';
import { headlines } from '../../src/formats/summary/live-group.ts';
import { worsePaths } from './alarms.ts';
import { count, interval, isRate, numberIn, reading, readingTitle, windowText } from './format.ts';
import { exact, RangeBar, Section, Sparkline } from './parts.tsx';
import type { Shown } from './state.ts';

/** What an agent decides, and how steadily; what its calls are like stands in the table of groups. */
const large = /^(decision|stability)\./;

/** The total of everything, in large numbers. */
export function TotalView({ picture }: Shown): VNode | null {
  const { total, window, alarms, history } = picture;
  if (total === undefined) return null;
  const worse = worsePaths(alarms, total.id);
  const shown = headlines.filter(({ path }) => large.test(path) && numberIn(total.headlines[path]) !== null);
  return (
    <Section name="total" title="Everything" note={`${windowText(window)}, ${count(total.n)} decisions scored`}>
      <dl class="tiles">
        {shown.map(({ path, title, help, better, allOnly }) => {
          const of = total.headlines[path];
          const values = history?.groups.get(total.id)?.get(path);
          return (
            <div key={path} class={worse.has(path) ? 'tile is-alarm' : 'tile'}>
              <dt>
                {title}
                {allOnly && window !== 'all' && <small class="note"> all time</small>}
              </dt>
              <dd class="big value" {...exact(path, of)} title={readingTitle(of)}>
                {reading(of)}
              </dd>
              <dd class="note">{isRate(of) && interval(of)}</dd>
              {isRate(of) ? <RangeBar {...of} /> : <dd />}
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
