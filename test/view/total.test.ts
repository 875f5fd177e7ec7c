import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { demoTraffic } from '../../src/commands/demo/scenario.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { alwaysRate } from '../../src/view/always-rate.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { totalOf } from '../../src/view/total.ts';
import { configWith, foldingOf, viewWith } from '../support/folding.ts';

test('the total of a family is that of the view', () => {
  const config = configWith({ 'metrics.schema.enabled': false });
  const state = emptyPartition(settingsOf(config, undefined));
  const rate = rateWith(z95);
  assert.equal(totalOf(state, 'decision', rate), null);
  sliceCode(state.slices, ['pending', 'only']);
  assert.equal(totalOf(state, 'decision', rate), null, 'a slice of which nothing was scored');
  const traffic = createTraffic(demoTraffic);
  const table = truthFromRecords(traffic.examples.map(({ record }) => record));
  const lines = Array.from({ length: 300 }, (_, at) => traffic.next(1_777_000_000_000 + 40_000 * at, undefined)).flat();
  foldingOf(config, table, { state }).add(lines.map(({ value }) => value));
  const { blocks } = viewWith(config, [state], state.numbers.greatestTs).groups[0]!;
  assert.ok(blocks['decision']);
  assert.deepEqual(totalOf(state, 'decision', alwaysRate(rate)), blocks['decision']);
  assert.equal(totalOf(state, 'schema', rate), undefined, 'switched off');
});
