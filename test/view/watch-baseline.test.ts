import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDesigns } from '../../src/statistics/watch-design.ts';
import { createEndDesigns } from '../../src/statistics/watch-end.ts';
import { designFor, falseAlarmCases, learnedOf, learnedPanes, type WatchRule } from '../../src/view/watch-baseline.ts';
import { readWatchPanes } from '../../src/view/watch-panes.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

const settings = watchSettings(['24h']);
const { paneMs, panes } = settings.windows.tiers.at(-1)!;
const startMs = Date.UTC(2026, 0, 1);
const designs = createDesigns();
const rule: WatchRule = {
  metric: 'decision.unknown_tool',
  ...{
    sets: [[]],
    where: {},
    baseline: undefined,
    learnMs: 86_400_000,
    worst: undefined,
    falseAlarm: { cases: 10_000 },
  },
};

/** What is learned from panes, each given as its cases and bad cases, while the one after them is the newest. */
function learned(given: readonly (readonly [n: number, bad: number])[], own: Partial<WatchRule> = {}, effect = 1) {
  const partition = watchedPartition(settings);
  const put = (pane: number, n: number, bad: number): void =>
    partition.add({ model: 'm', tsMs: startMs + pane * paneMs, n, bad } satisfies Cases);
  for (const [pane, [n, bad]] of given.entries()) if (n > 0) put(pane, n, bad);
  put(given.length, 1, 1);
  const watcher = watcherWith(settings, {});
  const asOfMs = startMs + given.length * paneMs;
  readWatchPanes(watcher.panes, [partition.state], asOfMs);
  const group = watcher.panes.groups.find(({ dimensions }) => dimensions.length === 0)!;
  const newest = startMs / paneMs + given.length;
  const by = { ...rule, ...own };
  const of = learnedPanes(watcher.panes, by, { group, rate: 0 }, { newest, empty: Number.NEGATIVE_INFINITY });
  const found = learnedOf(watcher.panes, { designs, ends: createEndDesigns() }, by, { group, rate: 0, effect, of });
  const { n, bad, end } = found.reference;
  return { ...found, n, bad, end: end - startMs / paneMs };
}

const hour = 3_600_000 / paneMs;
const quiet = (count: number) => Array.from({ length: count }, (): [number, number] => [100, 2]);

test('a rate of cases and a reference are learned from the panes before the newest, but for the last hour', () => {
  const found = learned(quiet(100));
  assert.equal(found.casesPerMs, 100 / paneMs);
  assert.deepEqual([found.n, found.bad, found.end], [100 * (100 - hour), 2 * (100 - hour), 100 - hour]);
  assert.deepEqual(found.reference.fired, []);
  // Time counts from the first pane with cases, whatever comes between.
  const gaps = learned([[0, 0], [0, 0], ...quiet(1), [0, 0], ...quiet(1)]);
  assert.equal(gaps.casesPerMs, 200 / (3 * paneMs));
  assert.equal(learned([]).casesPerMs, 0);
});

test('while it learns it says until when: 200 cases, and the hour that is not learned from', () => {
  const untilOf = (count: number): number | undefined => {
    const { untilMs, baseline } = learned(quiet(count));
    assert.equal(baseline === undefined, count < hour + 2, `${count} panes`);
    return untilMs && (untilMs - startMs) / paneMs;
  };
  assert.equal(untilOf(0), undefined);
  for (const count of [1, 2, hour, hour + 1]) assert.equal(untilOf(count), hour + 2, `${count} panes`);
  assert.equal(untilOf(hour + 2), undefined);
  // At 10 cases a pane: 20 panes, and the hour. At 1 it takes 200 panes.
  const few = (n: number, count: number) => learned(Array.from({ length: count }, (): [number, number] => [n, 0]));
  assert.equal((few(10, 5).untilMs! - startMs) / paneMs, 20 + hour);
  assert.equal((few(1, 30).untilMs! - startMs) / paneMs, 200 + hour);
  assert.equal(few(10, 20 + hour).untilMs, undefined);
});

test('no more is learned from than the rule says, and than is kept', () => {
  const many = [...quiet(50).map(([n]): [number, number] => [n, 50]), ...quiet(50)];
  const found = learned(many, { learnMs: 50 * paneMs });
  assert.deepEqual([found.n, found.bad, found.end], [100 * (50 - hour), 2 * (50 - hour), 100 - hour]);
  assert.equal(learned(quiet(5), { learnMs: 1 }).casesPerMs, 100 / paneMs);
});

test('with cases of twelve hours it learns once an hour, from what is kept all of it', () => {
  for (const since of [0, 1, hour - 1]) {
    const found = learned(quiet(2 * panes + since));
    // An hour less a pane at the begin is there for some panes only; the last hour before is not learned from.
    assert.deepEqual([found.end, found.n], [2 * panes - hour, 100 * (panes - 2 * hour)], `${since}`);
  }
  assert.equal(learned(quiet(12 * hour - 1)).end, 11 * hour - 1);
});

test('the baseline is the upper end of the 90 % Wilson interval in two digits, of 200 cases or more', () => {
  // 2 of 100 in 85 panes: 170 of 8,500, up to 0.0227.
  assert.equal(learned(quiet(100)).baseline, 0.023);
  assert.equal(learned(quiet(hour + 1)).baseline, undefined);
  // 4 of 200: up to 0.0438.
  assert.equal(learned(quiet(hour + 2)).baseline, 0.044);
  // Ten alike count as one: 17 of 850 up to 0.0296.
  assert.equal(learned(quiet(100), {}, 10).baseline, 0.03);
  assert.equal(learned(quiet(100).map(([n]) => [n, 0])).baseline, 0.001);
  assert.equal(learned([], { baseline: 0.3 }).baseline, 0.3);
});

test('what fired is left out of the reference', () => {
  const spike = Array.from({ length: 10 }, (): [number, number] => [100, 60]);
  const found = learned([...quiet(100), ...spike, ...quiet(hour)]);
  assert.deepEqual([found.n, found.bad], [100 * 100, 2 * 100]);
  assert.deepEqual(
    found.reference.fired.map((pane) => pane - startMs / paneMs),
    spike.map((_, index) => 100 + index),
  );
});

test('what fires is told by the cases between false alarms of the rule, and by how much cases are alike', () => {
  const small: [number, number] = [100, 12];
  const given = [...quiet(100), small, ...quiet(hour)];
  const fired = (cases: number, effect = 1): number => {
    const { reference } = learned(given, { baseline: 0.02, falseAlarm: { cases } }, effect);
    return reference.fired.length;
  };
  assert.deepEqual([fired(200), fired(1_000_000)], [1, 0]);
  assert.deepEqual([fired(200, 1.5), fired(200, 10)], [1, 0]);
});

test('cases between false alarms are those of the rule, or come in its time to all of its groups', () => {
  const ofTime = { ...rule, falseAlarm: { everyMs: 1_000 } };
  assert.equal(falseAlarmCases(rule, 0.5, 3), 10_000);
  assert.equal(falseAlarmCases(ofTime, 0.5, 3), 1_500);
  assert.equal(falseAlarmCases(ofTime, 0.501, 3), 1_600);
  assert.equal(falseAlarmCases(ofTime, 0.001, 3), 200);
  assert.deepEqual([falseAlarmCases(rule, 0, 3), falseAlarmCases(ofTime, 0, 3)], [undefined, undefined]);
});

test('a design is for the worst rate of the rule where that can be told from the baseline', () => {
  const worst = (own: Partial<WatchRule>, baseline: number) =>
    designFor(designs, { ...rule, ...own }, baseline, 1_000)!.worst;
  assert.deepEqual([worst({}, 0.02), worst({ worst: 0.2 }, 0.02), worst({ worst: 0.2 }, 0.3)], [0.05, 0.2, 0.6]);
  assert.equal(designFor(designs, rule, undefined, 1_000), undefined);
  assert.equal(designFor(designs, rule, 0.02, undefined), undefined);
});
