import type { VNode } from 'preact';
import type { PlainAlarm, PlainIncident } from '../../src/formats/summary/incident-document.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { valueOfBad } from '../../src/view/declared.ts';
import { count, dateAndTime, duration, percent, plural, timeOfDay, zoneOf } from './format.ts';
import { reportedOf, titleInSentence } from './metric-about.ts';
import { calmText, type Notice } from './notices.ts';
import { Action, Name } from './parts.tsx';
import { nameOf, type Picture, type Shown } from './state.ts';
import { TraceLink } from './trace-link.tsx';

/** Incidents shown, rates of each, and groups that are worse because of it; the others are counted. */
const incidentsMax = 6;
const ratesMax = 4;
const alsoMax = 6;

/**
 * The section of all that stands out: of a service that answers, its checks and the incidents that go on. Numbers change all the time, so only names and metrics are
 * announced, when they come and go.
 */
export function AlarmsView({ picture, connection: { ok, problem } }: Shown): VNode | null {
  const { document, notices, firing, isReport } = picture;
  const { incidents } = firing;
  if (isReport && incidents.length === 0) return null;
  const lost: readonly Notice[] = ok
    ? []
    : [{ key: 'lost service', title: 'The service does not answer', text: lostText(picture, problem) }];
  const all = [...lost, ...notices];
  const announced = [
    ...all.map(({ title }) => title),
    ...incidents.map(
      (incident) =>
        `${nameOf(incident)} is worse: ${incident.rates.map(({ watch }) => reportedOf(watch).title).join(', ')}`,
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
          {incidents.slice(0, incidentsMax).map((incident) => (
            <IncidentItem key={incidentKey(incident)} incident={incident} picture={picture} />
          ))}
        </ul>
      )}
      {incidents.length > incidentsMax && (
        <p class="more quiet">And {plural(incidents.length - incidentsMax, 'more incident')}, in the list below.</p>
      )}
    </section>
  );
}

/** The warning that everything below is old. */
function lostText({ document: { at } }: Picture, problem: string): string {
  return `${problem}. What is below is of ${timeOfDay(at)} ${zoneOf(at)}; nothing is known since. Trying again.`;
}

/** Key of an incident in a list. */
export function incidentKey({ slice, watch, begin }: PlainIncident): string {
  return `${sliceId(slice)} ${watch} ${begin}`;
}

/** A link to a group, in its set of dimensions. */
export function GroupLink({ slice }: Pick<PlainIncident, 'slice'>): VNode {
  return (
    <Action action="watch" id={targetOf(slice)} class="link">
      <Name text={nameOf({ slice })} />
    </Action>
  );
}

/** The value of the action `watch`. */
function targetOf(slice: PlainIncident['slice']): string {
  return `${sliceId(slice)} ${Object.keys(slice).join()}`;
}

/** An incident: who, which rates from what to what since when, due to what, and who else because of it. */
function IncidentItem({ incident, picture }: { readonly incident: PlainIncident; readonly picture: Picture }): VNode {
  const { slice, rates } = incident;
  const more = rates.slice(ratesMax);
  return (
    <li class="alarm">
      <div class="row">
        <span>
          <span class="mark" aria-hidden="true">
            ▲{' '}
          </span>
          <GroupLink slice={slice} /> <span class="quiet">is worse:</span>
        </span>
      </div>
      <ul class="changes">
        {rates.slice(0, ratesMax).map((rate) => (
          <RateItem key={rate.watch} rate={rate} slice={slice} picture={picture} />
        ))}
        {more.length > 0 && <li class="quiet">and {more.map(({ watch }) => titleInSentence(watch)).join(', ')}</li>}
      </ul>
      <DueTo incident={incident} />
      <AlsoWorse incident={incident} />
    </li>
  );
}

interface RateProps {
  readonly rate: PlainAlarm;
  readonly slice: PlainIncident['slice'];
  readonly picture: Picture;
}

function RateItem({ rate, slice, picture: { document, isReport } }: RateProps): VNode {
  const { watch, since, end, recovering } = rate;
  return (
    <li class="change row" data-path={watch}>
      <span title={reportedOf(watch).help} class="explained">
        {titleInSentence(watch)}
      </span>
      <strong title={basisText(rate)}>{changeText(rate)}</strong>
      <span>
        since{' '}
        <time datetime={since} title={dateAndTime(since)}>
          {timeOfDay(since)}
        </time>
        <span class="quiet">
          {end === null
            ? ` (${duration(Math.max(0, Date.parse(document.as_of!) - Date.parse(since)))})`
            : `, over since ${timeOfDay(end)}`}
        </span>
      </span>
      {recovering && (
        <span>
          recovering: {percent(valueOfBad(watch, recovering.rate.value))} of{' '}
          {plural(recovering.rate.denominator, 'case')} since {timeOfDay(recovering.since)}
        </span>
      )}
      {!isReport && (
        <Action action="failures" id={`${targetOf(slice)} ${watch},${since},${end ?? ''}`} class="link">
          failed events
        </Action>
      )}
    </li>
  );
}

/** From what to what a rate went. */
export function changeText({ watch, before, baseline, rate }: PlainAlarm): string {
  const value = (bad: number): string => percent(valueOfBad(watch, bad));
  return `${value(before?.value ?? baseline)} → ${value(rate.value)}`;
}

function basisText({ rate, before, baseline }: PlainAlarm): string {
  const was = before === null ? '' : `before ${count(before.numerator)} bad of ${count(before.denominator)}, `;
  return `${count(rate.numerator)} bad of ${count(rate.denominator)} cases since then, ${was}designed for ${percent(baseline)}`;
}

/** The causes of the change, each with an event that shows it. */
export function DueTo({ incident: { due_to: causes } }: { readonly incident: PlainIncident }): VNode | null {
  if (causes.length === 0) return null;
  return (
    <p class="cause">
      Due to{' '}
      {causes.map(({ text, share, event }, at) => (
        <span key={text}>
          {at > 0 && ', '}
          <Name text={text} kind="name" /> ({percent(share)} of the change
          {event?.link && (
            <>
              , <TraceLink to={event.link}>an event</TraceLink>
            </>
          )}
          )
        </span>
      ))}
    </p>
  );
}

/** The groups that are worse because of an incident. */
export function AlsoWorse({ incident: { slice, also } }: { readonly incident: PlainIncident }): VNode | null {
  if (also.length === 0) return null;
  return (
    <p class="quiet">
      Also worse because of <Name text={nameOf({ slice })} />:{' '}
      {also.slice(0, alsoMax).map((group, at) => (
        <span key={sliceId(group.slice)}>
          {at > 0 && ', '}
          <GroupLink slice={group.slice} />
        </span>
      ))}
      {also.length > alsoMax && ` and ${count(also.length - alsoMax)} more`}
    </p>
  );
}
