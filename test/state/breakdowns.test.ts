import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import {
  addBreakdowns,
  addToHistogram,
  type Breakdowns,
  breakdownKeys,
  createBreakdowns,
  restoreBreakdowns,
} from '../../src/state/breakdowns.ts';
import { chunkOf, keyOf, liveRows, valuesAt } from '../../src/state/containers/table.ts';
import { noLimitHits } from '../../src/state/limit-hits.ts';
import type { BreakdownAddition } from '../../src/state/addition.ts';
import { other } from '../../src/state/slices.ts';
import { madeUpLayout } from '../support/made-up-layout.ts';
import { runs } from '../support/soak.ts';

const defaults = settingsOf(loadConfig({}).config, undefined);
const widths = [2, 1, 3];
const layout = madeUpLayout([['count'], widths.slice(0, 2)], [['sum'], widths.slice(2)]);
const namesMax = 3;
const settings = { ...defaults, layout, limits: { ...defaults.limits, names: namesMax } };

const addition = fc
  .record({
    breakdown: fc.nat(widths.length - 1),
    key: fc.constantFrom('a', 'b', 'c', '', '__proto__', other),
    subkey: fc.constantFrom('', '', 'x'),
    column: fc.nat(2),
    amount: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ column, ...rest }): BreakdownAddition => ({ ...rest, column: column % widths[rest.breakdown]! }));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ slice: fc.nat(2), at: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ slice: fc.nat(2), histogram: fc.nat(3), key: fc.nat(2), amount: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

test('breakdowns hold what each addition alone gives, a name or a row beyond the limit under __other__', () => {
  fc.assert(
    fc.property(
      fc.array(addition, { minLength: 6, maxLength: 6 }),
      fc.array(step, { maxLength: 60, size: 'max' }),
      fc.constantFrom(4, 1_000),
      (additions, steps, rowsMax) => {
        const limited = { ...settings, limits: { ...settings.limits, breakdowns: rowsMax } };
        const limitHits = noLimitHits();
        let breakdowns = createBreakdowns(limited, limitHits);
        const { model, add } = emptyModel();
        const known = widths.map(() => new Set<string>());
        let rows = 0;
        const hits = { names: 0, breakdowns: 0 };
        for (const each of steps) {
          if (each === 'restart') {
            breakdowns = createBreakdowns(limited, limitHits, breakdowns.table, breakdowns.names);
            restoreBreakdowns(breakdowns);
          } else if ('at' in each) {
            const { breakdown, key, subkey, column, amount } = additions[each.at]!;
            const names = known[breakdown]!;
            const isNew = !names.has(`${key}/${subkey}`);
            const beyond = isNew && names.size >= namesMax && key !== other;
            if (beyond) hits.names++;
            const rest = `${other}/${subkey === '' ? '' : other}`;
            const wanted = beyond ? rest : `${key}/${subkey}`;
            const hasRow = model.has(`${each.slice}/${breakdown}/${wanted}`);
            const overfull = !hasRow && rows >= rowsMax && wanted !== rest;
            if (overfull) hits.breakdowns++;
            const name = overfull ? rest : wanted;
            names.add(name);
            if (!model.has(`${each.slice}/${breakdown}/${name}`)) rows++;
            add(`${each.slice}/${breakdown}/${name}`, column, amount);
            addBreakdowns(breakdowns, [additions[each.at]!], each.slice);
          } else {
            addToHistogram(breakdowns, each.slice, each.histogram, each.key, each.amount);
            add(`${each.slice}/histogram ${each.histogram}/${each.key}`, 0, each.amount);
          }
          assert.deepEqual(contentsOf(breakdowns), new Map([...model].sort()));
          const sizes = known.map(({ size }) => size);
          assert.deepEqual(breakdowns.sizes, sizes);
          assert.deepEqual({ names: limitHits.names, breakdowns: limitHits.breakdowns }, hits);
        }
      },
    ),
    { numRuns: runs(20) },
  );
});

/** Columns by slice, breakdown and names, without rows. */
function emptyModel() {
  const model = new Map<string, number[]>();
  const add = (place: string, column: number, amount: number): void => {
    if (!model.has(place)) model.set(place, new Array<number>(3).fill(0));
    model.get(place)![column]! += amount;
  };
  return { model, add };
}

/** Columns by slice, breakdown and names, or by slice, histogram and key. */
function contentsOf({ table, names }: Breakdowns): Map<string, number[]> {
  const rows = liveRows(table).map((row): [string, number[]] => {
    const [slice, breakdown, key, subkey] = [
      breakdownKeys.slice,
      breakdownKeys.breakdown,
      breakdownKeys.key,
      breakdownKeys.subkey,
    ].map((at) => keyOf(table, row, at)) as [number, number, number, number];
    const isHistogram = breakdown >= widths.length;
    const name = isHistogram
      ? `histogram ${breakdown - widths.length}/${key}`
      : `${breakdown}/${names.list[key]}/${names.list[subkey]}`;
    const at = valuesAt(table, row);
    return [`${slice}/${name}`, [...chunkOf(table, row).subarray(at, at + 3)]];
  });
  return new Map(rows.sort());
}

test('a total of a histogram is never negative', () => {
  const breakdowns = createBreakdowns(settings, noLimitHits());
  addToHistogram(breakdowns, 0, 0, 0, 1);
  addToHistogram(breakdowns, 0, 0, 0, -1);
  assert.throws(() => addToHistogram(breakdowns, 0, 0, 0, -1), /assertion failed: a total of a histogram is negative/);
});
