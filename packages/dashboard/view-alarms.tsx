import type { VNode } from 'preact';
import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { Change } from './alarms.ts';
import { percent, plural, timeOfDay } from './format.ts';
import { Action, Name } from './parts.tsx';
import { nameOf, type Picture, type Shown } from './state.ts';

/** Groups shown; the others are counted. */
const shownMax = 6;

/** What stands out. Numbers change all the time, so only names and metrics are announced, when they come and go. */
export function AlarmsView({ picture }: Shown): VNode | null {
  if (picture.isReport) return null;
  const { service } = picture.alarms;
  const groups = worseGroups(picture);
  const announced = [
    ...service.map(({ title }) => title),
    ...groups.map(
      ({ group, changes }) => `${nameOf(group)} is worse: ${changes.map(({ metric }) => metric.title).join(', ')}`,
    ),
  ];
  return (
    <section class="alarms" aria-label="What stands out">
      <p class="hidden-text" role="status">
        {announced.join('. ')}
      </p>
      {announced.length === 0 ? (
        <p class="quiet">Nothing stands out: every check holds, and no rate is clearly worse than before.</p>
      ) : (
        <ul>
          {service.map(({ key, title, text }) => (
            <li key={key} class="alarm row">
              <strong>{title}</strong>
              <span class="alarm-text">{text}</span>
            </li>
          ))}
          {groups.slice(0, shownMax).map((worse) => (
            <WorseItem key={worse.group.id} {...worse} />
          ))}
        </ul>
      )}
      {groups.length > shownMax && <p class="more quiet">and {plural(groups.length - shownMax, 'more group')}</p>}
    </section>
  );
}

interface WorseGroup {
  readonly group: LiveGroup;
  readonly changes: readonly Change[];
}

/** Groups with what became worse in them; of the total only what no single group explains. */
function worseGroups({ alarms, document, total }: Picture): readonly WorseGroup[] {
  const explained = new Set(alarms.changes.filter(({ id }) => id !== total?.id).map(({ metric }) => metric));
  const shown = alarms.changes.filter(({ id, metric }) => id !== total?.id || !explained.has(metric));
  return [...new Set(shown.map(({ id }) => id))].flatMap((id) => {
    const group = document.groups.find((one) => one.id === id);
    return group === undefined ? [] : [{ group, changes: shown.filter((change) => change.id === id) }];
  });
}

function WorseItem({ group, changes }: WorseGroup): VNode {
  return (
    <li class="alarm row">
      <span>
        <Action action="focus" id={group.id} class="link">
          <Name text={nameOf(group)} />
        </Action>{' '}
        <span class="quiet">is worse:</span>
      </span>
      {changes.map(({ metric, before, now, sinceMs }) => (
        <span key={metric.path} class="change" title="its rate until then, in the history shown below, and since">
          {metric.title.toLowerCase()}{' '}
          <strong>
            {percent(before)} → {percent(now)}
          </strong>{' '}
          since {timeOfDay(sinceMs)}
        </span>
      ))}
    </li>
  );
}
