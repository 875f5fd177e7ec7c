import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricsPlan } from '../../src/adapters/prometheus/metrics-plan.ts';
import type { Metrics } from '../../src/scoring/metric.ts';
import { rateOf } from '../../src/config/settings.ts';
import { createBreakdowns, restoreBreakdowns } from '../../src/state/breakdowns.ts';
import { clearChanges } from '../../src/state/containers/table.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { groupKey } from '../../src/view/fold-groups.ts';
import { metricPoints } from '../../src/view/metric-points.ts';
import { plannedSettings } from '../../src/view/planned.ts';
import type { ChooseGroups } from '../../src/view/summary.ts';
import { type ViewOptions, viewOf } from '../../src/view/view.ts';
import { prng } from '../sim/prng.ts';
import { readView } from '../support/folding.ts';
import { seed } from '../support/seed.ts';
import { minuteMs, startMs, viewConfig, viewedTraffic } from '../support/viewed-traffic.ts';

const config = viewConfig();
const { states } = viewedTraffic(config);
const { settings } = states[0]!;
const options: ViewOptions = {
  ...{ sets: config.slices, rate: rateOf(config), withWindows: true, withBreakdowns: false, groupsMax: undefined },
};

/** The same state, of which nothing has been read. */
function anew(state: PartitionState): PartitionState {
  const { table, names } = state.breakdowns;
  const breakdowns = createBreakdowns(state.settings, state.limitHits, table, names);
  restoreBreakdowns(breakdowns);
  return { ...state, breakdowns };
}

test('a view of the metrics of a plan has the points of that plan which a view of all metrics has', () => {
  for (const listed of [
    [],
    ['per_class', 'n'],
    ['stability', 'tool_calls_strict'],
    ['per_label', 'f1'],
    'all',
  ] as const) {
    const plan = metricsPlan(listed);
    const planned = viewOf(states, plannedSettings(settings, plan), startMs + 31 * minuteMs, options);
    const whole = viewOf(states, settings, startMs + 31 * minuteMs, options);
    assert.ok(whole.groups.length > 20);
    for (const [index, { blocks, ...group }] of planned.groups.entries()) {
      const { blocks: all, ...same } = whole.groups[index]!;
      assert.deepEqual(group, same);
      assert.deepEqual(metricPoints(blocks(), plan), metricPoints(all(), plan), `${listed}: ${group.values}`);
    }
  }
});

/** Keys to the metrics that are no groups of others; `*` stands for a label. */
function leavesOf(metrics: Metrics<unknown>): string[][] {
  return Object.entries(metrics).flatMap(([key, metric]) => {
    if (metric.kind !== 'group' && metric.kind !== 'labels') return [[key]];
    return leavesOf(metric.metrics).map((keys) => [key, ...(metric.kind === 'labels' ? ['*'] : []), ...keys]);
  });
}

test('a plan leaves out the metrics that it has no points of, at any depth', () => {
  const everySecond = metricsPlan('all').map((of) => ({
    ...of,
    places: of.places.filter((_, index) => index % 2 > 0),
  }));
  const listed = [['n'], ['per_class', 'n'], ['per_label', 'tool_calls_strict', 'stability'], 'all'] as const;
  for (const [index, plan] of [...listed.map(metricsPlan), everySecond].entries()) {
    const { layout, stability } = plannedSettings(settings, plan);
    for (const { name, metrics } of [...layout.families, stability!]) {
      const places = plan.filter(({ family }) => family === name).flatMap((of) => of.places.map(({ keys }) => keys));
      const isAt = (leaf: readonly string[], place: readonly string[]): boolean =>
        leaf.every((key, at) => key === '*' || key === place[at]);
      const leaves = leavesOf(metrics as Metrics<unknown>);
      for (const leaf of leaves)
        assert.ok(
          places.some((place) => isAt(leaf, place)),
          `plan ${index}: ${name} ${leaf}`,
        );
      for (const place of places)
        assert.ok(
          leaves.some((leaf) => isAt(leaf, place)),
          `plan ${index}: ${name} ${place}`,
        );
    }
  }
  assert.equal(plannedSettings({ ...settings, stability: undefined }, metricsPlan('all')).stability, undefined);
});

test('views that come one after the other are those of states that nobody has read, at any T and for any choice', (t) => {
  t.diagnostic(`seed ${seed}`);
  const random = prng(seed);
  for (let round = 0; round < 25; round++) {
    const asOfMs = startMs + random.int(90 * minuteMs);
    const chance = random.pick([0, 0.3, 0.7, 1]);
    const drawn = new Map<string, boolean>();
    const choose: ChooseGroups = ({ sets }) => {
      for (const { key } of sets) if (!drawn.has(key)) drawn.set(key, random.chance(chance));
      return new Set([...drawn].filter(([, is]) => is).map(([key]) => key));
    };
    const own = { ...options, choose, withBreakdowns: random.chance(0.3) };
    const view = viewOf(states, settings, asOfMs, own);
    assert.deepEqual(readView(view), readView(viewOf(states.map(anew), settings, asOfMs, own)), `round ${round}`);
    // What is shown and what is summed add up to the total, window by window.
    const scoredOf = (window: string, set: string): number =>
      view.groups.reduce((sum, group) => {
        const is = group.window === window && group.dimensions.join() === set;
        return is ? sum + group.scored : sum;
      }, 0);
    for (const { window } of view.groups)
      for (const set of config.slices) assert.equal(scoredOf(window, set.join()), scoredOf(window, ''), window);
    const shown = view.groups.filter(({ values }) => values.length > 0 && values[0] !== '__other__');
    assert.ok(shown.every((group) => drawn.get(groupKey(group))));
    if (random.chance(0.5)) for (const { breakdowns } of states) clearChanges(breakdowns.table);
  }
});
