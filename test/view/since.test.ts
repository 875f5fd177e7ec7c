import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import type { AvailableSince } from '../../src/state/available-since.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { sinceReader } from '../../src/view/since.ts';
import { minuteMs, startMs, viewConfig } from '../support/viewed-traffic.ts';

const settings = settingsOf(viewConfig(['1m', '10m', '1h']), undefined);
const [all, oneMinute, tenMinutes, hour] = [0, 1, 2, 3] as const;
const asOfMs = startMs;

const begunAgo = (kind: AvailableSince['kind'], name: string, minutes: number): AvailableSince => ({
  ...{ kind, name, sinceMs: asOfMs - minutes * minuteMs, offset: 0 },
});

function readerOf(...partitions: readonly (readonly AvailableSince[])[]) {
  const states = partitions.map((availableSince) => ({
    ...emptyPartition(settings),
    availableSince: [...availableSince],
  }));
  const since = sinceReader(states, settings, asOfMs);
  /** Minutes before T, by family. */
  return (dimensions: readonly string[], window: number) => {
    const found = since(dimensions, window, ['decision', 'schema']);
    return found && Object.fromEntries(Object.entries(found).map(([name, ms]) => [name, (asOfMs - ms) / minuteMs]));
  };
}

test('a family that has availableSince later says so where the window reaches further back', () => {
  const ago = readerOf([begunAgo('family', 'schema', 5)]);
  assert.deepEqual(
    [all, oneMinute, tenMinutes].map((window) => ago([], window)),
    [{ schema: 5 }, undefined, { schema: 5 }],
  );
});

test('a dimension holds for every family of the groups by it, the later of two beginnings counts', () => {
  const ago = readerOf([begunAgo('family', 'schema', 5), begunAgo('dimension', 'agent', 20)]);
  assert.deepEqual(ago(['model', 'agent'], all), { decision: 20, schema: 5 });
  assert.deepEqual(ago(['model'], all), { schema: 5 });
  assert.deepEqual(ago(['agent'], tenMinutes), { schema: 5 });
});

test('a window holds for every family in it alone', () => {
  const ago = readerOf([begunAgo('window', `${60 * minuteMs}`, 40)]);
  assert.deepEqual(
    [ago([], hour), ago([], tenMinutes), ago([], all)],
    [{ decision: 40, schema: 40 }, undefined, undefined],
  );
});

test('of several partitions the one that began last counts', () => {
  const [early, late] = [[begunAgo('family', 'schema', 9)], [begunAgo('family', 'schema', 3)]];
  for (const partitions of [
    [early, late],
    [late, early],
  ])
    assert.deepEqual(readerOf(...partitions)([], all), { schema: 3 });
});

test('a window reaches back to the beginning of its first pane', () => {
  // Panes of 10 s: that of T has just availableSince, so that 59 before it are in 10 minutes.
  const firstMinutes = 10 - 1 / 6;
  assert.equal(readerOf([begunAgo('family', 'schema', firstMinutes)])([], tenMinutes), undefined);
  assert.ok(readerOf([begunAgo('family', 'schema', firstMinutes - 0.001)])([], tenMinutes));
});

test('where nothing began later, or nothing was read, nothing is said', () => {
  assert.equal(readerOf([])([], all), undefined);
  const availableSince = [begunAgo('family', 'schema', 5)];
  assert.equal(
    sinceReader([{ ...emptyPartition(settings), availableSince }], settings, undefined)([], all, ['schema']),
    undefined,
  );
});
