import { dimensionLabel } from '../../state/dimension.ts';
import type { ExportedView } from '../../telemetry.ts';
import { metricPoints, type PointPlan } from '../../view/metric-points.ts';
import type { Group } from '../../view/summary.ts';
import { countNames, groupStates } from './metrics-plan.ts';
import { gaugeMetric, labelPairs, labelSet, type Section, type Series } from './text.ts';

const ofPoint = ['slice', '<dimensions>', 'window', 'metric'];
const ofRuns = ['slice', '<dimensions>', 'metric'];

/** Gauges of the view, in the order of the text. */
export const viewGauges = {
  predictions: gaugeMetric(
    'window_predictions',
    'events',
    'Predictions with event time in the window, by state; a rejected one counts at the event time its partition had.',
    ['window', 'state'],
  ),
  value: gaugeMetric('window_value', '1', 'Rate, mean or score of a metric over an event-time window.', ofPoint),
  support: gaugeMetric('window_support', '1', 'Denominator of the rate or mean in assay_window_value.', ofPoint),
  stability: gaugeMetric('stability_value', '1', 'Rate or mean of a stability metric since the beginning.', ofRuns),
  stabilityGroups: gaugeMetric(
    'stability_groups',
    'groups',
    'Groups of runs since the beginning: seen, and complete with all k runs.',
    ['slice', '<dimensions>', 'state'],
  ),
  outcomes: gaugeMetric(
    'window_outcomes',
    'events',
    'Predictions with event time in the window by gold and predicted label; adds up across instances.',
    ['model', 'window', 'gold', 'predicted'],
  ),
  lower: gaugeMetric(
    'window_lower',
    '1',
    'Lower end of the Wilson interval of a rate in assay_window_value; too high where examples repeat.',
    ofPoint,
  ),
  upper: gaugeMetric(
    'window_upper',
    '1',
    'Upper end of the Wilson interval of a rate in assay_window_value; too low where examples repeat.',
    ofPoint,
  ),
  counts: gaugeMetric(
    'window_counts',
    '1',
    'A number of things over an event-time window: it adds up, as no ratio does.',
    ofPoint,
  ),
  since: gaugeMetric(
    'window_since_timestamp_seconds',
    'seconds',
    'Event time before which the numbers of a family hold nothing, although the window reaches further back.',
    ['slice', 'window', 'family'],
  ),
  stabilityCounts: gaugeMetric('stability_counts', '1', 'A number of groups or runs since the beginning.', ofRuns),
};

type Gauge = keyof typeof viewGauges;
const gaugeNames = Object.keys(viewGauges) as Gauge[];

/** Series of the view by their gauge. */
type Part = Readonly<Record<Gauge, Series[]>>;
const emptyPart = (): Part => Object.fromEntries(gaugeNames.map((name) => [name, [] as Series[]])) as Part;

/** Sections of the gauges. */
export function viewSections({ view, windows }: ExportedView, plan: PointPlan): Section[] {
  const part = emptyPart();
  addPredictions(part, windows);
  const sets = new Set<string>();
  for (const group of view.groups) {
    addSince(part, group, sets);
    addGroup(part, group, plan);
  }
  return gaugeNames.map((name) => ({ metric: viewGauges[name], series: part[name] }));
}

/** Number of series of a group, were its dimensions those given. */
export function seriesOfGroup(group: Group, dimensions: readonly string[], plan: PointPlan): number {
  const part = emptyPart();
  addGroup(part, { ...group, dimensions, values: dimensions.map(() => '') }, plan);
  return gaugeNames.reduce((total, name) => total + part[name].length, 0);
}

function addPredictions({ predictions }: Part, windows: ExportedView['windows']): void {
  for (const counts of windows)
    for (const state of ['scored', 'pending', 'expired', 'rejected'] as const)
      predictions.push([
        labelSet([
          ['window', counts.window],
          ['state', state],
        ]),
        counts[state],
      ]);
}

/** The same for all groups of a set: once for each. */
function addSince({ since: series }: Part, { dimensions, window, since }: Group, sets: Set<string>): void {
  const slice = dimensions.join(',');
  const set = `${slice} ${window}`;
  if (since === undefined || sets.has(set)) return;
  sets.add(set);
  for (const [family, ms] of Object.entries(since))
    series.push([
      labelSet([
        ['slice', slice],
        ['window', window],
        ['family', family],
      ]),
      ms / 1000,
    ]);
}

function addGroup(part: Part, { dimensions, values, window, blocks }: Group, plan: PointPlan): void {
  const own = dimensions.map((dimension, index) => [dimensionLabel(dimension), values[index]!] as const);
  const slice = labelPairs([['slice', dimensions.join(',')], ...own]);
  const inWindow = labelPairs([['window', window]]);
  const ofModel = dimensions.join() === 'model' ? labelPairs(own) : undefined;
  for (const point of metricPoints(blocks(), plan)) {
    const { name, metric, label, predicted, value } = point;
    if (value === null) continue;
    if (metric === 'confusion') {
      if (ofModel !== undefined)
        part.outcomes.push([`{${ofModel},${inWindow},gold="${label}",predicted="${predicted}"}`, value]);
    } else if (point.family === 'stability') {
      const state = groupStates.get(name);
      if (state !== undefined) part.stabilityGroups.push([`{${slice},state="${state}"}`, value]);
      else part[countNames.has(name) ? 'stabilityCounts' : 'stability'].push([`{${slice},metric="${name}"}`, value]);
    } else {
      const labels = `{${slice},${inWindow},metric="${name}"}`;
      part[countNames.has(name) ? 'counts' : 'value'].push([labels, value]);
      if (point.denominator !== null) part.support.push([labels, point.denominator]);
      if (point.lower !== null) part.lower.push([labels, point.lower]);
      if (point.upper !== null) part.upper.push([labels, point.upper]);
    }
  }
}
