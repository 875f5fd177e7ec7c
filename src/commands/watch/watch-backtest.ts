import { writeOutput } from '../../adapters/files/output.ts';
import { summaryDocument } from '../../formats/summary/summary-document.ts';
import { type PlainIncident, plainIncident } from '../../formats/summary/incident-document.ts';
import { programName } from '../../name.ts';
import type { PartitionState } from '../../state/partition.ts';
import { UsageError } from '../../errors.ts';
import type { WatchReading } from '../../view/summary.ts';
import { clearestOf, type Incident, incidentsOf } from '../../view/incidents.ts';
import { changeText, groupText, minuteText, shareText } from '../../formats/summary/incident-text.ts';
import { addReadings, isChangedBy, noAlarms, watchedAlarms } from '../../view/watch-alarms.ts';
import { watchReadings } from '../../view/watches.ts';
import { contextOf, version } from '../../documents/context.ts';
import { foldHistory } from './fold-history.ts';
import type { ScoredEventsOptions } from '../../service/scored-events.ts';
import { settingsOf } from '../../config/settings.ts';
import { printable, widthOf, wrapped } from '../../terminal/terminal-text.ts';
import { textTable } from '../../terminal/text-table.ts';
import { endView } from '../../service/end-view.ts';
import { watchedOnly, watcherOf } from '../../service/watches.ts';

export interface BacktestOptions extends ScoredEventsOptions {
  /** The incidents as JSON on standard output, instead of the table for people. */
  readonly json?: boolean;
  /** A summary at the end of the history, with all its incidents: what a report is made of. */
  readonly summary?: string;
}

/** The incidents that history would have given: the watches are read whenever the finest pane has ended. Resolves with the exit status. */
export async function watchBacktest(options: BacktestOptions): Promise<number> {
  const { json, summary } = options;
  const config = summary === undefined ? watchedOnly(options.config) : options.config;
  const settings = settingsOf(config, undefined);
  const watcher = watcherOf(config, settings);
  if (watcher === undefined) throw new UsageError('watch backtest: nothing is watched; see watches and time.windows');
  const alarms = noAlarms();
  let fromMs = Number.NaN;
  let last: readonly WatchReading[] = [];
  const state = await foldHistory(
    { ...options, config },
    {
      onPane(now, asOfMs) {
        if (Number.isNaN(fromMs)) fromMs = asOfMs;
        last = watchReadings(watcher, [now], asOfMs, false);
        // To find the causes takes longer than all else: they are needed of an alarm as it ended.
        if (isChangedBy(alarms, last)) addReadings(alarms, watchReadings(watcher, [now], asOfMs), asOfMs);
      },
    },
  );
  const { greatestTs } = state.numbers;
  if (last.length > 0) addReadings(alarms, watchReadings(watcher, [state], greatestTs), greatestTs);
  const found = incidentsOf(watchedAlarms(alarms));
  const days = Number.isNaN(fromMs) ? 0 : (greatestTs - fromMs) / 86_400_000;
  const learning = last.filter(({ design }) => design === undefined).length;
  if (json) process.stdout.write(`${JSON.stringify(incidentsJson(found, fromMs, greatestTs))}\n`);
  else process.stdout.write(incidentsText(found, { days, watches: last.length, learning }));
  if (summary !== undefined) await writeOutput(summary, `${JSON.stringify(summaryOf(options, state, found))}\n`);
  return 0;
}

function incidentsJson(incidents: readonly Incident[], fromMs: number, toMs: number) {
  const time = (ms: number): string | null => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);
  return {
    format: `${programName}.incidents/1`,
    version,
    from: time(fromMs),
    to: time(toMs),
    incidents: plain(incidents),
  };
}

function plain(incidents: readonly Incident[]): PlainIncident[] {
  return incidents.map((incident) => plainIncident(incident, () => []));
}

function summaryOf(
  { config }: BacktestOptions,
  state: PartitionState,
  incidents: readonly Incident[],
): Record<string, unknown> {
  const view = endView([state], state.numbers.greatestTs, { config });
  return { ...summaryDocument(view, contextOf(config, null, [])), incidents: plain(incidents) };
}

interface About {
  readonly days: number;
  readonly watches: number;
  readonly learning: number;
}

/** The incidents as text for people, with how much was watched for how long. */
function incidentsText(incidents: readonly Incident[], { days, watches, learning }: About): string {
  const learned = learning === 0 ? '' : `, of which ${learning} have not enough to learn a baseline from`;
  const number = `${incidents.length} ${incidents.length === 1 ? 'incident' : 'incidents'}`;
  return [
    ...incidents.flatMap((incident) => [...linesOf(incident), '']),
    `${number} in ${days.toFixed(1)} days of event time; ${watches} watches${learned}.`,
    '',
  ].join('\n');
}

function linesOf(incident: Incident): string[] {
  const { sinceMs, beginMs, endMs, alarms, also } = incident;
  const name = groupText(incident);
  const ended = endMs === undefined ? 'and goes on' : `to ${minuteText(endMs)}`;
  const rates = alarms.map((one) => [
    `  ${one.reading.watch}`,
    changeText(one),
    `since ${minuteText(one.alarm.sinceMs)}`,
  ]);
  const causes = (clearestOf(incident).alarm.causes ?? []).map(shareText);
  const below = [
    ...(causes.length === 0 ? [] : [`due to ${causes.join(', ')}`]),
    ...(also.length === 0 ? [] : [`also worse because of ${name}: ${also.map(groupText).join(', ')}`]),
  ];
  return [
    printable(`${name} is worse since ${minuteText(sinceMs)}, alarm ${minuteText(beginMs)} ${ended}`),
    ...textTable(rates).split('\n').filter(Boolean).map(printable),
    ...below.flatMap((text) => wrapped(printable(text), '  ', widthOf(process.stdout))),
  ];
}
