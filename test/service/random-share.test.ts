import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Sample, Share } from '../../src/formats/summary/review.ts';
import { createRandomShare, type RandomShare } from '../../src/service/random-share.ts';
import type { Moment, Scored } from '../../src/stream/score.ts';
import { runs } from '../support/soak.ts';

const count = 10;

interface Made {
  readonly share: RandomShare;
  readonly clock: { ms: number };
}

function made(): Made {
  const clock = { ms: 0 };
  const sampleOf = ({ event, failed }: Scored): Sample =>
    ({ event_id: event.eventId!, families: failed ? ['match'] : [] }) as unknown as Sample;
  return { clock, share: createRandomShare({ count, nowMs: () => clock.ms, sampleOf }) };
}

function add({ share }: Made, id: string, moment: Moment = 'both', failed = false): void {
  share.add({ event: { eventId: id }, ts: 0, moment, failed } as unknown as Scored);
}

const idsOf = (share: Share | undefined): string[] => share!.events.map(({ event_id: id }) => id!);

test('in any order, some of them twice, the same events are chosen with the same chance', () => {
  const ids = fc.uniqueArray(fc.string(), { maxLength: 40 });
  const cases = ids.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: 0 })));
  fc.assert(
    fc.property(cases, ([all, more]) => {
      const [one, other] = [made(), made()];
      for (const id of all) add(one, id);
      for (const id of [...more, ...all]) add(other, id);
      const [first] = one.share.takeChanged() ?? [];
      assert.deepEqual(other.share.takeChanged()?.[0], first);
      if (first === undefined) return;
      assert.equal(first.events.length, Math.min(count, all.length));
      assert.equal(first.chance === 1, all.length <= count);
    }),
    { numRuns: runs(100) },
  );
});

test('each event stands for 1/chance: together they stand for all, on average', () => {
  const [rounds, events] = [runs(100), 1_000];
  let sum = 0;
  for (let round = 0; round < rounds; round++) {
    const one = made();
    for (let at = 0; at < events; at++) add(one, `${round}-${at}`);
    const [{ chance, events: chosen }] = one.share.takeChanged() as [Share];
    sum += chosen.length / chance;
  }
  // The standard deviation of one round is a third of the number of events; of their mean it is 1/30.
  const mean = sum / rounds / events;
  assert.ok(mean > 0.87 && mean < 1.13, String(mean));
});

test('an event that waited for its truth keeps its place, and is not chosen anew', () => {
  const one = made();
  for (let at = 0; at < 30; at++) add(one, `${at}`, 'accepted');
  const [before] = one.share.takeChanged()!;
  assert.equal(one.share.takeChanged(), undefined, 'nothing has changed');
  one.clock.ms = 4_000_000;
  for (let at = 0; at < 30; at++) add(one, `${at}`, 'scored', true);
  const [now, last] = one.share.takeChanged()!;
  assert.deepEqual([idsOf(now), idsOf(last)], [[], idsOf(before)]);
  assert.ok(last!.events.every(({ families }) => families.length === 1));
});

test('this hour and the last are kept', () => {
  const one = made();
  for (const id of ['a', 'b', 'c']) {
    add(one, id);
    one.clock.ms += 3_600_000;
  }
  assert.deepEqual(one.share.takeChanged()!.map(idsOf), [['c'], ['b']]);
});
