import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/app/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { addToHistogram } from '../../src/state/breakdowns.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { takePending } from '../../src/state/pending.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import type { Store } from '../../src/state/containers/store.ts';
import { createTable } from '../../src/state/containers/table.ts';
import { finish } from '../../src/state/steps.ts';

const settings = settingsOf(loadConfig({}).config, undefined);

test('a store whose containers are not those of the settings is refused: what, and what to do', () => {
  const store = (): Store => storeOf(emptyPartition(settings), {});
  const { tables } = store();
  const refused: [Partial<Store>, RegExp][] = [
    [{ ids: new Map() }, /its ids are , those of this release seen; .* --rebuild/],
    [
      { tables: new Map([...tables, ['more', createTable(1)]]) },
      /its tables are entries, groups, more, tallies, those/,
    ],
    [{ tables: new Map([...tables, ['tallies', createTable(1)]]) }, /table tallies has 1 values a row, \d+ expected/],
  ];
  for (const [change, why] of refused) {
    assert.throws(() => finish(restoredPartition(settings, { ...store(), ...change })), why);
  }
  assert.equal(finish(restoredPartition(settings, store())).numbers.nextOffset, 0);
});

test('a state that contradicts itself is not saved, and a total is never negative', () => {
  const broken: [(state: PartitionState) => void, RegExp][] = [
    [({ numbers }) => void (numbers.read = 1), /assertion failed: 1 events were read, 0 are accounted for/],
    [
      ({ numbers }) => void (numbers.lastOffset = 0),
      /assertion failed: record 0 was applied, and the next offset is 0/,
    ],
  ];
  for (const [breakIt, why] of broken) {
    const state = emptyPartition(settings);
    breakIt(state);
    assert.throws(() => storeOf(state, {}), why);
  }
  const { breakdowns, pending } = emptyPartition(settings);
  addToHistogram(breakdowns, 0, 0, 0, 1);
  assert.throws(() => addToHistogram(breakdowns, 0, 0, 0, -2), /assertion failed: a total of a histogram is negative/);
  assert.throws(() => takePending(pending, 0), /assertion failed: a prediction is taken that does not wait/);
});
