import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { paneOf, type Tier, type WindowPlan } from '../../src/state/windows.ts';
import { segmentsAt } from '../../src/view/watch-segments.ts';
import { runs } from '../support/soak.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Tiers as `pane x number of panes`, T, and the segments as `tier:first to last pane`. */
const cases: readonly (readonly [what: string, tiers: string, asOfMs: number, segments: string])[] = [
  ['one tier: all that is kept', '10x12', 1_005, '0:89 to 100'],
  ['the coarser tier up to a border of both: 920', '10x12 40x10', 1_005, '1:16 to 22, 0:92 to 100'],
  ['a border in the newer half, just so: 60 of 120', '10x12 60x10', 1_005, '1:7 to 14, 0:90 to 100'],
  [
    'a tier without a border in the newer half is left out: 70 of 120',
    '10x12 70x10 20x60',
    1_005,
    '2:-9 to 44, 0:90 to 100',
  ],
  ['no tier joins: the finest alone', '10x12 70x10', 1_005, '0:89 to 100'],
  ['no more than 24 hours, from a whole pane on', `${hour}x30`, 10 * day + 1, '0:217 to 240'],
  [
    'the finest tier holds all of the 24 hours: no other is asked',
    `${hour}x30 ${2 * hour}x30`,
    10 * day,
    '0:216 to 240',
  ],
];

const planOf = (tiers: readonly (readonly [paneMs: number, panes: number])[]): WindowPlan =>
  ({ tiers: tiers.map(([paneMs, panes]) => ({ paneMs, panes })) }) as unknown as WindowPlan;

for (const [what, text, asOfMs, wanted] of cases)
  test(`segments: ${what}`, () => {
    const tiers = text.split(' ').map((tier) => tier.split('x').map(Number) as [number, number]);
    const found = segmentsAt(planOf(tiers), asOfMs);
    assert.equal(found.map(({ tier, first, last }) => `${tier}:${first} to ${last}`).join(', '), wanted);
    for (const { tier, paneMs } of found) assert.equal(paneMs, tiers[tier]![0]);
  });

test('law: segments follow each other without a gap up to T, of panes that are kept, the finest last', () => {
  const tier = fc.tuple(fc.constantFrom(5, 10, 20, 30, 60, 90), fc.integer({ min: 2, max: 40 }));
  const tiers = fc
    .uniqueArray(tier, { minLength: 1, maxLength: 4, selector: ([paneMs]) => paneMs })
    .map((list) => list.toSorted(([a], [b]) => a - b));
  fc.assert(
    // Later than any tier is long: no pane begins at 0.
    fc.property(tiers, fc.integer({ min: 4_000, max: 1_000_000 }), (list, asOfMs) => {
      const plan = planOf(list);
      const segments = segmentsAt(plan, asOfMs);
      const newest = segments.at(-1)!;
      assert.deepEqual([newest.tier, newest.last], [0, paneOf(plan.tiers[0]!, asOfMs)]);
      for (const [at, { tier, paneMs, first }] of segments.entries()) {
        const kept: Tier = plan.tiers[tier]!;
        assert.ok(Number.isInteger(first) && first > paneOf(kept, asOfMs) - kept.panes);
        const before = segments[at - 1];
        if (before === undefined) continue;
        assert.ok(before.tier > tier);
        assert.equal((before.last + 1) * before.paneMs, first * paneMs);
      }
    }),
    { numRuns: runs(200) },
  );
});
