import { getOrPut } from '../../state/containers/get-or-put.ts';
import { dimensionLabel } from '../../state/dimension.ts';
import type { Steps } from '../../state/steps.ts';
import type { ExportedView } from '../../telemetry.ts';
import { type MetricPoint, metricPoints } from '../../view/metric-points.ts';
import type { Group } from '../../view/summary.ts';
import { labelPairs, labelSet, type Metric, type Section, type Series } from './text.ts';

const gauge = (name: string, unit: string, help: string, labels: readonly string[]): Metric => ({
  name: `assay_${name}`,
  type: 'gauge',
  unit,
  help,
  labels,
});
const ofPoint = ['slice', '<dimensions>', 'window', 'metric'];

/** Gauges of the view, in the order of the page. */
export const viewGauges = {
  predictions: gauge('window_predictions', 'events', 'Predictions with event time in the window, by state.', [
    'window',
    'state',
  ]),
  value: gauge('window_value', '1', 'Value of a metric over an event-time window.', ofPoint),
  support: gauge('window_support', '1', 'Denominator of the rate or mean in assay_window_value.', ofPoint),
  stability: gauge('stability_value', '1', 'Value of a stability metric since the beginning.', [
    'slice',
    '<dimensions>',
    'metric',
  ]),
  stabilityGroups: gauge(
    'stability_groups',
    'groups',
    'Groups of runs since the beginning: seen, and complete with all k runs.',
    ['slice', '<dimensions>', 'state'],
  ),
  outcomes: gauge(
    'window_outcomes',
    'events',
    'Predictions with event time in the window by gold and predicted label; adds up across instances.',
    ['model', 'window', 'gold', 'predicted'],
  ),
  lower: gauge(
    'window_lower',
    '1',
    'Lower end of the Wilson interval of a rate in assay_window_value; too high where examples repeat.',
    ofPoint,
  ),
  upper: gauge(
    'window_upper',
    '1',
    'Upper end of the Wilson interval of a rate in assay_window_value; too low where examples repeat.',
    ofPoint,
  ),
};

type Gauge = keyof typeof viewGauges;
const gaugeNames = Object.keys(viewGauges) as Gauge[];

/** Series of a part of the view by their gauge. */
type Part = Readonly<Record<Gauge, Series[]>>;
const emptyPart = (): Part => Object.fromEntries(gaugeNames.map((name) => [name, [] as Series[]])) as Part;

/**
 * Sections of the gauges, each by scoring family; a group is a step. Series by label (`per_class`, `per_label`) matter less and come after all
 * others of their gauge.
 */
export function* viewSections({ view, windows }: ExportedView): Steps<Section[]> {
  const plain = new Map<string, Part>();
  const labelled = new Map<string, Part>();
  const partOf = ({ family, label }: Pick<MetricPoint, 'family' | 'label'>): Part =>
    getOrPut(label === undefined ? plain : labelled, family, emptyPart);
  addPredictions(partOf({ family: '', label: undefined }), windows);
  for (const group of view.groups) {
    addGroup(partOf, group);
    yield;
  }
  const parts = [...plain.values(), ...labelled.values()];
  return gaugeNames.flatMap((name) => parts.map((part) => ({ metric: viewGauges[name], series: part[name] })));
}

function addPredictions({ predictions }: Part, windows: ExportedView['windows']): void {
  for (const counts of windows)
    for (const state of ['scored', 'pending', 'expired'] as const)
      predictions.push([
        labelSet([
          ['window', counts.window],
          ['state', state],
        ]),
        counts[state],
      ]);
}

function addGroup(partOf: (point: MetricPoint) => Part, { dimensions, values, window, blocks }: Group): void {
  const own = dimensions.map((dimension, index) => [dimensionLabel(dimension), values[index]!] as const);
  const slice = labelPairs([['slice', dimensions.join(',')], ...own]);
  const inWindow = labelPairs([['window', window]]);
  const ofModel = dimensions.join() === 'model' ? labelPairs(own) : undefined;
  for (const point of metricPoints(blocks)) {
    const { name, metric, label, predicted, value } = point;
    if (value === null) continue;
    const part = partOf(point);
    if (metric === 'confusion') {
      if (ofModel !== undefined)
        part.outcomes.push([`{${ofModel},${inWindow},gold="${label}",predicted="${predicted}"}`, value]);
    } else if (point.family === 'stability') {
      const state = groupStates.get(name);
      if (state !== undefined) part.stabilityGroups.push([`{${slice},state="${state}"}`, value]);
      else part.stability.push([`{${slice},metric="${name}"}`, value]);
    } else {
      const labels = `{${slice},${inWindow},metric="${name}"}`;
      part.value.push([labels, value]);
      if (point.denominator !== null) part.support.push([labels, point.denominator]);
      if (point.lower !== null) part.lower.push([labels, point.lower]);
      if (point.upper !== null) part.upper.push([labels, point.upper]);
    }
  }
}

/** Counts of groups have a metric of their own. */
const groupStates: ReadonlyMap<string, string> = new Map([
  ['groups_seen', 'seen'],
  ['groups_complete', 'complete'],
]);
