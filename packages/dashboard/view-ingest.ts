import type { RecordCounts } from '../../src/view/summary.ts';
import type { HistoryValue } from '../../src/formats/summary/history.ts';
import type { CountHistory, PartitionStanding, WindowCounts } from '../../src/formats/summary/live-document.ts';
import { count, dateAndTime, duration, percent, printable, timeOfDay } from './format.ts';
import type { Picture } from './state.ts';
import { nameNode, sparkline } from './view-parts.ts';
import { windowText } from './view-total.ts';
import { h, type VNode } from './vnode.ts';

/** What became of the records, how much of the traffic the numbers cover, and how the service stands. */
export function ingestView(picture: Picture): VNode | undefined {
  const { document, counts } = picture;
  const { service, records, windows_counts: windows } = document;
  if (service === null && records === null) return undefined;
  return h(
    'section',
    { class: 'ingest', key: 'ingest' },
    h('h2', {}, picture.isReport ? 'Records' : 'Ingest'),
    counts !== undefined && flowView(counts, picture),
    h(
      'div',
      { class: 'columns' },
      records !== null && recordsView(records),
      windows.length > 0 && coverageView(windows),
      service !== null && checksView(picture),
    ),
    service !== null && service.partitions.length > 0 && partitionsView(service.partitions, document.at),
  );
}

function flowView(history: CountHistory, { document }: Picture): VNode {
  const seconds = history.every_ms / 1000;
  const { ingest } = history;
  const last = ingest.at(-1);
  const lag = (document.service?.partitions ?? []).reduce((sum, partition) => sum + (partition.lag ?? 0), 0);
  const flows = [
    {
      name: 'Records read a second',
      now: last === undefined ? 0 : Math.round(last[0] / seconds),
      values: ingest.map(([read]) => read / seconds),
    },
    {
      name: 'Waiting for their truth',
      now: document.records?.pending ?? 0,
      values: ingest.map(([, pending]) => pending),
    },
    { name: 'Lag, records not read yet', now: lag, values: ingest.map(([, , behind]) => behind) },
  ];
  return h(
    'dl',
    { class: 'tiles flows' },
    flows.map(({ name, now, values }) =>
      h(
        'div',
        { class: 'tile', key: name },
        h('dt', {}, name),
        h('dd', { class: 'big' }, h('span', { class: 'value' }, count(now))),
        h('dd', { class: 'trend' }, sparkline(values.map(plainValue), 'lower', `${name}, over time`) ?? ''),
      ),
    ),
  );
}

function plainValue(value: number): HistoryValue {
  return { value, lower: null, upper: null, counts: undefined };
}

const recordTitles: readonly (readonly [
  key: 'read' | 'scored' | 'pending' | 'expired' | 'duplicates' | 'late' | 'unverified' | 'calls_not_recorded',
  title: string,
])[] = [
  ['read', 'Read'],
  ['scored', 'Scored'],
  ['pending', 'Waiting for their truth'],
  ['expired', 'No truth came in time'],
  ['duplicates', 'Duplicates'],
  ['late', 'Late'],
  ['unverified', 'Not verified'],
  ['calls_not_recorded', 'Calls not recorded'],
];

function recordsView(records: RecordCounts): VNode {
  const rejected = Object.entries(records.rejected);
  const rows = [
    ...recordTitles.map(([key, title]) => ({ key: `records.${key}`, title, number: records[key] })),
    ...rejected.map(([code, number]) => ({
      key: `records.rejected.${code}`,
      title: `Refused: ${code.replaceAll('_', ' ')}`,
      number: number!,
    })),
  ];
  return h(
    'div',
    { class: 'block' },
    h('h3', {}, 'What became of the records'),
    h(
      'dl',
      { class: 'pairs' },
      rows
        .filter(({ number }, at) => at < 2 || number > 0)
        .map(({ key, title, number }) =>
          h(
            'div',
            { key },
            h('dt', {}, title),
            h('dd', { 'data-path': key, 'data-value': String(number) }, count(number)),
          ),
        ),
    ),
  );
}

function coverageView(windows: readonly WindowCounts[]): VNode {
  return h(
    'div',
    { class: 'block' },
    h('h3', {}, 'How much of it is scored'),
    h(
      'table',
      { class: 'list' },
      h('caption', { class: 'hidden-text' }, 'Predictions by window: scored, waiting, expired'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ['Window', 'Scored', 'Waiting', 'Expired', 'Coverage'].map((title, at) =>
            h('th', { scope: 'col', class: at === 0 ? undefined : 'number' }, title),
          ),
        ),
      ),
      h(
        'tbody',
        {},
        windows.map(({ window, scored, pending, expired }) => {
          const total = scored + pending + expired;
          return h(
            'tr',
            { key: window },
            h('th', { scope: 'row' }, windowText(window)),
            [scored, pending, expired].map((number) => h('td', { class: 'number' }, count(number))),
            h('td', { class: 'number' }, percent(total === 0 ? null : scored / total)),
          );
        }),
      ),
    ),
  );
}

function checksView({ document }: Picture): VNode {
  const { checks, checkpoint_at: checkpoint, truth_reload_failures: failures } = document.service!;
  return h(
    'div',
    { class: 'block' },
    h('h3', {}, 'Checks'),
    h(
      'ul',
      { class: 'checks' },
      checks.map(({ name, ok, detail }) =>
        h(
          'li',
          { key: name, class: ok ? undefined : 'is-alarm' },
          h(
            'span',
            { class: 'mark' },
            ok ? '✓' : '▲',
            h('span', { class: 'hidden-text' }, ok ? 'holds: ' : 'does not hold: '),
          ),
          h('strong', {}, name),
          ' ',
          h('span', { class: 'quiet' }, printable(detail)),
        ),
      ),
      h(
        'li',
        { key: 'checkpoint' },
        h('span', { class: 'mark' }),
        h('strong', {}, 'checkpoint'),
        ' ',
        checkpointText(checkpoint, document.at),
      ),
      document.truth !== null &&
        h(
          'li',
          { key: 'truth rows' },
          h('span', { class: 'mark' }),
          h('strong', {}, 'truth'),
          ' ',
          h(
            'span',
            { class: 'quiet' },
            `${count(document.truth.rows)} rows, version ${document.truth.version.slice(0, 12)}${failures > 0 ? `, ${count(failures)} failed loads` : ''}`,
          ),
        ),
    ),
  );
}

function checkpointText(checkpoint: string | null, at: string): VNode {
  if (checkpoint === null) return h('span', { class: 'quiet' }, 'none yet');
  const age = duration(Math.max(0, new Date(at).getTime() - new Date(checkpoint).getTime()));
  return h('span', { class: 'quiet', title: dateAndTime(checkpoint) }, `${age} ago`);
}

function partitionsView(partitions: readonly PartitionStanding[], at: string): VNode {
  return h(
    'details',
    { class: 'partitions' },
    h('summary', {}, `Partitions (${partitions.length})`),
    h(
      'table',
      { class: 'list' },
      h('caption', { class: 'hidden-text' }, 'Partitions: lag and watermark'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, 'Partition'),
          h('th', { scope: 'col', class: 'number' }, 'Lag'),
          h('th', { scope: 'col', class: 'number' }, 'Watermark'),
        ),
      ),
      h(
        'tbody',
        {},
        partitions.map(({ name, lag, watermark }) =>
          h(
            'tr',
            { key: name },
            h('th', { scope: 'row' }, nameNode(printable(name))),
            h('td', { class: 'number' }, lag === null ? '–' : count(lag)),
            h(
              'td',
              { class: 'number', title: watermark === null ? undefined : dateAndTime(watermark) },
              watermark === null ? '–' : watermarkText(watermark, at),
            ),
          ),
        ),
      ),
    ),
  );
}

function watermarkText(watermark: string, at: string): string {
  return `${timeOfDay(watermark)} (${duration(Math.max(0, new Date(at).getTime() - new Date(watermark).getTime()))} ago)`;
}
