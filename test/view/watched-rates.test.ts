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
  let seen = 0;
  for (const { path, n, bad } of watchableRates(settings.layout)) {
    const read = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], group!.blocks);
    const { numerator, denominator } = read as { numerator: number; denominator: number };
    const counted = [readCells(n, group!.row, 0), readCells(bad, group!.row, 0)];
    assert.equal(counted[0], denominator, path);
    assert.ok(counted[1] === numerator || counted[1] === denominator - numerator, path);
    if (denominator > 0) seen++;
  }
  assert.ok(seen > 10);
});
