import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { stability } from '../../src/scoring/stability/index.ts';
import { partitionMemory } from '../../src/state/memory.ts';
import type { Settings } from '../../src/state/settings.ts';
import { madeUpLayout } from '../support/made-up-layout.ts';
import { configWith } from '../support/folding.ts';

/** Rows of 9 cells, 3 breakdowns of at most 3 columns, panes of 60 + 360 and one without an end. */
const settings: Settings = {
  ...settingsOf(loadConfig({}).config, undefined),
  layout: madeUpLayout(
    [
      ['count', 'sum', 'count', 'sum', 'sum'],
      [1, 3],
    ],
    [[], [2]],
  ),
  windows: {
    windows: [],
    tiers: [
      { paneMs: 1, panes: 60 },
      { paneMs: 2, panes: 360 },
    ],
    longestMs: 720,
  },
  stability: stability({ k: 5, form: 'closed', mode: 'spec' }),
  limits: { dedupeIds: 6_000, pending: 10, slices: 2, names: 4, breakdowns: 40, attributions: 100, groups: 20 },
};

test('what a partition can take is worked out from its limits, part by part', () => {
  const told = partitionMemory(settings).map(({ name, factors, bytes }) => {
    return [name, factors.map(({ count, of }) => `${count} ${of}`).join(' x '), bytes];
  });
  assert.deepEqual(told, [
    // 24 bytes a slot, 60 % of which are in use, and 1/16 to spare.
    ['ids remembered', '6000 ids', 24 * 10_625],
    ['pending predictions', '10 predictions', 10 * 1_450],
    // A table: 8 bytes for each of 4 keys and its values, a mark, two slots of 4 bytes at a load of a quarter to a half.
    ['windows', '2 slices x 421 panes', 842 * 8 * 13 + 1_024 + 2 * 4 * 2_048 + 842 * 8],
    ['breakdowns', '40 rows', 40 * 8 * 7 + 64 + 2 * 4 * 128],
    ['names', '3 breakdowns x 4 names', 12 * 375],
    // A row of one value, and its number in the list of its pane.
    ['blames', '100 sets in panes', 100 * 8 * 5 + 128 + 2 * 4 * 256 + 100 * 8],
    ['sets blamed', '4 sets', 4 * 230],
    // A row has the time of the last run, runs ignored and held, home, lowest run, and 8 runs in a double; a heap two doubles.
    ['groups of runs', '20 groups', 20 * 8 * 10 + 32 + 2 * 4 * 64 + 2 * 8 * 32],
    // By gold label: 3 counters, 2 x 7 shapes, 0 to 5 runs correct, 0 to 4 flips, 0 to 5 successes.
    ['histograms of runs', '2 slices x 142 keys', 284 * 8 * 7 + 512 + 2 * 4 * 1_024],
  ]);
});

test('the default configuration allows at most 2 GB a partition', () => {
  const parts = partitionMemory(settingsOf(loadConfig({}).config, undefined));
  assert.ok(parts.reduce((sum, { bytes }) => sum + bytes, 0) <= 2e9);
});

test('where runs are not compared they take nothing', () => {
  const names = partitionMemory({ ...settings, stability: undefined }).map(({ name }) => name);
  assert.deepEqual(names, [
    'ids remembered',
    'pending predictions',
    'windows',
    'breakdowns',
    'names',
    'blames',
    'sets blamed',
  ]);
});

test('verdicts of judges take what groups take, where judgements are read', () => {
  const { layout } = settingsOf(configWith({ 'kafka.judgements_topic': 'j' }), undefined);
  const told = partitionMemory({ ...settings, layout }).find(({ name }) => name === 'verdicts of judges');
  // A row of a time and four verdicts; a heap two doubles.
  assert.deepEqual(told, {
    name: 'verdicts of judges',
    factors: [{ count: 20, of: 'predictions' }],
    bytes: 20 * 8 * 9 + 32 + 2 * 4 * 64 + 2 * 8 * 32,
  });
});

test('a limit of nothing takes what an empty table does', () => {
  const none = { ...settings, limits: { ...settings.limits, attributions: 0 } };
  const told = partitionMemory(none).find(({ name }) => name === 'blames');
  assert.equal(told!.bytes, 1 + 4 * 1);
});
