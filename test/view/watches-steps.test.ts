import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { PartitionState } from '../../src/state/partition.ts';
import type { Steps } from '../../src/state/steps.ts';
import { prepareWatches, watchReadings } from '../../src/view/watches.ts';
import { runs } from '../support/soak.ts';
import { watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

const settings = watchSettings(['5m', '1h']);
const rules = [{ baseline: 0.02 }, {}];

/** Events; whoever begins to prepare a reading, and how far those who have begun get; a reading; partitions that go, and come anew. */
const turns = fc.array(
  fc.record({
    partition: fc.nat(2),
    on: fc.oneof({ weight: 8, arbitrary: fc.nat(2_000) }, fc.nat(90_000), fc.nat(2_000_000)),
    model: fc.constantFrom('a', 'b', 'c', 'd'),
    n: fc.nat(400),
    share: fc.constantFrom(0, 0.3, 1),
    begins: fc.boolean(),
    steps: fc.array(fc.nat(4), { maxLength: 3 }),
    read: fc.boolean(),
    assigned: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, fc.subarray([0, 1, 2])),
  }),
  { maxLength: 30 },
);

test('several prepare their readings by turns while partitions come and go: each reading is as if nobody had', () => {
  fc.assert(
    fc.property(turns, (drawn) => {
      const watcher = watcherWith(settings, ...rules);
      const partitions = [0, 1, 2].map(() => watchedPartition(settings));
      let states: readonly PartitionState[] = partitions.map(({ state }) => state);
      let open: Steps<void>[] = [];
      let nowMs = Date.UTC(2026, 0, 1);
      for (const { partition, on, model, n, share, begins, steps, read, assigned } of drawn) {
        nowMs += on;
        if (assigned !== undefined) {
          partitions[partition] = watchedPartition(settings);
          states = assigned.map((at) => partitions[at]!.state);
        }
        partitions[partition]!.add({ model, tsMs: nowMs, n, bad: Math.floor(n * share) });
        if (begins) open.push(prepareWatches(watcher, states, () => nowMs));
        for (const [at, count] of steps.entries())
          open = open.filter((one, index) => index !== at % open.length || isOpenAfter(one, count));
        if (read)
          assert.deepEqual(
            watchReadings(watcher, states, nowMs),
            watchReadings(watcherWith(settings, ...rules), states, nowMs),
          );
      }
      for (const one of open) isOpenAfter(one, Number.POSITIVE_INFINITY);
    }),
    { numRuns: runs(40, 400) },
  );
});

function isOpenAfter(steps: Steps<void>, count: number): boolean {
  for (let step = 0; step < count; step++) if (steps.next().done) return false;
  return true;
}
