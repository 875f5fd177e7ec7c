import type { VNode } from 'preact';
import type { PlainIncident } from '../../src/formats/summary/incident-document.ts';
import { plural, timeOfDay, zoneOf } from './format.ts';
import { titleInSentence } from './metric-about.ts';
import { Section } from './parts.tsx';
import type { Shown } from './state.ts';
import { AlsoWorse, changeText, DueTo, GroupLink, incidentKey } from './view-alarms.tsx';

const dayMs = 86_400_000;
/** Incidents shown; the others are counted. */
const shownMax = 8;

/** The incidents of the last day, the newest first: those that ended by themselves are listed too. */
export function IncidentsView({ picture: { document } }: Shown): VNode | null {
  const { incidents: all, as_of: asOf } = document;
  if (all.length === 0 || asOf === null) return null;
  const incidents = [...all].reverse();
  const endMs = Date.parse(asOf);
  return (
    <Section name="incidents" title="Incidents" note={`last 24 h, times in ${zoneOf(asOf)}`}>
      <div class="day" aria-hidden="true">
        {incidents.map((incident) => {
          const sinceMs = Date.parse(incident.since);
          const untilMs = incident.end === null ? endMs : Date.parse(incident.until);
          return (
            <span
              key={incidentKey(incident)}
              style={{
                '--from': ((sinceMs - (endMs - dayMs)) / dayMs).toFixed(4),
                '--length': ((untilMs - sinceMs) / dayMs).toFixed(4),
              }}
            />
          );
        })}
      </div>
      <p class="day-ends note" aria-hidden="true">
        <span>{minuteOf(endMs - dayMs)}</span>
        <span>{minuteOf(endMs)}</span>
      </p>
      <ul>{incidents.slice(0, shownMax).map(incidentItem)}</ul>
      {incidents.length > shownMax && (
        <p class="quiet">and {plural(incidents.length - shownMax, 'earlier incident')}</p>
      )}
    </Section>
  );
}

function incidentItem(incident: PlainIncident): VNode {
  const { since, until, end, slice, rates } = incident;
  const [first, ...more] = rates;
  return (
    <li key={incidentKey(incident)} class="row">
      <span class="time">
        {minuteOf(Date.parse(since))}–{end === null ? 'now' : minuteOf(Date.parse(until))}
      </span>
      <span>
        <GroupLink slice={slice} />, {titleInSentence(first!.watch)} {changeText(first!)}
      </span>
      <details class="note">
        <summary>{more.length > 0 ? `${plural(more.length, 'more rate')}, cause` : 'cause'}</summary>
        <ul>
          {more.map((rate) => (
            <li key={`${rate.watch} ${rate.since}`}>
              {titleInSentence(rate.watch)} {changeText(rate)}
            </li>
          ))}
        </ul>
        <DueTo incident={incident} />
        <AlsoWorse incident={incident} />
      </details>
    </li>
  );
}

function minuteOf(ms: number): string {
  return timeOfDay(ms).slice(0, 5);
}
