import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropBlames } from '../../src/state/blames.ts';
import { finish } from '../../src/state/steps.ts';
import type { WatchReading } from '../../src/view/summary.ts';
import { type CauseMemory, createCauseMemory, rememberBefores } from '../../src/view/watch-befores.ts';
import { causesOf } from '../../src/view/watch-causes.ts';
import { segmentsAt } from '../../src/view/watch-segments.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const settings = watchSettings(['5m', '1h', '24h']);
const watcher = watcherWith(settings, {});
const rate = watcher.panes.rates[0]!;
const { paneMs } = settings.windows.tiers.at(-1)!;

/** Hours of two agents, then minutes in which one of them invents tools. */
function spiking() {
  const partition = watchedPartition(settings);
  const add = (at: number, agent: string, bad: number, tool: string): void => {
    const cases: Cases = { model: 'm', agent, tsMs: startMs + at * minuteMs, n: 100, bad, invented: { [tool]: bad } };
    partition.add(cases);
  };
  for (let at = 0; at < 240; at++) for (const agent of ['x', 'y']) add(at, agent, 2, 'usual');
  for (let at = 240; at < 245; at++) for (const agent of ['x', 'y']) add(at, agent, agent === 'x' ? 60 : 2, 'new');
  const { state } = partition;
  const asOfMs = state.numbers.greatestTs;
  const reading = watchReadings(watcher, [state], asOfMs).find(({ values, firing }) => firing && values.length === 0)!;
  const reference = { n: 0, bad: 0, end: Math.floor((startMs + 180 * minuteMs) / paneMs), fired: [] };
  const firing = [{ reading, rate, reference }];
  const causes = (kept: CauseMemory) =>
    causesOf(settings, [state], segmentsAt(settings.windows, asOfMs), firing, kept)[0]!;
  const remembered = (kept: CauseMemory) => rememberBefores(settings, [state], firing, kept);
  return { state, add, causes, remembered, reference };
}

const beforeOf = (causes: WatchReading['causes']) => causes.map(({ part, before }) => [part, before]);

test('what an alarm had before is added up once, until a late event changes it or what is blamed is dropped', () => {
  const { state, add, causes, reference } = spiking();
  const kept = createCauseMemory();
  const first = causes(kept);
  const { sums } = kept.befores.get(reference)!;
  assert.ok(first.length > 0 && sums.slices.size > 0);
  assert.deepEqual(causes(kept), first);
  assert.equal(kept.befores.get(reference)!.sums, sums);

  add(100, 'x', 50, 'late');
  const later = causes(kept);
  assert.notDeepEqual(beforeOf(later), beforeOf(first));
  assert.deepEqual(later, causes(createCauseMemory()));

  state.blames.panes.floors[settings.windows.tiers.length - 1] = reference.end - 10;
  dropBlames(state.blames);
  assert.notDeepEqual(beforeOf(causes(kept)), beforeOf(later));
  assert.deepEqual(causes(kept), causes(createCauseMemory()));
});

test('what comes to the end of the time before, or later, does not have it added up again', () => {
  const { state, add, causes, reference } = spiking();
  const settled = state.sums.settled.at(-1)!;
  // The end may be that of the last settled pane.
  for (const end of [reference.end, settled + 1]) {
    reference.end = end;
    const kept = createCauseMemory();
    causes(kept);
    const { sums } = kept.befores.get(reference)!;
    for (const pane of [end, Math.max(end, settled), settled + 1]) {
      add((pane * paneMs - startMs) / minuteMs, 'x', 2, 'late');
      causes(kept);
      assert.equal(kept.befores.get(reference)!.sums, sums, `pane ${pane - settled} from the last settled one`);
    }
  }
});

test('of a partition that lags behind, panes before the end grow without being late', () => {
  const { state, add, causes, reference } = spiking();
  const kept = createCauseMemory();
  reference.end += 1_000;
  const first = causes(kept);
  add(244, 'y', 100, 'more');
  assert.ok(state.sums.settled.at(-1)! < reference.end - 1);
  assert.notDeepEqual(beforeOf(causes(kept)), beforeOf(first));
  assert.deepEqual(causes(kept), causes(createCauseMemory()));
});

test('what an alarm had before is added up in steps, a pane in each, and remembered where nothing changes meanwhile', () => {
  const { add, causes, remembered, reference } = spiking();
  const kept = createCauseMemory();
  const panes = (180 * minuteMs) / paneMs;
  assert.equal([...remembered(kept)].length, panes);
  const { sums } = kept.befores.get(reference)!;
  assert.deepEqual(causes(kept), causes(createCauseMemory()));
  assert.equal(kept.befores.get(reference)!.sums, sums);
  assert.equal([...remembered(kept)].length, 0, 'it is known');

  const changed = createCauseMemory();
  const steps = remembered(changed);
  steps.next();
  add(100, 'x', 50, 'late');
  finish(steps);
  assert.equal(changed.befores.get(reference), undefined);
  assert.deepEqual(causes(changed), causes(createCauseMemory()));
});
