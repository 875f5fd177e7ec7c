import type { VNode } from 'preact';
import type { LiveDocument } from '../../src/formats/summary/live-document.ts';
import type { PlainAlarm, PlainIncident } from '../../src/formats/summary/incident-document.ts';
import { valueOfBad } from '../../src/view/declared.ts';
import { count, dateAndTime, duration, percent, plural, timeNear, timeOfDay, zoneOf } from './format.ts';
import { basisText, changeText, failuresOf, IncidentDetails, incidentKey } from './incident-parts.tsx';
import { reportedOf, titleInSentence } from './metric-about.ts';
import { calmText, type Notice } from './notices.ts';
import { Action, Name, Section } from './parts.tsx';
import { nameOf, type Picture, type Shown } from './state.ts';

/** Incidents shown; the others are counted. */
const incidentsMax = 6;

/**
 * The section "What is wrong now?": of a service that answers, its checks that fail, then the incidents: those that are active before those that recover.
 * Numbers change all the time, so only names and metrics are announced, when they come and go.
 */
export function NowView({ picture, connection: { ok, problem } }: Shown): VNode | null {
  const { document, notices, firing, isReport } = picture;
  const incidents = [...firing.incidents].sort((a, b) => Number(isRecovering(a)) - Number(isRecovering(b)));
  const lost: readonly Notice[] = ok
    ? []
    : [{ key: 'lost service', title: 'The service does not answer', text: lostText(picture, problem) }];
  const all = [...lost, ...notices];
  const announced = [...all.map(({ title }) => title), ...incidents.map(announcedText)];
  return (
    <Section name="now" title="What is wrong now?">
      <p class="hidden-text" role="status">
        {announced.join('. ')}
      </p>
      {announced.length === 0 ? (
        <p class="quiet">
          {isReport ? 'No incident goes on at the end of the data.' : `${calmText(document)}${lastText(document)}`}
        </p>
      ) : (
        <ul class="alarms">
          {all.map(({ key, title, text }) => (
            <li key={key} class="alarm row">
              <strong>{title}</strong>
              <span class="alarm-text">{text}</span>
            </li>
          ))}
          {incidents.slice(0, incidentsMax).map((incident) => (
            <IncidentLine key={incidentKey(incident)} incident={incident} picture={picture} />
          ))}
        </ul>
      )}
      {incidents.length > incidentsMax && (
        <p class="quiet">And {plural(incidents.length - incidentsMax, 'more incident')}, in the list of incidents.</p>
      )}
    </Section>
  );
}

/** The incident that ended last, while windows may still hold it. */
function lastText({ incidents }: LiveDocument): string {
  const ended = incidents.filter(({ end }) => end !== null).sort((a, b) => (a.end! < b.end! ? 1 : -1));
  const [last] = ended;
  return last === undefined ? '' : ` The last incident, of ${nameOf(last)}, ended at ${timeOfDay(last.end!)}.`;
}

/** The rates of an incident that fire, the greatest change first. */
function openRates({ rates }: PlainIncident): readonly PlainAlarm[] {
  return rates.filter(({ end }) => end === null);
}

/** Returns whether every rate of an incident that fires is down again. */
export function isRecovering(incident: PlainIncident): boolean {
  return openRates(incident).every(({ recovering }) => recovering !== null);
}

function announcedText(incident: PlainIncident): string {
  const titles = incident.rates.map(({ watch }) => reportedOf(watch).title).join(', ');
  return `${nameOf(incident)} ${isRecovering(incident) ? 'is recovering' : 'is worse'}: ${titles}`;
}

/** The warning that everything below is old. */
function lostText({ document: { at } }: Picture, problem: string): string {
  return `${problem}. All numbers are of ${timeOfDay(at)} ${zoneOf(at)}; nothing is known since. Trying again.`;
}

interface IncidentProps {
  readonly incident: PlainIncident;
  readonly picture: Picture;
}

/** An incident in a line: who, which rate from what to what, since when, due to what. It leads to the failures of the rate. */
function IncidentLine({ incident, picture }: IncidentProps): VNode {
  const { slice, rates, also, due_to: causes } = incident;
  const [rate = rates[0]!] = openRates(incident);
  const more = rates.filter((other) => other !== rate);
  const parts = [
    more.length > 0 && plural(more.length, 'more rate'),
    also.length > 0 && `${plural(also.length, 'group')} worse because of it`,
    causes.length > 0 && 'causes',
  ];
  return (
    <li class={isRecovering(incident) ? 'alarm is-recovering' : 'alarm'} data-path={rate.watch}>
      <Action action={picture.isReport ? 'watch' : 'failures'} id={failuresOf(slice, rate)} class="link line">
        <LineText incident={incident} rate={rate} picture={picture} />
      </Action>
      {parts.some(Boolean) && (
        <details class="note">
          <summary>{parts.filter(Boolean).join(', ')}</summary>
          <IncidentDetails incident={incident} more={more} isLink />
        </details>
      )}
    </li>
  );
}

function LineText({ incident, rate, picture }: IncidentProps & { readonly rate: PlainAlarm }): VNode {
  const { slice, due_to: causes } = incident;
  const { watch, since, end, recovering } = rate;
  const asOf = picture.document.as_of ?? picture.document.at;
  const lasting = duration(Math.max(0, Date.parse(asOf) - Date.parse(since)));
  return (
    <>
      <span class="mark" aria-hidden="true">
        {isRecovering(incident) ? '▽ ' : '▲ '}
      </span>
      <Name text={nameOf({ slice })} /> {isRecovering(incident) ? 'is recovering: ' : 'is worse: '}
      <span title={reportedOf(watch).help}>{titleInSentence(watch)} </span>
      <strong title={basisText(rate)}>{changeText(rate)}</strong>{' '}
      <span>
        since{' '}
        <time datetime={since} title={dateAndTime(since)}>
          {timeNear(since, asOf)}
        </time>
        {end === null ? ` (${lasting})` : `, over since ${timeNear(end, asOf)}`}
      </span>
      {recovering && (
        <span>
          , {percent(valueOfBad(watch, recovering.rate.value))} of {plural(recovering.rate.denominator, 'case')} since{' '}
          {timeNear(recovering.since, asOf)}
        </span>
      )}
      {causes.length > 0 && (
        <span>
          , due to <Name text={causes[0]!.text} /> ({percent(causes[0]!.share)} of the change)
          {causes.length > 1 && ` and ${count(causes.length - 1)} more`}
        </span>
      )}{' '}
      <span class="see quiet">{picture.isReport ? 'its rates' : 'why'}</span>
    </>
  );
}
