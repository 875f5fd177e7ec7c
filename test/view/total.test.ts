import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readerOf, settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { demoTraffic } from '../../src/commands/demo/scenario.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { alwaysRate } from '../../src/view/always-rate.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { activateTruth, createFold, foldRecords } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import { totalOf } from '../../src/view/total.ts';
import { viewOf } from '../../src/view/view.ts';

test('the total of a family is that of the view', () => {
  const { config } = loadConfig({ flags: [{ path: ['metrics', 'schema', 'enabled'], value: false, place: 'test' }] });
  const settings = settingsOf(config, undefined);
  const state = emptyPartition(settings);
  const rate = rateWith(z95);
  assert.equal(totalOf(state, 'decision', rate), null);
  sliceCode(state.slices, ['pending', 'only']);
  assert.equal(totalOf(state, 'decision', rate), null, 'a slice of which nothing was scored');
  const traffic = createTraffic(demoTraffic);
  const table = truthFromRecords(traffic.examples.map(({ record }) => record));
  activateTruth(state, table);
  const lines = Array.from({ length: 300 }, (_, at) => traffic.next(1_777_000_000_000 + 40_000 * at, undefined)).flat();
  const records = lines.map(({ value }, offset) => {
    const bytes = Buffer.from(value);
    return { bytes, start: 0, end: bytes.length, offset, timestamp: Number.NaN };
  });
  const fold = createFold(state, readerOf(config, false));
  foldRecords(fold, records, 0, records.length, activeTruth(table, settings.layout.families));
  const view = viewOf([state], settings, state.numbers.greatestTs, {
    sets: [],
    rate,
    withWindows: false,
    withBreakdowns: true,
    groupsMax: undefined,
  });
  const { blocks } = view.groups[0]!;
  assert.ok(blocks['decision']);
  assert.deepEqual(totalOf(state, 'decision', alwaysRate(rate)), blocks['decision']);
  assert.equal(totalOf(state, 'schema', rate), undefined, 'switched off');
});
