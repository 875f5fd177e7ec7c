import type { CountHistory, LiveDocument } from '../../src/formats/summary/live-document.ts';
import { count, duration, plural, printable } from './format.ts';

/** A problem of the service. */
export interface Notice {
  readonly key: string;
  readonly title: string;
  readonly text: string;
}

/** More waits than was read in a minute: it will not be caught up with soon. */
const lagSpanPoints = 12;

/** Records of all partitions that are not read yet. */
export function lagOf({ service }: LiveDocument): number {
  return service?.partitions.reduce((sum, { lag }) => sum + (lag ?? 0), 0) ?? 0;
}

/** The problems of the service, the worst first. */
export function noticesOf(document: LiveDocument, history: CountHistory | undefined): readonly Notice[] {
  const { service } = document;
  if (service === null) return [];
  const failing = service.checks.filter(({ ok }) => !ok);
  const lag = lagOf(document);
  const lately = (history?.ingest ?? []).filter((point) => point !== null).slice(-lagSpanPoints);
  const read = lately.reduce((sum, [records]) => sum + records, 0);
  const isBehind = lately.length === lagSpanPoints && lag > read;
  return [
    ...failing.map(({ name, detail }) => ({ key: `check ${name}`, title: name, text: printable(detail) })),
    ...(isBehind ? [{ key: 'lag', title: 'behind', text: behindText(lag, read, history!.every_ms) }] : []),
    ...(service.lost_records > 0 ? [{ key: 'lost', title: 'records lost', text: lostText(service.lost_records) }] : []),
    ...Object.entries(service.limits).map(([name, times]) => ({
      key: `limit ${name}`,
      title: 'limit reached',
      text: `limits.${name}, ${count(times)} times since the start`,
    })),
  ];
}

function behindText(lag: number, read: number, everyMs: number): string {
  return `${count(lag)} records wait, ${count(read)} were read in the last ${duration(lagSpanPoints * everyMs)}`;
}

function lostText(records: number): string {
  return `the log no longer had ${plural(records, 'record')} that had not been read`;
}

/** Why nothing can be said to stand out, or that nothing does. */
export function calmText({ records, watching }: LiveDocument): string {
  if ((records?.scored ?? 0) === 0 && (watching?.watched ?? 0) === 0)
    return 'Nothing is scored yet, so nothing can be said.';
  if (watching === null || watching.watched === 0) return 'Every check holds. No rate is watched (watches).';
  const { watched, learning } = watching;
  const usual = 'what is usual, from 200 cases that are more than an hour old, before they can alarm';
  if (learning === watched) return `Every check holds. All ${plural(watched, 'watched rate')} still learn ${usual}.`;
  const calm = 'Nothing stands out: every check holds, and no watched rate has become worse.';
  if (learning === 0) return calm;
  return `${calm} ${count(learning)} of ${plural(watched, 'watched rate')} still learn ${usual}.`;
}
