import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchSections } from '../../../src/adapters/prometheus/watch-gauges.ts';
import { finish } from '../../../src/state/steps.ts';
import { groupKeys } from '../../../src/view/fold-groups.ts';
import { createDesigns } from '../../../src/statistics/watch-design.ts';
import type { WatchReading } from '../../../src/view/summary.ts';
import { sampleView } from './sample.ts';

const reading: WatchReading = {
  watch: 'decision.tool_hall',
  dimensions: ['model'],
  values: ['a "b"'],
  firing: false,
  design: undefined,
  designEffect: 1.5,
  statistic: 0,
  span: undefined,
  before: undefined,
  causes: [],
  incidents: [],
};
const design = createDesigns()(0.05, 0.1, 1_000)!;
const span = { sinceMs: 1_500, n: 200, bad: 50 };

/** Series of these watches, where the view shows no group. */
function seriesOf(...watches: WatchReading[]): string[] {
  const { view } = sampleView([]);
  const sections = finish(watchSections({ ...view, watches }, groupKeys(), new WeakMap()));
  return sections.flatMap(({ lines }) => lines.flatMap(({ text }) => text.split('\n').filter((line) => line !== '')));
}

test('of a watch that fires what its alarm tells is shown whatever group it is of, of one that does not only with its group', () => {
  assert.deepEqual(seriesOf(reading, { ...reading, design }), []);
  const labels = 'watch="decision.tool_hall",slice="model",model="a \\"b\\""';
  assert.deepEqual(seriesOf({ ...reading, design, firing: true, statistic: 70, span }), [
    `assay_watch_firing{${labels}} 1`,
    `assay_watch_since_timestamp_seconds{${labels}} 1.5`,
    `assay_watch_rate{${labels}} 0.25`,
    `assay_watch_cases{${labels}} 200`,
    `assay_watch_baseline{${labels}} 0.05`,
    `assay_watch_false_alarm_cases{${labels}} ${design.falseAlarmCases}`,
  ]);
});

test('of a watch that has fallen below its threshold its rate is shown until its incident is over: an alert on that is one page', () => {
  const incident = { sinceMs: 1_500, untilMs: 2_000, n: 100, bad: 40, beginMs: 2_000, endMs: 3_000 };
  const below = { ...reading, design, statistic: 50, span, incidents: [incident], before: { n: 1_000, bad: 10 } };
  const labels = 'watch="decision.tool_hall",slice="model",model="a \\"b\\""';
  assert.deepEqual(seriesOf(below), [
    'assay_incident{slice="model",model="a \\"b\\"",incident="1"} 1',
    `assay_watch_firing{${labels}} 0`,
    `assay_watch_rate{${labels}} 0.25`,
    `assay_watch_cases{${labels}} 200`,
    `assay_watch_before{${labels}} 0.01`,
    `assay_watch_baseline{${labels}} 0.05`,
    `assay_watch_false_alarm_cases{${labels}} ${design.falseAlarmCases}`,
  ]);
  assert.deepEqual(seriesOf({ ...below, span: undefined }), []);
  assert.deepEqual(seriesOf({ ...below, span: { ...span, sinceMs: 4_000 } }), []);
});

test('one that learns says so, and has no numbers', () => {
  const { view } = sampleView([]);
  const total = { ...reading, dimensions: [], values: [] };
  const [group] = [{ dimensions: [], values: [], window: 'all', scored: 1, blocks: {}, row: new Float64Array(0) }];
  const sections = finish(watchSections({ ...view, groups: [group!], watches: [total] }, groupKeys(), new WeakMap()));
  const labels = '{watch="decision.tool_hall",slice=""}';
  assert.deepEqual(
    sections.flatMap(({ lines }) => lines.map(({ text }) => text)).filter((text) => text !== ''),
    [
      `assay_watch_firing${labels} 0\n`,
      `assay_watch_learning${labels} 1\n`,
      `assay_watch_design_effect${labels} 1.5\n`,
    ],
  );
});

test('a group that is worse because of another one has an incident of 0; the incidents of a group are numbered', () => {
  const alarm = { sinceMs: 1_500, untilMs: 2_000, n: 100, bad: 40, beginMs: 2_000, endMs: undefined };
  const ofModel = { ...reading, design, firing: true, span, incidents: [alarm] };
  const carriers = [{ dimensions: ['model'], values: reading.values, share: 0.9 }];
  const total = { ...ofModel, dimensions: [], values: [], incidents: [{ ...alarm, bad: 20, carriers }] };
  const later = { ...alarm, sinceMs: 9_000_000, untilMs: 9_100_000, beginMs: 9_100_000 };
  const second = { ...ofModel, watch: 'match.correct', span: { ...span, sinceMs: 9_000_000 }, incidents: [later] };
  const found = seriesOf(ofModel, total, second).filter((line) => line.startsWith('assay_incident'));
  assert.deepEqual(found, [
    'assay_incident{slice="model",model="a \\"b\\"",incident="1"} 1',
    'assay_incident{slice="model",model="a \\"b\\"",incident="2"} 1',
    'assay_incident{slice="",incident="1"} 0',
  ]);
  assert.deepEqual(
    seriesOf({ ...second, span: undefined, firing: false }).filter((line) => /_incident/.test(line)),
    [],
  );
});
