import type { VNode } from 'preact';
import type { PlainIncident } from '../../src/formats/summary/incident-document.ts';
import { plural, timeNear, zoneOf } from './format.ts';
import { changeText, GroupLink, IncidentDetails, incidentKey } from './incident-parts.tsx';
import { titleInSentence } from './metric-about.ts';
import type { Shown } from './state.ts';

const dayMs = 86_400_000;
/** Incidents shown; the others are counted. */
const shownMax = 20;

/** The incidents of the last day, the newest first: those that ended by themselves are listed too. */
export function IncidentsView({ picture: { document } }: Shown): VNode | null {
  const { incidents: all, as_of: asOf } = document;
  if (all.length === 0 || asOf === null) return null;
  const incidents = [...all].reverse();
  const endMs = Date.parse(asOf);
  return (
    <div class="incidents">
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
      <p class="day-ends note">
        <span>{minuteOf(endMs - dayMs, endMs)}</span>
        <span>
          {minuteOf(endMs, endMs - dayMs)} {zoneOf(asOf)}
        </span>
      </p>
      <ul>{incidents.slice(0, shownMax).map((incident) => incidentItem(incident, endMs))}</ul>
      {incidents.length > shownMax && (
        <p class="quiet">and {plural(incidents.length - shownMax, 'earlier incident')}</p>
      )}
    </div>
  );
}

function incidentItem(incident: PlainIncident, endMs: number): VNode {
  const { since, until, end, slice, rates } = incident;
  const [first, ...more] = rates;
  return (
    <li key={incidentKey(incident)} class="row">
      <span class="time">
        {minuteOf(Date.parse(since), endMs)}–{end === null ? 'now' : minuteOf(Date.parse(until), Date.parse(since))}
      </span>
      <span>
        <GroupLink slice={slice} />, {titleInSentence(first!.watch)} {changeText(first!)}
      </span>
      <details class="note">
        <summary>{more.length > 0 ? `${plural(more.length, 'more rate')}, cause` : 'cause'}</summary>
        <IncidentDetails incident={incident} more={more} />
      </details>
    </li>
  );
}

/** A minute of the day, with its date where that is not the day of the other time. */
function minuteOf(ms: number, other: number): string {
  return timeNear(ms, other).slice(0, -3);
}
