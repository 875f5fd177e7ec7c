import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Section } from '../../../src/adapters/prometheus/text.ts';
import { watchSections } from '../../../src/adapters/prometheus/watch-gauges.ts';
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
  recovery: undefined,
  before: undefined,
  causes: [],
  incidents: [],
};
const design = createDesigns()(0.05, 0.1, 1_000)!;
const span = { sinceMs: 1_500, n: 200, bad: 50 };

/** Series of these watches, where the view shows no group. */
function seriesOf(...watches: WatchReading[]): string[] {
  const { view } = sampleView([]);
  return linesOf(watchSections({ ...view, watches }));
}

function linesOf(sections: readonly Section[]): string[] {
  return sections.flatMap(({ metric, series }) => series.map(([labels, value]) => `${metric.name}${labels} ${value}`));
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

test('of a watch that recovers the rate since its last bad pane is shown too', () => {
  const recovery = { sinceMs: 3_500, n: 20, bad: 1 };
  const lines = seriesOf({ ...reading, design, firing: true, statistic: 50, span, recovery });
  assert.deepEqual(
    lines.filter((line) => /_(rate|recovering)\{/.test(line)).map((line) => line.split(' ').at(-1)),
    ['0.25', '0.05'],
  );
});

test('one that learns says so, and has no numbers', () => {
  const { view } = sampleView([]);
  const total = { ...reading, dimensions: [], values: [] };
  const [group] = [
    { dimensions: [], values: [], window: 'all', scored: 1, blocks: () => ({}), row: new Float64Array(0) },
  ];
  const sections = watchSections({ ...view, groups: [group!], watches: [total] });
  const labels = '{watch="decision.tool_hall",slice=""}';
  assert.deepEqual(linesOf(sections), [
    `assay_watch_firing${labels} 0`,
    `assay_watch_learning${labels} 1`,
    `assay_watch_design_effect${labels} 1.5`,
  ]);
});

test('a group that is worse because of another one has an incident of 0; the incidents of a group are numbered', () => {
  const alarm = { sinceMs: 1_500, untilMs: 2_000, n: 100, bad: 40, beginMs: 2_000, endMs: undefined };
  const ofModel = { ...reading, design, firing: true, span, incidents: [alarm] };
  const carriers = [{ dimensions: ['model'], values: reading.values, share: 0.9, deviation: 0, size: 0.3 }];
  const total = { ...ofModel, dimensions: [], values: [], incidents: [{ ...alarm, bad: 20, carriers }] };
  const later = { ...alarm, sinceMs: 9_000_000, untilMs: 9_100_000, beginMs: 9_100_000 };
  const second = { ...ofModel, watch: 'match.correct', span: { ...span, sinceMs: 9_000_000 }, incidents: [later] };
  const found = seriesOf(ofModel, total, second).filter((line) => line.startsWith('assay_incident'));
  assert.deepEqual(found, [
    'assay_incident{slice="model",model="a \\"b\\"",incident="1"} 1',
    'assay_incident{slice="model",model="a \\"b\\"",incident="2"} 1',
    'assay_incident{slice="",incident="1"} 0',
  ]);
  const over = { ...ofModel, firing: false, span: undefined, incidents: [{ ...alarm, endMs: 3_000_000 }] };
  const incidents = (...watches: WatchReading[]) => seriesOf(...watches).filter((line) => /_incident/.test(line));
  assert.deepEqual(incidents(over), []);
  // Whatever begins while the alert of the first may last keeps its number; then that one is free.
  const soon = { ...second, incidents: [{ ...later, sinceMs: 2_400_000, beginMs: 4_700_000 }] };
  assert.deepEqual(incidents(over, soon), ['assay_incident{slice="model",model="a \\"b\\"",incident="2"} 1']);
  assert.deepEqual(incidents(over, second), ['assay_incident{slice="model",model="a \\"b\\"",incident="1"} 1']);
});
