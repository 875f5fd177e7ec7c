import { dimensionLabel } from '../../state/dimension.ts';
import { createDesigns } from '../../statistics/watch-design.ts';
import { causeText } from '../../view/cause-text.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';
import { groupKey } from '../../view/fold-groups.ts';
import type { View, WatchReading } from '../../view/summary.ts';
import { alarmsOf, type Incident, incidentsOf, isOpen } from '../../view/incidents.ts';
import { isSameIncident } from '../../statistics/watch-run.ts';
import { gaugeMetric, labelPairs, type Metric, type Section, type Series } from './text.ts';

const ofWatch = ['watch', 'slice', '<dimensions>'];
const gauge = (name: string, unit: string, help: string, labels: readonly string[] = ofWatch): Metric =>
  gaugeMetric(`watch_${name}`, unit, help, labels);

interface WatchGauge {
  readonly metric: Metric;
  /** Shown also of a group that the metrics do not show, while it fires. */
  readonly ofAlarm?: true;
  /** Values with the labels behind those of the watch; none where there is nothing to say. */
  of(reading: WatchReading): readonly (readonly [labels: string, value: number])[];
}

const one = (value: number | undefined): readonly (readonly [string, number])[] =>
  value === undefined ? [] : [['', value]];

/** Gauges of watches, in the order of the text: what an alert needs comes first. */
const watchGauges: readonly WatchGauge[] = [
  {
    ofAlarm: true,
    metric: gauge('firing', '1', 'Whether the rate has left its baseline for the worse: 1 while it fires.'),
    of: ({ firing }) => one(firing ? 1 : 0),
  },
  {
    ofAlarm: true,
    metric: gauge('since_timestamp_seconds', 'seconds', 'While it fires: when the rate went up, event time.'),
    of: ({ span }) => one(span && span.sinceMs / 1000),
  },
  {
    ofAlarm: true,
    metric: gauge('rate', '1', 'While it fires: share of bad cases since the rate went up, until the last bad pane.'),
    of: ({ span }) => one(span && span.bad / span.n),
  },
  {
    ofAlarm: true,
    metric: gauge('cases', 'cases', 'While it fires: cases since the rate went up, until the last bad pane.'),
    of: ({ span }) => one(span?.n),
  },
  {
    ofAlarm: true,
    metric: gauge('recovering', '1', 'While it fires and the rate is down again: share of bad cases since then.'),
    of: ({ recovery }) => one(recovery && recovery.bad / recovery.n),
  },
  {
    ofAlarm: true,
    metric: gauge('before', '1', 'While it fires: share of bad cases of the reference span.'),
    of: ({ firing, before }) => one(firing ? before && before.bad / before.n : undefined),
  },
  {
    ofAlarm: true,
    metric: gauge('cause', '1', 'While it fires: the first cause, and its share of the change of the rate.', [
      ...ofWatch,
      'cause',
    ]),
    of: ({ causes: [first] }) =>
      first ? [[`,${labelPairs([['cause', causeText(first)]])}`, first.byRate + first.byMix]] : [],
  },
  {
    ofAlarm: true,
    metric: gauge('baseline', '1', 'Share of bad cases while all is well, configured or learned.'),
    of: ({ design }) => one(design?.baseline),
  },
  {
    metric: gauge('learning', '1', 'Whether there is no baseline yet, or no rate of cases: it cannot fire.'),
    of: ({ design }) => one(design === undefined ? 1 : 0),
  },
  {
    metric: gauge('statistic', 'cases', 'The Bernoulli CUSUM; it fires from assay_watch_threshold on.'),
    of: ({ design, statistic }) => one(design && statistic),
  },
  {
    metric: gauge('threshold', 'cases', 'Threshold of assay_watch_statistic.'),
    of: ({ design }) => one(design?.threshold),
  },
  {
    ofAlarm: true,
    metric: gauge(
      'false_alarm_cases',
      'cases',
      'Mean number of cases between false alarms at the baseline; exact where runs are independent.',
    ),
    of: ({ design }) => one(design?.falseAlarmCases),
  },
  {
    metric: gauge('delay_cases', 'cases', 'Mean number of cases until it fires, at the worst rate and at twice that.', [
      ...ofWatch,
      'at',
    ]),
    of: ({ design, designEffect }) =>
      design === undefined
        ? []
        : [
            [',at="worst"', design.delayCases * designEffect],
            [',at="twice_worst"', design.delayCasesAtTwice * designEffect],
          ],
  },
  {
    metric: gauge('design_effect', '1', 'What cases are divided by because runs of an example are alike.'),
    of: ({ designEffect }) => one(designEffect),
  },
];

const incidentMetric = gaugeMetric(
  'incident',
  '1',
  'While an incident goes on: 1 of the group that is worse, which has as many as it has incidents; 0 of a group that is worse because of another one.',
  ['slice', '<dimensions>', 'incident'],
);

/** The metrics of watches, in the order of the text. */
export const watchMetrics: readonly Metric[] = [incidentMetric, ...watchGauges.map(({ metric }) => metric)];

/** Watches of groups, by the values that all watches of a group share. */
export type WatchesOfGroups = ReadonlyMap<WatchReading['values'], readonly WatchReading[]>;

/** Sorts watches by their groups, in the order in which these have their first. */
export function watchesOfGroups(watches: readonly WatchReading[]): WatchesOfGroups {
  const groups = new Map<WatchReading['values'], WatchReading[]>();
  for (const reading of watches) getOrPut(groups, reading.values, () => []).push(reading);
  return groups;
}

/** Sections of the watches: of the groups that the view shows, and of every group that fires what it tells. */
export function watchSections({ groups, watches }: View): Section[] {
  const shown = new Set(groups.map(groupKey));
  const series = watchGauges.map((): Series[] => []);
  for (const readings of watchesOfGroups(watches).values()) {
    const isShown = shown.has(groupKey(readings[0]!));
    for (const reading of isShown ? readings : readings.filter(({ firing }) => firing)) {
      const labels = labelPairs([['watch', reading.watch], ...groupLabels(reading)]);
      for (const [gauge, { ofAlarm, of }] of watchGauges.entries())
        if (isShown || ofAlarm)
          for (const [more, value] of of(reading)) series[gauge]!.push([`{${labels}${more}}`, value]);
    }
  }
  return [
    { metric: incidentMetric, series: incidentSeries(watches) },
    ...watchGauges.map(({ metric }, gauge) => ({ metric, series: series[gauge]! })),
  ];
}

/** The incidents that go on, then the groups that are worse because of one and have none of their own. */
function incidentSeries(watches: readonly WatchReading[]): Series[] {
  const incidents = incidentsOf(alarmsOf(watches));
  const series = new Map<string, Series>();
  const put = (group: Pick<WatchReading, 'dimensions' | 'values'>, number: number, value: 0 | 1): void => {
    const labels = `{${labelPairs([...groupLabels(group), ['incident', `${number}`]])}}`;
    if (!series.has(labels)) series.set(labels, [labels, value]);
  };
  const numbers = numbersOf(incidents);
  for (const [incident, number] of numbers) if (isOpen(incident)) put(incident, number, 1);
  const own = new Set(incidents.filter(isOpen).map(groupKey));
  for (const group of incidents.flatMap(({ also }) => also.filter(isOpen)))
    if (!own.has(groupKey(group))) put(group, 1, 0);
  return [...series.values()];
}

/**
 * The number of each incident within its group, from 1, by begin: it keeps it whatever other incidents begin and end. A number is free again half an hour
 * after the end, when the alert is.
 */
function numbersOf(incidents: readonly Incident[]): ReadonlyMap<Incident, number> {
  const numbers = new Map<Incident, number>();
  const byGroup = new Map<string, Incident[]>();
  for (const incident of incidents) {
    const before = getOrPut(byGroup, groupKey(incident), () => []);
    const taken = before
      .filter(({ endMs }) => endMs === undefined || isSameIncident(endMs, incident.beginMs))
      .map((other) => numbers.get(other)!);
    let number = 1;
    while (taken.includes(number)) number++;
    numbers.set(incident, number);
    before.push(incident);
  }
  return numbers;
}

function groupLabels({ dimensions, values }: Pick<WatchReading, 'dimensions' | 'values'>): [string, string][] {
  return [
    ['slice', dimensions.join(',')],
    ...dimensions.map((dimension, at): [string, string] => [dimensionLabel(dimension), values[at]!]),
  ];
}

/** Number of series of a watch whose group is shown, at most with the one of an incident: all that do not fire have as many, with a design or without. */
export function seriesOfWatch(reading: WatchReading): number {
  if (reading.firing) return seriesOf(reading) + 1;
  return reading.design === undefined ? seriesLearning : seriesWell;
}

const seriesOf = (reading: WatchReading): number =>
  watchGauges.reduce((total, { of }) => total + of(reading).length, 0);
const unwatched = {
  watch: '',
  dimensions: [],
  values: [],
  firing: false,
  designEffect: 1,
  statistic: 0,
  span: undefined,
  recovery: undefined,
  before: undefined,
  causes: [],
  incidents: [],
};
const seriesLearning = seriesOf({ ...unwatched, design: undefined });
const seriesWell = seriesOf({ ...unwatched, design: createDesigns()(0.01, 0.05, 1_000)! });

/** Number of series of a watch that fires, and whose group is not shown. */
export function seriesOfAlarm(reading: WatchReading): number {
  return watchGauges.reduce((total, { of, ofAlarm }) => total + (ofAlarm ? of(reading).length : 0), 1);
}
