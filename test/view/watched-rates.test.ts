import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/app/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { readCells, watchableRates } from '../../src/view/watched-rates.ts';
import { viewOf } from '../../src/view/view.ts';
import { viewConfig, viewedTraffic } from '../support/viewed-traffic.ts';

test('cases and bad cases of every rate are those of its block, in both modes', () => {
  for (const mode of ['spec', 'upstream']) {
    const { config } = loadConfig({ flags: [{ path: ['metrics', 'mode'], value: mode, place: 'test' }] });
    assert.ok(watchableRates(settingsOf(config, undefined).layout).length > 10);
  }
  const { states } = viewedTraffic(viewConfig());
  const { settings } = states[0]!;
  const options = { sets: [], rate: rateWith(z95), withWindows: false, withBreakdowns: false, groupsMax: undefined };
  const [group] = viewOf(states, settings, undefined, options).groups;
  const seen = new Set<string>();
  for (const { path, n, bad } of watchableRates(settings.layout)) {
    const read = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], group!.blocks);
    const cases = readCells(n, group!.row, 0);
    const wrong = readCells(bad, group!.row, 0);
    // Of a label the block has the share alone.
    if (typeof read === 'number') assert.ok(Math.abs((cases - wrong) / Math.max(1, cases) - read) < 1e-12, path);
    else {
      const { numerator, denominator } = read as { numerator: number; denominator: number };
      assert.equal(cases, denominator, path);
      assert.ok(wrong === numerator || wrong === denominator - numerator, path);
    }
    if (cases > 0) seen.add(path);
  }
  assert.ok(seen.size > 18);
  for (const path of ['trajectory.strict.success', 'structured.exact_match_rate', 'decision.per_class.direct.recall'])
    assert.ok(seen.has(path), path);
});
