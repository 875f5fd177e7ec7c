import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import {
  addBreakdowns,
  addToHistogram,
  type Breakdowns,
  createBreakdowns,
  restoreBreakdowns,
  totalsOf,
} from '../../src/state/breakdowns.ts';
import { noLimitHits } from '../../src/state/limit-hits.ts';
import type { BreakdownAddition } from '../../src/state/addition.ts';
import { runs } from '../support/soak.ts';

const settings = settingsOf(loadConfig({}).config, undefined);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ slice: fc.nat(3), histogram: fc.nat(3), key: fc.nat(4), amount: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.constantFrom('read' as const, 'breakdown' as const) },
);

/** Rows of breakdowns lie among those of histograms. */
const ofTool: BreakdownAddition = { breakdown: 0, key: 'tool', subkey: '', column: 0, amount: 1 };

/** Totals by slice, histogram and key. */
function namedTotals(breakdowns: Breakdowns): Map<string, number> {
  const { slices, kinds, known } = breakdowns.histograms;
  return new Map(
    [...totalsOf(breakdowns)].map((total, index) => {
      const { histogram, key } = known.list[kinds[index]!]!;
      return [`${slices[index]}/${histogram}/${key}`, total];
    }),
  );
}

test('totals of histograms are the sums of what was added, also of a restored table', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const breakdowns = createBreakdowns(settings, noLimitHits());
      const expected = new Map<string, number>();
      for (const each of [...steps, 'read' as const]) {
        if (each === 'breakdown') addBreakdowns(breakdowns, [ofTool], 0);
        else if (each === 'read') assert.deepEqual(namedTotals(breakdowns), expected);
        else {
          const { slice, histogram, key, amount } = each;
          addToHistogram(breakdowns, slice, histogram, key, amount);
          const place = `${slice}/${histogram}/${key}`;
          expected.set(place, (expected.get(place) ?? 0) + amount);
        }
      }
      const kinds = [...expected.keys()].map((place) => place.slice(place.indexOf('/')));
      const restored = createBreakdowns(settings, noLimitHits(), breakdowns.table, breakdowns.names);
      restoreBreakdowns(restored);
      assert.deepEqual(namedTotals(restored), expected);
      assert.equal(breakdowns.histograms.known.list.length, new Set(kinds).size, 'slices share the kinds');
    }),
    { numRuns: runs(60) },
  );
});
