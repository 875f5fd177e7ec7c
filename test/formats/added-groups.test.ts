import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateOf } from '../../src/config/settings.ts';
import { parquetOfArrow } from '../../src/formats/files/arrow-to-parquet.ts';
import { addedGroups } from '../../src/formats/snapshot/added-groups.ts';
import { openAggregates } from '../../src/formats/snapshot/aggregate-groups.ts';
import { aggregateSnapshot, lakeSnapshot } from '../../src/formats/snapshot/aggregates.ts';
import type { PlainGroup } from '../../src/formats/summary/summary-document.ts';
import { type MetricPoint, metricPoints } from '../../src/view/metric-points.ts';
import type { Blocks, View } from '../../src/view/summary.ts';
import { minuteMs, startMs, viewConfig, viewedTraffic } from '../support/viewed-traffic.ts';
import { lazyViewWith } from '../support/folding.ts';
import type { PartitionState } from '../../src/state/partition.ts';

const config = viewConfig();
const asOfMs = startMs + 31 * minuteMs;

type Written = (view: View, partition: number) => Uint8Array;

const arrow: Written = (view, partition) =>
  Buffer.concat(aggregateSnapshot(view, asOfMs, config.slices, new Map([['assay.partitions', `t/${partition}`]])));

const parquet: Written = (view, partition) => {
  const pieces = lakeSnapshot(view, asOfMs, { instance: 'i', partitions: `t/${partition}` });
  return new Uint8Array(parquetOfArrow([Buffer.concat(pieces)], { 'assay.partitions': `t/${partition}` }));
};

const viewed = (states: readonly PartitionState[]): View =>
  lazyViewWith(config, states, asOfMs, { withBreakdowns: false });

for (const [form, written] of Object.entries({ arrow, parquet }))
  test(`the aggregates of two instances, as ${form}, add up to those of one that has all partitions`, async () => {
    const { states } = viewedTraffic(config);
    const opened = states.map((state, at) => openAggregates(written(viewed([state]), at))!);
    assert.deepEqual(
      opened.map(({ partitions }) => partitions),
      [['t/0'], ['t/1']],
    );
    const parts = await Promise.all(opened.map(async ({ read }) => await read()));
    assert.deepEqual(
      parts.map((part) => part.asOfMs),
      [asOfMs, asOfMs],
    );
    const whole = await openAggregates(written(viewed(states), 0))!.read();
    const points = pointsByPlace(addedGroups(parts.map(({ groups }) => groups)));
    const wanted = pointsByPlace(whole.groups);
    assert.deepEqual([...points.keys()].sort(), [...wanted.keys()].sort());
    for (const [place, point] of wanted) assertNear(points.get(place)!, point, place);
    const numbers = [...wanted.values()].filter(({ value, denominator }) => value !== null && denominator === null);
    assert.ok(
      numbers.some(({ name }) => name === 'macro_f1') &&
        numbers.some(({ name }) => name === 'tool_calls_strict_f1_pooled'),
    );
  });

test('what is no sum is read from added counts, weighted, or null', () => {
  const group = (families: object): PlainGroup => ({ slice: {}, window: 'all', ...families });
  const judge = (pass: number, fail: number) => ({
    ...{ n: 4, traffic: { pass: { value: 0.5, lower: 0.4, upper: 0.6 } }, kappa: 0.25 },
    against_exact: { right: { pass, fail }, wrong: { pass: fail, fail: pass } },
  });
  const stability = (complete: number) => ({ k: 4, stability: { value: 0, numerator: 0, denominator: complete } });
  const share = (numerator: number, denominator: number) => ({ rate: { value: 0, numerator, denominator } });
  const [made] = addedGroups([
    [
      group({
        schema: { n: 10, overall: 0.5 },
        judge: judge(9, 1),
        stability: stability(0),
        outcome: { good: { a: share(1, 2) } },
      }),
    ],
    [group({ schema: { n: 30, overall: 0.9 }, judge: judge(6, 4), stability: stability(0) })],
    [group({ schema: { n: 0, overall: null }, own: { n: 1 }, outcome: { good: { a: share(2, 3), b: share(0, 1) } } })],
  ]);
  const {
    schema,
    judge: judged,
    stability: runs,
    own,
    outcome,
  } = made as Record<string, Record<string, unknown> | undefined>;
  assert.equal((schema as { overall: number }).overall, (10 * 0.5 + 30 * 0.9) / 40);
  // 15 of 20 on either side agree, where chance gives a half.
  assert.equal(judged!['kappa'], 0.5);
  assert.deepEqual(judged!['traffic'], { pass: { value: null, lower: null, upper: null } });
  assert.equal(runs!['k'], 4);
  assert.equal((runs!['stability'] as { value: number }).value, 0, 'in mode upstream 0/0 is 0');
  const { a, b } = outcome!['good'] as Record<string, ReturnType<typeof share>>;
  assert.deepEqual([a!.rate.numerator, a!.rate.denominator, b!.rate.denominator], [3, 5, 1]);
  assert.equal(own, undefined, 'nobody knows how numbers of an unknown family add up');
});

test('the interval of an added rate has the confidence level of the parts', () => {
  const rate = rateOf({ ...config, metrics: { ...config.metrics, interval: 0.8 } });
  const group = (x: number, n: number): PlainGroup[] => [
    { slice: {}, window: '5m', decision: { accuracy: rate(x, n) } },
  ];
  const [made] = addedGroups([group(0, 900), group(9, 10), group(30, 50)]);
  const { accuracy } = made!['decision'] as { accuracy: MetricPoint };
  const wanted = rate(39, 960);
  assert.deepEqual([accuracy.numerator, accuracy.denominator, accuracy.value], [39, 960, 39 / 960]);
  assert.ok(Math.abs(accuracy.lower! - wanted.lower!) < 1e-9 && Math.abs(accuracy.upper! - wanted.upper!) < 1e-9);
});

function pointsByPlace(groups: readonly PlainGroup[]): Map<string, MetricPoint> {
  return new Map(
    groups.flatMap(({ slice, window, ...blocks }) =>
      metricPoints(blocks as Blocks).map((point) => {
        const { family, metric, label, predicted } = point;
        return [JSON.stringify([slice, window, family, metric, label, predicted]), point] as const;
      }),
    ),
  );
}

function assertNear(point: MetricPoint, wanted: MetricPoint, place: string): void {
  assert.deepEqual([point.numerator, point.denominator], [wanted.numerator, wanted.denominator], place);
  for (const key of ['value', 'lower', 'upper'] as const) {
    const [a, b] = [point[key], wanted[key]];
    const isNear = a === null || b === null ? a === b : Math.abs(a - b) < 1e-9;
    assert.ok(isNear, `${place} ${key}: ${a}, not ${b}`);
  }
}
