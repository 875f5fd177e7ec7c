import { unknownName } from '../../state/dimension.ts';
import { causeText } from '../../view/cause-text.ts';
import { valueOfBad } from '../../view/declared.ts';
import { usualOf, type WatchedAlarm } from '../../view/group-incidents.ts';
import { clearestOf, type Incident } from '../../view/incidents.ts';
import type { Cause, Group } from '../../view/summary.ts';

/** Rates and groups that a sentence names; the others are counted. */
const namedMost = 3;

/** An incident in a few sentences: who, which rates from what to what, since when, due to what, and who else because of it. */
export function incidentText(incident: Incident): string {
  const name = groupText(incident);
  const rates = incident.alarms.map((one) => `${one.reading.watch} ${changeText(one)}`);
  const [cause] = clearestOf(incident).alarm.causes ?? [];
  const due = cause === undefined ? '' : `, due to ${shareText(cause)}`;
  const also =
    incident.also.length === 0 ? '' : ` Also worse because of ${name}: ${listed(incident.also.map(groupText))}.`;
  return `${name} is worse since ${minuteText(incident.sinceMs)} UTC: ${listed(rates)}${due}.${also}`;
}

/** The name of a group within a sentence; what has no name is told by its dimension: `agent unknown`. */
export function groupText({ dimensions, values }: Pick<Group, 'dimensions' | 'values'>): string {
  if (values.length === 0) return 'all traffic';
  const named = (value: string, at: number): string =>
    value === unknownName ? `${dimensions[at]} ${unknownName}` : value || '(none)';
  return values.map(named).join(' · ');
}

/** From what to what a rate went: `0.4 % → 81.0 %`. */
export function changeText({ reading, alarm }: WatchedAlarm): string {
  const value = (bad: number): string => percent(valueOfBad(reading.watch, bad));
  return `${value(usualOf(reading))} → ${value(alarm.bad / alarm.n)}`;
}

/** A cause with its share: `model atlas-mini (93 % of the change)`. */
export function shareText(cause: Cause): string {
  return `${causeText(cause)} (${Math.round(100 * (cause.byRate + cause.byMix))} % of the change)`;
}

/** `2026-05-01 12:00` in UTC. */
export function minuteText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** Some texts as a list in a sentence. */
export function listed(texts: readonly string[]): string {
  const rest = texts.length - namedMost;
  return rest <= 0 ? texts.join(', ') : `${texts.slice(0, namedMost).join(', ')} and ${rest} more`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
