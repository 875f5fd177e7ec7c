import type { VNode } from 'preact';
import type { PlainWatch } from '../../src/formats/summary/watch-document.ts';
import type { FiringGroup } from './firing.ts';
import { count, dateAndTime, duration, percent, plural, roughCount, timeOfDay, zoneOf } from './format.ts';
import { titleInSentence, reportedOf, valueOfBad } from './metric-about.ts';
import { calmText, type Notice } from './notices.ts';
import { Action, Name } from './parts.tsx';
import { nameOf, type Picture, type Shown } from './state.ts';
import { TraceLink } from './trace-link.tsx';

/** Groups shown, and rates of each; the others are counted. */
const groupsMax = 6;
const ratesMax = 4;

/**
 * The alarms: of a service that answers, its checks and the watches that fire. Numbers change all the time, so only names and metrics are
 * announced, when they come and go.
 */
export function AlarmsView({ picture, connection: { ok, problem } }: Shown): VNode | null {
  const { document, notices, firing, isReport } = picture;
  if (isReport && firing.groups.length === 0) return null;
  const lost: readonly Notice[] = ok
    ? []
    : [{ key: 'lost service', title: 'The service does not answer', text: lostText(picture, problem) }];
  const all = [...lost, ...notices];
  const announced = [
    ...all.map(({ title }) => title),
    ...firing.groups.map(
      ({ slice, watches }) =>
        `${nameOf({ slice })} is worse: ${watches.map(({ watch }) => reportedOf(watch).title).join(', ')}`,
    ),
  ];
  return (
    <section class="alarms" aria-label="What stands out">
      <p class="hidden-text" role="status">
        {announced.join('. ')}
      </p>
      {announced.length === 0 ? (
        <p class="quiet">{calmText(document)}</p>
      ) : (
        <ul>
          {all.map(({ key, title, text }) => (
            <li key={key} class="alarm row">
              <strong>{title}</strong>
              <span class="alarm-text">{text}</span>
            </li>
          ))}
          {firing.groups.slice(0, groupsMax).map((group) => (
            <GroupItem key={group.id} group={group} picture={picture} />
          ))}
        </ul>
      )}
      {restText(picture)}
    </section>
  );
}

/** The warning that everything below is old. */
function lostText({ document: { at } }: Picture, problem: string): string {
  return `${problem}. What is below is of ${timeOfDay(at)} ${zoneOf(at)}; nothing is known since. Trying again.`;
}

function restText({ firing: { groups, explained } }: Picture): VNode | null {
  if (explained.length === 0 && groups.length <= groupsMax) return null;
  return (
    <p class="more quiet">
      {groups.length > groupsMax && `And ${plural(groups.length - groupsMax, 'more group')}. `}
      {explained.length > 0 && (
        <>
          Explained by {groups.length === 1 ? 'it' : 'these'}:{' '}
          {explained.slice(0, groupsMax).map(({ id, slice }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Action action="watch" id={targetOf({ id, slice })} class="link">
                <Name text={nameOf({ slice })} />
              </Action>
            </span>
          ))}
          {explained.length > groupsMax && ` and ${count(explained.length - groupsMax)} more`}.
        </>
      )}
    </p>
  );
}

/** A group in its set of dimensions, as the value of the action `watch`. */
export function targetOf({ id, slice }: Pick<FiringGroup, 'id' | 'slice'>): string {
  return `${id} ${Object.keys(slice).join()}`;
}

function GroupItem({ group, picture }: { readonly group: FiringGroup; readonly picture: Picture }): VNode {
  const { id, slice, watches } = group;
  const shown = shownOf(watches);
  return (
    <li class="alarm">
      <div class="row">
        <span>
          <span class="mark" aria-hidden="true">
            ▲{' '}
          </span>
          <Action action="watch" id={targetOf({ id, slice })} class="link">
            <Name text={nameOf({ slice })} />
          </Action>{' '}
          <span class="quiet">is worse:</span>
        </span>
        {!picture.isReport && (
          <Action action="failures" id={targetOf({ id, slice })} class="link">
            failed events
          </Action>
        )}
      </div>
      <ul class="changes">
        {shown.map((watch) => (
          <ChangeItem key={watch.watch} watch={watch} picture={picture} />
        ))}
        {watches.length > shown.length && (
          <li class="quiet">
            and{' '}
            {watches
              .filter((watch) => !shown.includes(watch))
              .map(({ watch }) => titleInSentence(watch))
              .join(', ')}
          </li>
        )}
      </ul>
    </li>
  );
}

/** The greatest changes, one of which says why, if any does. */
function shownOf(watches: readonly PlainWatch[]): readonly PlainWatch[] {
  const first = watches.slice(0, ratesMax);
  const caused = watches.find(({ causes }) => causes.length > 0);
  return caused === undefined || first.includes(caused) ? first : [...first.slice(0, -1), caused];
}

interface ChangeProps {
  readonly watch: PlainWatch;
  readonly picture: Picture;
}

function ChangeItem({ watch, picture: { document } }: ChangeProps): VNode {
  const { watch: path, since, rate, before, baseline, recovering, causes } = watch;
  const { help } = reportedOf(path);
  const from = valueOfBad(path, before?.value ?? baseline!);
  const [cause] = causes;
  return (
    <li class="change row" data-path={path}>
      <span title={help} class="explained">
        {titleInSentence(path)}
      </span>
      <strong title={basisText(watch)}>
        {percent(from)} → {percent(valueOfBad(path, rate!.value))}
      </strong>
      <span>
        since{' '}
        <time datetime={since!} title={dateAndTime(since!)}>
          {timeOfDay(since!)}
        </time>
        <span class="quiet"> ({duration(Math.max(0, Date.parse(document.as_of!) - Date.parse(since!)))})</span>
      </span>
      {recovering && (
        <span>
          recovering: {percent(valueOfBad(path, recovering.rate.value))} of{' '}
          {plural(recovering.rate.denominator, 'case')} since {timeOfDay(recovering.since)}
        </span>
      )}
      {cause && (
        <span class="cause">
          {percent(Math.min(1, cause.share))} of it: <Name text={cause.text} kind="name" />
          {cause.event?.link && (
            <>
              {' '}
              <TraceLink to={cause.event.link}>an event</TraceLink>
            </>
          )}
        </span>
      )}
      <span class="quiet sure">{sureText(watch)}</span>
    </li>
  );
}

/** How often the watch is wrong by its design. */
function sureText({ false_alarm_cases: cases }: PlainWatch): string {
  return cases === null ? '' : `false once in ${roughCount(cases)} cases`;
}

function basisText({ rate, before, baseline, statistic, threshold }: PlainWatch): string {
  const was = before === null ? '' : `before ${count(before.numerator)} bad of ${count(before.denominator)}, `;
  const design = `${was}designed for ${percent(baseline)}; statistic ${count(Math.round(statistic))}, threshold ${count(threshold!)}`;
  return `${count(rate!.numerator)} bad of ${count(rate!.denominator)} cases since then, ${design}`;
}
