import { writeOutput } from '../../adapters/files/output.ts';
import { summaryDocument } from '../../formats/summary/summary-document.ts';
import { type Incident, type PlainWatch, incidentOf, plainWatch } from '../../formats/summary/watch-document.ts';
import type { PartitionState } from '../../state/partition.ts';
import { UsageError } from '../../errors.ts';
import type { WatchReading } from '../../view/summary.ts';
import { type Alarm, addReadings, noAlarms } from '../../view/watch-alarms.ts';
import { watchReadings } from '../../view/watches.ts';
import { contextOf, version } from '../../documents/context.ts';
import { foldHistory } from './fold-history.ts';
import type { ScoredEventsOptions } from '../../service/scored-events.ts';
import { settingsOf } from '../../config/settings.ts';
import { printable, widthOf, wrapped } from '../../terminal/terminal-text.ts';
import { textTable } from '../../terminal/text-table.ts';
import { endView } from '../../service/end-view.ts';
import { watcherOf } from '../../service/watches.ts';

export interface BacktestOptions extends ScoredEventsOptions {
  /** The alarms as JSON on standard output, instead of the table for people. */
  readonly json?: boolean;
  /** A summary at the end of the history, with all its alarms as incidents: what a report is made of. */
  readonly summary?: string;
}

/** An alarm of the history, with what was known when it last fired. */
interface PlainAlarm extends Incident, Pick<PlainWatch, 'causes'> {}

/** The alarms that history would have given: the watches are read whenever the finest pane has ended. Resolves with the exit status. */
export async function watchBacktest(options: BacktestOptions): Promise<number> {
  const { config, json, summary } = options;
  const settings = settingsOf(config, undefined);
  const watcher = watcherOf(config, settings);
  if (watcher === undefined) throw new UsageError('watch backtest: nothing is watched; see watches and time.windows');
  const alarms = noAlarms();
  let fromMs = Number.NaN;
  let last: readonly WatchReading[] = [];
  const state = await foldHistory(options, {
    onPane(now, asOfMs) {
      if (Number.isNaN(fromMs)) fromMs = asOfMs;
      last = watchReadings(watcher, [now], asOfMs);
      addReadings(alarms, last, asOfMs);
    },
  });
  const { greatestTs } = state.numbers;
  const found = alarms.all.map(plainAlarm);
  const days = Number.isNaN(fromMs) ? 0 : (greatestTs - fromMs) / 86_400_000;
  const learning = last.filter(({ design }) => design === undefined).length;
  if (json) process.stdout.write(`${JSON.stringify(alarmsDocument(found, fromMs, greatestTs))}\n`);
  else process.stdout.write(alarmsText(found, { days, watches: last.length, learning }));
  if (summary !== undefined) await writeOutput(summary, `${JSON.stringify(summaryOf(options, state, found))}\n`);
  return 0;
}

function plainAlarm({ beginMs, endMs, reading }: Alarm): PlainAlarm {
  const { causes } = plainWatch(reading, () => []);
  return { ...incidentOf(reading, { ...reading.incidents.at(-1)!, beginMs, endMs }), causes };
}

function alarmsDocument(alarms: readonly PlainAlarm[], fromMs: number, toMs: number) {
  const time = (ms: number): string | null => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);
  return { format: 'assay.alarms/1', version, from: time(fromMs), to: time(toMs), alarms };
}

function summaryOf(
  { config }: BacktestOptions,
  state: PartitionState,
  alarms: readonly PlainAlarm[],
): Record<string, unknown> {
  const view = endView([state], state.numbers.greatestTs, { config });
  const incidents = alarms.map(({ causes: _, ...incident }) => incident);
  return { ...summaryDocument(view, contextOf(config, null, [])), incidents };
}

interface About {
  readonly days: number;
  readonly watches: number;
  readonly learning: number;
}

/** Two lines an alarm, or more: a table, and below each row what is too wide for it. */
function alarmsText(alarms: readonly PlainAlarm[], { days, watches, learning }: About): string {
  const rows = alarms.map(({ since, watch, rate, before }) => [
    minuteText(since),
    watch,
    `${before === null ? '?' : percent(before.value)} → ${percent(rate.value)}`,
  ]);
  const [head, ...lines] = textTable([['since', 'watch', 'bad cases'], ...rows]).split('\n');
  const table = [
    head!,
    ...lines.flatMap((line, at) => [line, ...wrapped(restOf(alarms[at]!), '    ', widthOf(process.stdout))]),
    '',
  ];
  const learned = learning === 0 ? '' : `, of which ${learning} have not enough to learn a baseline from`;
  return [
    ...(rows.length === 0 ? [] : table),
    `${alarms.length} alarms in ${days.toFixed(1)} days of event time; ${watches} watches${learned}.`,
    '',
  ].join('\n');
}

function restOf({ slice, begin, end, causes }: PlainAlarm): string {
  const group = Object.entries(slice).map((entry) => entry.join('='));
  const ended = end === null ? 'which goes on' : `to ${minuteText(end)}`;
  const cause = causes[0] === undefined ? [] : [`first cause: ${causes[0].text}`];
  return printable([group.join(',') || 'total', `alarm ${minuteText(begin)} ${ended}`, ...cause].join('; '));
}

/** `2026-05-01 12:00:10` */
function minuteText(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

function percent(rate: number): string {
  return `${(100 * rate).toFixed(1)} %`;
}
