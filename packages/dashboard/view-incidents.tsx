import type { VNode } from 'preact';
import type { Incident } from '../../src/formats/summary/watch-document.ts';
import { type Episode, episodesOf } from './firing.ts';
import { percent, plural, timeOfDay, zoneOf } from './format.ts';
import { titleInSentence, valueOfBad } from './metric-about.ts';
import { Action, Name, Section } from './parts.tsx';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { nameOf, type Shown } from './state.ts';
import { targetOf } from './view-alarms.tsx';

const dayMs = 86_400_000;
/** Incidents shown; the others are counted. */
const shownMax = 8;

/** The incidents of the last day: alarms that ended by themselves are listed too. */
export function IncidentsView({ picture: { document } }: Shown): VNode | null {
  const { incidents, as_of: asOf } = document;
  if (incidents.length === 0 || asOf === null) return null;
  const episodes = episodesOf(incidents);
  const endMs = Date.parse(asOf);
  return (
    <Section name="incidents" title="Incidents" note={`last 24 h, times in ${zoneOf(asOf)}`}>
      <div class="day" aria-hidden="true">
        {episodes.map(({ key, sinceMs, untilMs = endMs }) => (
          <span
            key={key}
            style={{
              '--from': ((sinceMs - (endMs - dayMs)) / dayMs).toFixed(4),
              '--length': ((untilMs - sinceMs) / dayMs).toFixed(4),
            }}
          />
        ))}
      </div>
      <p class="day-ends note" aria-hidden="true">
        <span>{minuteOf(endMs - dayMs)}</span>
        <span>{minuteOf(endMs)}</span>
      </p>
      <ul>{episodes.slice(0, shownMax).map(episodeItem)}</ul>
      {episodes.length > shownMax && <p class="quiet">and {plural(episodes.length - shownMax, 'earlier incident')}</p>}
    </Section>
  );
}

function episodeItem({ key, sinceMs, untilMs, leading, incidents }: Episode): VNode {
  const more = incidents.length - leading.length;
  return (
    <li key={key} class="row">
      <span class="time">
        {minuteOf(sinceMs)}–{untilMs === undefined ? 'now' : minuteOf(untilMs)}
      </span>
      {leading.map((incident) => (
        <span key={sliceId(incident.slice)}>
          <Action action="watch" id={targetOf({ id: sliceId(incident.slice), slice: incident.slice })} class="link">
            <Name text={nameOf(incident)} />
          </Action>
          , {changeText(incident)}
        </span>
      ))}
      {more > 0 && (
        <details class="note">
          <summary>{plural(more, 'more alarm')} of that time</summary>
          <ul>
            {incidents
              .filter((incident) => !leading.includes(incident))
              .map((incident) => (
                <li key={`${sliceId(incident.slice)} ${incident.watch} ${incident.since}`}>
                  {minuteOf(Date.parse(incident.since))} <Name text={nameOf(incident)} />, {changeText(incident)}
                </li>
              ))}
          </ul>
        </details>
      )}
    </li>
  );
}

function changeText({ watch, before, baseline, rate }: Incident): string {
  const value = (bad: number): string => percent(valueOfBad(watch, bad));
  return `${titleInSentence(watch)} ${value(before?.value ?? baseline)} → ${value(rate.value)}`;
}

function minuteOf(ms: number): string {
  return timeOfDay(ms).slice(0, 5);
}
