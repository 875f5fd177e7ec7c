import type { VNode } from 'preact';
import type { PlainAlarm, PlainIncident } from '../../src/formats/summary/incident-document.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { valueOfBad } from '../../src/view/declared.ts';
import { count, percent } from './format.ts';
import { titleInSentence } from './metric-about.ts';
import { Action, Name } from './parts.tsx';
import { nameOf } from './state.ts';
import { TraceLink } from './trace-link.tsx';

/** Groups shown that are worse because of an incident. */
const alsoMax = 6;

/** Key of an incident in a list. */
export function incidentKey({ slice, watch, begin }: PlainIncident): string {
  return `${sliceId(slice)} ${watch} ${begin}`;
}

/** The value of the action `watch`: a group in its set of dimensions. */
export function targetOf(slice: PlainIncident['slice']): string {
  return `${sliceId(slice)} ${Object.keys(slice).join()}`;
}

/** The value of the action `failures`: the failed events of a rate while it was up. */
export function failuresOf(slice: PlainIncident['slice'], { watch, since, end }: PlainAlarm): string {
  return `${targetOf(slice)} ${watch},${since},${end ?? ''}`;
}

/** A link to a group, in its set of dimensions. */
export function GroupLink({ slice }: Pick<PlainIncident, 'slice'>): VNode {
  return (
    <Action action="watch" id={targetOf(slice)} class="link">
      <Name text={nameOf({ slice })} />
    </Action>
  );
}

/** From what to what a rate went. */
export function changeText({ watch, before, baseline, rate }: PlainAlarm): string {
  const value = (bad: number): string => percent(valueOfBad(watch, bad));
  return `${value(before?.value ?? baseline)} → ${value(rate.value)}`;
}

/** The counts behind a change. */
export function basisText({ rate, before, baseline }: PlainAlarm): string {
  const was = before === null ? '' : `before ${count(before.numerator)} bad of ${count(before.denominator)}, `;
  return `${count(rate.numerator)} bad of ${count(rate.denominator)} cases since then, ${was}designed for ${percent(baseline)}`;
}

interface DetailsProps {
  readonly incident: PlainIncident;
  /** Its rates but the one that is shown above. */
  readonly more: readonly PlainAlarm[];
  /** Rates lead to their failed events. */
  readonly isLink?: boolean;
}

/** The other rates of an incident, its causes, and the groups that are worse because of it. */
export function IncidentDetails({ incident, more, isLink = false }: DetailsProps): VNode {
  const lineOf = (rate: PlainAlarm): string => `${titleInSentence(rate.watch)} ${changeText(rate)}`;
  return (
    <>
      <ul>
        {more.map((rate) => (
          <li key={`${rate.watch} ${rate.since}`}>
            {isLink ? (
              <Action action="failures" id={failuresOf(incident.slice, rate)} class="link">
                {lineOf(rate)}
              </Action>
            ) : (
              lineOf(rate)
            )}
          </li>
        ))}
      </ul>
      <DueTo incident={incident} />
      <AlsoWorse incident={incident} />
    </>
  );
}

/** The causes of the change, each with an event that shows it. */
function DueTo({ incident: { due_to: causes } }: { readonly incident: PlainIncident }): VNode | null {
  if (causes.length === 0) return null;
  return (
    <p class="cause">
      Due to{' '}
      {causes.map(({ text, share, event }, at) => (
        <span key={text}>
          {at > 0 && ', '}
          <Name text={text} /> ({percent(share)} of the change
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
function AlsoWorse({ incident: { slice, also } }: { readonly incident: PlainIncident }): VNode | null {
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
