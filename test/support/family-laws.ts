import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Family, Joined } from '../../src/scoring/family.ts';
import { isObject, type Json } from '../../src/scoring/json.ts';
import type { AddedCounts, Block, Counted, Metrics, RowPart } from '../../src/scoring/metric.ts';
import { near } from './near.ts';
import { blockOf, blocksAfterEach, rowOf } from './scoring.ts';
import { mergeTallies, tallyEvents } from './tally.ts';
import { runs } from './soak.ts';

/** What the laws of a family are tested with. */
export interface FamilyLaws<Options, P, O, S> {
  readonly family: (options: Options) => Family<P, O, S>;
  readonly options: fc.Arbitrary<Options>;
  readonly events: fc.Arbitrary<Joined>;
  /** The definition over the whole set at once, independent of the family. */
  readonly oracle: (events: readonly Joined[], options: Options) => unknown;
  /** How many lists of events are held against it; ten times as many in the soak. */
  readonly oracleRuns: number;
  /** Deep equality where it is left out. */
  readonly compare?: (block: unknown, defined: unknown) => void;
}

/**
 * What holds of every family: after every event its block is what the definition gives for all events so far; order and parts do not
 * matter; every rate lies in its interval. fast-check prints the seed of a failure.
 */
export function testFamilyLaws<Options, P, O, S>(laws: FamilyLaws<Options, P, O, S>): void {
  const { family, options, events, oracle } = laws;
  const compare: (block: unknown, defined: unknown) => void = laws.compare ?? assert.deepEqual;

  test('after every event the block is that of the definition over all events so far', () => {
    const property = fc.property(fc.array(events, { maxLength: 8 }), options, (all, chosen) => {
      compare(blockOf(family(chosen), []), oracle([], chosen));
      blocksAfterEach(family(chosen), all).forEach((block, at) => {
        compare(block, oracle(all.slice(0, at + 1), chosen));
      });
    });
    fc.assert(property, { numRuns: runs(laws.oracleRuns) });
  });

  test('law: any order and any parts give the same sums, to the last bit', () => {
    const property = fc.property(fc.array(events, { maxLength: 12 }), fc.nat(12), options, (all, cut, chosen) => {
      const whole = tallyEvents(family(chosen), all).contents();
      assert.deepEqual(tallyEvents(family(chosen), [...all].reverse()).contents(), whole);
      const parts = [all.slice(cut), [], all.slice(0, cut)].map((part) => tallyEvents(family(chosen), part));
      assert.deepEqual(mergeTallies(family(chosen), parts).contents(), whole);
    });
    fc.assert(property, { numRuns: runs(30) });
  });

  test('law: score rows add up to the block', () => {
    const property = fc.property(fc.array(events, { maxLength: 12 }), options, (all, chosen) => {
      const scoring = family(chosen);
      const rows = all
        .map((event) => rowOf(scoring, event))
        .filter((row) => row !== undefined)
        .filter((row) => row['skipped'] !== true);
      const block = blockOf(scoring, all);
      if (block === null) assert.deepEqual(rows, []);
      else assertRows(scoring.metrics as Metrics<unknown>, block, rows);
    });
    fc.assert(property, { numRuns: runs(30) });
  });

  test('law: numbers that are read back from the counts of their block are what they were', () => {
    const property = fc.property(fc.array(events, { maxLength: 12 }), options, (all, chosen) => {
      const block = blockOf(family(chosen), all);
      if (block !== null) assertReadBack(family(chosen).metrics as Metrics<unknown>, block, { block, label: 0 });
    });
    fc.assert(property, { numRuns: runs(30) });
  });

  test('law: a breakdown is kept for each metric that is one', () => {
    const property = fc.property(options, (chosen) => {
      const { breakdowns, metrics } = family(chosen);
      const kinds = Object.values(metrics as Metrics<unknown>).map(({ kind }) => kind);
      assert.equal(breakdowns.length, kinds.filter((kind) => kind === 'breakdown').length);
    });
    fc.assert(property, { numRuns: 10 });
  });

  test('law: entries have a second key in no more breakdowns than there are metrics by two keys', () => {
    const property = fc.property(fc.array(events, { maxLength: 12 }), options, (all, chosen) => {
      const { breakdowns, metrics } = family(chosen);
      const { reader } = tallyEvents(family(chosen), all);
      const byTwo = breakdowns.filter((_, at) => reader.entries(at)!.some(({ subkey }) => subkey !== ''));
      const told = Object.values(metrics as Metrics<unknown>).filter(
        (one) => one.kind === 'breakdown' && one.depth === 2,
      );
      assert.ok(byTwo.length <= told.length, `${byTwo.length}`);
    });
    fc.assert(property, { numRuns: runs(30) });
  });

  test('law: rates and means lie in their bounds', () => {
    const property = fc.property(fc.array(events, { maxLength: 12 }), options, (all, chosen) => {
      assertBounds(blockOf(family(chosen), all) as Json);
    });
    fc.assert(property, { numRuns: runs(30) });
  });
}

/** What the declared metrics make of score rows is what they are of the events. */
function assertRows(metrics: Metrics<unknown>, block: Block, rows: readonly RowPart[]): void {
  for (const [key, metric] of Object.entries(metrics)) {
    if (metric.kind === 'group') {
      const parts = rows.map((row) => row[key]).filter(isObject);
      assertRows(metric.metrics, block[key] as Block, parts);
    } else if (metric.kind === 'number' && metric.counted !== undefined) {
      assertCounted(metric.counted, block, rows, block[key]);
    } else if ((metric.kind === 'rate' || metric.kind === 'mean') && metric.ofRow !== undefined) {
      const values = rows.map(metric.ofRow).filter((value) => value !== undefined);
      const { numerator, denominator, sum, count } = block[key] as Record<string, number>;
      assert.equal(values.length, denominator ?? count, key);
      near(
        values.reduce((total, value) => total + value, 0),
        numerator ?? sum,
        key,
      );
    }
  }
}

/** `beside`: the part of the block that the metrics are of. */
function assertReadBack(metrics: Metrics<unknown>, beside: Block, of: Omit<AddedCounts, 'beside'>): void {
  for (const [key, metric] of Object.entries(metrics)) {
    const part = beside[key] as Block;
    if (metric.kind === 'group') assertReadBack(metric.metrics, part, of);
    else if (metric.kind === 'labels')
      for (const [label, name] of metric.names.entries())
        assertReadBack(metric.metrics, part[name] as Block, { ...of, label });
    else if (metric.kind === 'number' && metric.ofBlock !== undefined)
      assert.equal(metric.ofBlock({ ...of, beside }), part, key);
  }
}

function assertCounted(counted: Counted, block: Block, rows: readonly RowPart[], value: unknown): void {
  const counts = counted.ofBlock(block)!;
  assert.equal(counts.length, counted.cells);
  assert.equal(counted.of(counts), value);
  const ofRows = counts.map(() => 0);
  for (const row of rows) ofRows[counted.ofRow(row)!]!++;
  assert.deepEqual(ofRows, counts);
}

function assertBounds(value: Json): void {
  if (!isObject(value)) return;
  const { value: read, numerator, denominator, lower, upper, sum, count } = value as Record<string, number | null>;
  if (read === undefined) for (const inner of Object.values(value)) assertBounds(inner);
  else if (read === null) assert.equal(denominator ?? count, 0, JSON.stringify(value));
  else if (numerator === undefined) assert.ok(0 <= sum! && sum! <= count! + 1e-9, JSON.stringify(value));
  else {
    assert.ok(0 <= numerator! && numerator! <= denominator!, JSON.stringify(value));
    assert.ok(0 <= lower! && lower! <= read && read <= upper! && upper! <= 1, JSON.stringify(value));
  }
}
