import type { VNode } from 'preact';
import type {
  CountHistory,
  LiveDocument,
  PartitionStanding,
  ServiceState,
} from '../../src/formats/summary/live-document.ts';
import type { WindowCounts } from '../../src/state/window-counts.ts';
import type { RecordCounts } from '../../src/view/summary.ts';
import { ago, count, coverageShare, dateAndTime, percent, printable, timeOfDay, windowText } from './format.ts';
import { lagOf } from './notices.ts';
import { Name, Pairs, Row, Scroll, Section, Sparkline, Table } from './parts.tsx';
import type { Shown } from './state.ts';

/** The fate of the records, the share of the traffic that the numbers cover, and the state of the service. */
export function IngestView({ picture: { document, counts } }: Shown): VNode | null {
  const { service, records, windows_counts: windows, at } = document;
  if (service === null && records === null) return null;
  return (
    <div class="ingest">
      {counts !== undefined && flowTiles(counts, document)}
      <div class="columns">
        {records !== null && recordsBlock(records)}
        {windows.length > 0 && coverageBlock(windows)}
        {service !== null && checksBlock(service, document)}
      </div>
      {service !== null && service.partitions.length > 0 && partitionsTable(service.partitions, at)}
    </div>
  );
}

function flowTiles({ ingest, every_ms: everyMs }: CountHistory, document: LiveDocument): VNode {
  const reads = ingest.map((point) => point && (1000 * point[0]) / everyMs);
  const pending = ingest.map((point) => point?.[1] ?? null);
  const flows = [
    { title: 'Records read a second', now: Math.round(reads.at(-1) ?? 0), values: reads },
    { title: 'Waiting for their truth', now: document.records?.pending ?? 0, values: pending },
    { title: 'Lag, records not read yet', now: lagOf(document), values: ingest.map((point) => point?.[2] ?? null) },
  ];
  return (
    <dl class="tiles flows">
      {flows.map(({ title, now, values }) => {
        const points = values.map((value) => ({ value, lower: null, upper: null, counts: undefined }));
        return (
          <div key={title} class="tile">
            <dt>{title}</dt>
            <dd class="big">{count(now)}</dd>
            <dd class="trend">
              <Sparkline values={points} better="lower" label={`${title}, over time`} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const recordTitles: Readonly<Record<Exclude<keyof RecordCounts, 'rejected' | 'unscored'>, string>> = {
  read: 'Read',
  scored: 'Scored',
  pending: 'Waiting for their truth',
  expired: 'No truth came in time',
  duplicates: 'Duplicates',
  open_runs: 'Runs that are open',
  steps: 'Steps of runs',
  runs: 'Runs of several steps',
  late: 'Late',
  unverified: 'Not verified',
  judgements: 'Judgements added up; a part of scored.',
  feedback: 'Feedback that reached an event',
  calls_not_recorded: 'Calls not recorded',
  malformed_calls: 'Calls malformed',
  unread_calls: 'With calls that nothing read',
};

const recordHelps: Readonly<Record<string, string>> = {
  pending: 'no truth of this example is known yet',
  expired: 'join.truth_wait is over; not scored',
  duplicates: 'an event_id that was seen before; not counted again',
  open_runs: 'further steps may come; not scored yet',
  steps: 'spans or answers that others make a run with',
  late: 'came after every window that holds its time; counted in all time only',
  unverified: 'too old to tell whether it is a duplicate (dedupe.window); counted',
  calls_not_recorded: 'the record says nothing of calls; families of calls leave it out',
};

function recordsBlock(records: RecordCounts): VNode {
  const kept = (Object.keys(recordTitles) as (keyof typeof recordTitles)[]).map(
    (key) => [key, recordTitles[key], records[key]] as const,
  );
  const refused = Object.entries(records.rejected).map(
    ([code, number]) => [`rejected.${code}`, `Refused: ${code.replaceAll('_', ' ')}`, number!] as const,
  );
  const pairs = [...kept, ...refused]
    .filter(([, , number], at) => at < 2 || number > 0)
    .map(([key, title, number]) => {
      const help = recordHelps[key];
      return { path: `records.${key}`, title, of: number, text: count(number), ...(help !== undefined && { help }) };
    });
  return (
    <Section level={4} title="What became of the records">
      <Pairs caption="Records by what became of them" pairs={pairs} />
    </Section>
  );
}

function coverageBlock(windows: readonly WindowCounts[]): VNode {
  return (
    <Section level={4} title="How much of it is scored">
      <Scroll label="Predictions by window">
        <Table
          caption="Predictions by window: scored, waiting, expired, refused"
          isCaptionHidden
          titles={['Window', 'Scored', 'Waiting', 'Expired', 'Refused', 'Coverage']}
        >
          {windows.map((counts) => (
            <Row key={counts.window} head={windowText(counts.window)}>
              <td class="number">{count(counts.scored)}</td>
              <td class="number">{count(counts.pending)}</td>
              <td class="number">{count(counts.expired)}</td>
              <td class="number">{count(counts.rejected)}</td>
              <td class="number">{percent(coverageShare(counts))}</td>
            </Row>
          ))}
        </Table>
      </Scroll>
    </Section>
  );
}

function checksBlock(service: ServiceState, { at, truth }: LiveDocument): VNode {
  const { checks, checkpoint_at: checkpoint, truth_reload_failures: failures } = service;
  const failed = failures > 0 ? `, ${count(failures)} failed loads` : '';
  return (
    <Section level={4} name="checks" title="Checks">
      <Table caption="Checks of the service" isCaptionHidden>
        {checks.map(({ name, ok, detail }) => check(name, printable(detail), ok))}
        {check('checkpoint', checkpoint === null ? 'none yet' : ago(checkpoint, at))}
        {truth !== null && check('truth', `${count(truth.rows)} rows, version ${truth.version.slice(0, 12)}${failed}`)}
      </Table>
    </Section>
  );
}

/** `ok` is undefined for what can neither hold nor fail. */
function check(name: string, text: string, ok?: boolean): VNode {
  return (
    <tr key={`${name} ${ok === undefined}`} class={ok === false ? 'is-alarm' : undefined}>
      <th scope="row">
        <span class="mark">
          {ok !== undefined && (ok ? '✓' : '▲')}
          {ok !== undefined && <span class="hidden-text">{ok ? 'holds: ' : 'does not hold: '}</span>}
        </span>
        <strong>{name}</strong>
      </th>
      <td class="quiet">{text}</td>
    </tr>
  );
}

function partitionsTable(partitions: readonly PartitionStanding[], at: string): VNode {
  return (
    <details class="partitions">
      <summary>Partitions ({partitions.length})</summary>
      <Table caption="Partitions: lag and watermark" isCaptionHidden titles={['Partition', 'Lag', 'Watermark']}>
        {partitions.map(({ name, lag, watermark }) => (
          <Row key={name} head={<Name text={name} />}>
            <td class="number">{lag === null ? '–' : count(lag)}</td>
            <td class="number" title={watermark === null ? undefined : dateAndTime(watermark)}>
              {watermark === null ? '–' : `${timeOfDay(watermark)} (${ago(watermark, at)})`}
            </td>
          </Row>
        ))}
      </Table>
    </details>
  );
}
