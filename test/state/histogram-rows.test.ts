import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import {
  addBreakdowns,
  addToHistogram,
  createBreakdowns,
  type HistogramRows,
  histogramRows,
} from '../../src/state/breakdowns.ts';
import { clearChanges } from '../../src/state/containers/table.ts';
import { noLimitHits } from '../../src/state/limit-hits.ts';
import type { BreakdownAddition } from '../../src/state/addition.ts';

const settings = settingsOf(loadConfig({}).config, undefined);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ slice: fc.nat(3), histogram: fc.nat(3), key: fc.nat(4), amount: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.constantFrom('read' as const, 'breakdown' as const) },
  // Marks of changes come round after 255 checkpoints.
  { weight: 1, arbitrary: fc.record({ checkpoints: fc.constantFrom(1, 2, 254, 255, 256, 510, 511) }) },
);

/** Rows of breakdowns lie among those of histograms. */
const ofTool: BreakdownAddition = { breakdown: 0, key: 'tool', subkey: '', column: 0, amount: 1 };

/** Totals by slice, histogram and key. */
function totalsOf({ rows, slices, kinds, totals, known }: HistogramRows): Map<string, number> {
  return new Map(
    rows.map((_, index) => {
      const { histogram, key } = known.list[kinds[index]!]!;
      return [`${slices[index]}/${histogram}/${key}`, totals[index]!];
    }),
  );
}

test('totals that are kept from one reading to the next are those of the table, whatever checkpoints come between', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const breakdowns = createBreakdowns(settings, noLimitHits());
      const expected = new Map<string, number>();
      for (const each of [...steps, 'read' as const]) {
        if (each === 'breakdown') addBreakdowns(breakdowns, [ofTool], 0);
        else if (each === 'read') assert.deepEqual(totalsOf(histogramRows(breakdowns)), expected);
        else if ('checkpoints' in each)
          for (let times = 0; times < each.checkpoints; times++) clearChanges(breakdowns.table);
        else {
          const { slice, histogram, key, amount } = each;
          addToHistogram(breakdowns, slice, histogram, key, amount);
          const place = `${slice}/${histogram}/${key}`;
          expected.set(place, (expected.get(place) ?? 0) + amount);
        }
      }
      const kinds = [...expected.keys()].map((place) => place.slice(place.indexOf('/')));
      assert.equal(histogramRows(breakdowns).known.list.length, new Set(kinds).size, 'slices share the kinds');
    }),
    { numRuns: 300 },
  );
});
