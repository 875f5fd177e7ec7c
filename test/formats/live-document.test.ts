import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Failure } from '../../src/formats/summary/failure.ts';
import { cellsOf, historyMetrics, historyValue } from '../../src/formats/summary/history.ts';
import { totalId } from '../../src/formats/summary/live-document.ts';
import { headlines, sliceId, worstOf } from '../../src/formats/summary/live-group.ts';
import { reportDocument } from '../../src/formats/summary/report-document.ts';
import type { PlainGroup } from '../../src/formats/summary/summary-document.ts';
import { z95 } from '../../src/scoring/reading.ts';
import { createWorld, learnedMs } from '../support/page-world.ts';

const { layout } = settingsOf(loadConfig({}).config, undefined);
const world = createWorld({ models: ['a', 'b', 'constructor', '__proto__'], durationMs: 30_000, rate: 60 });
const summary = (slice: string, window: string): PlainGroup[] => world.summary(slice, window)['groups'] as PlainGroup[];
const document = (focus = totalId, window = '5m', slice = 'model') =>
  world.document({ slice, window, focus, since: undefined });

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((from, key) => (from as Record<string, unknown> | null | undefined)?.[key], value);
}

test('the numbers of a document are those of the summary', () => {
  for (const window of ['all', '5m', '24h'])
    for (const slice of ['model', 'agent']) {
      const { groups } = document(totalId, window, slice);
      const expected = [...summary('', window), ...summary(slice, window)];
      const all = [...summary('', 'all'), ...summary(slice, 'all')];
      assert.deepEqual(
        groups.map((group) => group.slice),
        expected.map((group) => group.slice),
      );
      groups.forEach((group, index) => {
        for (const { path, allOnly } of headlines)
          assert.deepEqual(group.headlines[path], at(allOnly ? all[index] : expected[index], path), path);
        assert.equal(group.n, at(expected[index], 'decision.n'));
      });
    }
});

test('the group in focus has its details; one that is not there is the total', () => {
  const id = sliceId({ model: 'b' });
  const { groups, shown, failures } = document(id);
  assert.deepEqual(
    groups.filter(({ detail }) => detail !== null).map((group) => group.id),
    [id],
  );
  const { detail } = groups.find((group) => group.id === id)!;
  assert.deepEqual(
    detail!.decision,
    at(
      summary('model', '5m').find(({ slice }) => slice['model'] === 'b'),
      'decision',
    ),
  );
  assert.deepEqual(
    detail!.stability,
    at(
      summary('model', 'all').find(({ slice }) => slice['model'] === 'b'),
      'stability',
    ),
  );
  assert.equal(shown!.focus, id);
  assert.ok(failures.length > 0 && failures.every(({ slice }) => slice['model'] === 'b'));
  const lost = document(sliceId({ model: 'nobody' }));
  assert.equal(lost.shown!.focus, totalId);
  assert.notEqual(lost.groups[0]!.detail, null);
});

test('ids tell slices apart, whatever is in them', () => {
  const slices = [{}, { model: '' }, { agent: '' }, { model: 'a', agent: 'b' }, { model: 'a"' }, { model: 'a\u0000' }];
  const ids = slices.map(sliceId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^[0-9a-f]{32}$/);
});

test('the failed events of an alarm are bad cases of its rate, of its group, from its since on', () => {
  const spike = { model: 'b', fromMs: 0 };
  const spiking = createWorld({ models: ['a', 'b', 'c'], spike, pastMs: learnedMs, durationMs: 60_000, rate: 60 });
  const shown = { slice: 'model', window: '5m', since: undefined };
  const { incidents } = spiking.document({ ...shown, focus: totalId });
  const [{ slice, rates, also }, ...others] = incidents as [(typeof incidents)[number]];
  assert.deepEqual([slice, others], [{ model: 'b' }, []]);
  assert.ok(rates.length >= 3 && also.length >= 1);
  for (const group of [{ slice, rates }, ...also])
    for (const { watch, since, end } of group.rates) {
      const failed = { watch, since, until: end };
      const slice = Object.keys(group.slice).join() || 'model';
      const { failures } = spiking.document({ ...shown, slice, focus: sliceId(group.slice), failed });
      assert.ok(failures.length > 0, watch);
      for (const { slice: own, ts, ...failure } of failures) {
        for (const [dimension, value] of Object.entries(group.slice)) assert.equal(own[dimension], value);
        assert.ok(ts >= since, `${watch}: ${ts}`);
        assert.ok(isCaseOf(watch, failure), `${watch}: ${JSON.stringify(failure)}`);
      }
    }
});

/** Returns whether a failure shows what a rate that is watched by default counts as bad. */
function isCaseOf(
  watch: string,
  { faults, hallucinations, families }: Pick<Failure, 'faults' | 'hallucinations' | 'families'>,
): boolean {
  const [family, metric] = watch.split('.') as [string, string];
  if (family === 'tool_use') return faults.some(({ rate }) => rate === metric);
  return family === 'decision' ? hallucinations.includes(metric.replace(/_hall$/, '')) : families.includes(family);
}

test('the counts of a history give back the rates of the summary', () => {
  const groups = world.view().groups.filter(({ window }) => window === 'all');
  assert.ok(groups.length > 4);
  for (const { blocks, row } of groups)
    for (const metric of historyMetrics) {
      const { value, lower, upper } = historyValue(metric, cellsOf(row, layout), z95);
      const expected = at(blocks(), metric.path);
      // A family that the world does not have has no block.
      if (typeof expected === 'number' || expected == null) assert.equal(value, expected ?? null, metric.path);
      else
        assert.deepEqual(
          [value, lower, upper],
          ['value', 'lower', 'upper'].map((key) => at(expected, key)),
          metric.path,
        );
    }
});

test('nothing scored has no rates', () => {
  for (const metric of historyMetrics)
    assert.equal(historyValue(metric, cellsOf(new Float64Array(layout.width), layout), z95).value, null, metric.path);
});

test('what fails most comes first; tools that never failed are left out', () => {
  const rate = (numerator: number, denominator: number) => ({
    success: { value: 0, numerator, denominator, lower: 0, upper: 1 },
  });
  const worst = worstOf({
    tools: { fine: rate(9, 9), some: rate(1, 3), most: rate(5, 90), same: rate(0, 2) },
    parameter_mismatches: { t: { x: 2, y: 7 }, u: { x: 7 } },
    missing_tools: { m: { tasks: 1, occurrences: 4 }, n: { tasks: 2, occurrences: 2 } },
  });
  assert.deepEqual(
    worst.tools.map(({ tool }) => tool),
    ['most', 'some', 'same'],
  );
  assert.deepEqual(
    worst.parameters.map(({ tool, parameter }) => [tool, parameter]),
    [
      ['t', 'y'],
      ['u', 'x'],
      ['t', 'x'],
    ],
  );
  assert.deepEqual(
    worst.missing.map(({ tool }) => tool),
    ['n', 'm'],
  );
  assert.deepEqual(worst.extra, []);
});

test('a report holds every group, and the history where there are several times', () => {
  const groups = world.summary('*', 'all')['groups'] as PlainGroup[];
  const one = reportDocument([{ asOfMs: 1000, groups, about: undefined }], 5000);
  assert.equal(one.history, null);
  assert.deepEqual(
    [one.sets, one.windows],
    [
      ['model', 'agent'],
      ['all', '5m', '1h', '24h'],
    ],
  );
  assert.deepEqual(
    one.groups.map(({ slice, window }) => [slice, window]),
    groups.map(({ slice, window }) => [slice, window]),
  );
  const two = reportDocument(
    [1000, 2000].map((asOfMs) => ({ asOfMs, groups, about: undefined })),
    5000,
  );
  assert.ok(two.history?.kind === 'values');
  assert.deepEqual(two.history.at, [1000, 2000]);
  const points = two.history.windows['5m']![totalId]!['decision.accuracy']!;
  const { value } = at(
    groups.find(({ window }) => window === '5m'),
    'decision.accuracy',
  ) as { value: number };
  assert.deepEqual(
    points.map((point) => point![0]),
    [value, value].map((number) => Math.round(number * 1e4) / 1e4),
  );
});
