import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Family, Joined } from '../../src/scoring/family.ts';
import { isObject, type Json } from '../../src/scoring/json.ts';
import { blockOf, blocksAfterEach } from './scoring.ts';
import { mergeTallies, tallyEvents } from './tally.ts';

/** What the laws of a family are tested with. */
export interface FamilyLaws<Options, P, O, S> {
  readonly family: (options: Options) => Family<P, O, S>;
  readonly options: fc.Arbitrary<Options>;
  readonly events: fc.Arbitrary<Joined>;
  /** The definition over the whole set at once, independent of the family. */
  readonly oracle: (events: readonly Joined[], options: Options) => unknown;
  /** How many lists of events are held against it. */
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
    fc.assert(property, { numRuns: laws.oracleRuns });
  });

  test('law: any order and any parts give the same sums, to the last bit', () => {
    const property = fc.property(fc.array(events, { maxLength: 12 }), fc.nat(12), options, (all, cut, chosen) => {
      const whole = tallyEvents(family(chosen), all).contents();
      assert.deepEqual(tallyEvents(family(chosen), [...all].reverse()).contents(), whole);
      const parts = [all.slice(cut), [], all.slice(0, cut)].map((part) => tallyEvents(family(chosen), part));
      assert.deepEqual(mergeTallies(family(chosen), parts).contents(), whole);
    });
    fc.assert(property, { numRuns: 150 });
  });

  test('law: rates and means lie in their bounds', () => {
    const property = fc.property(fc.array(events, { maxLength: 12 }), options, (all, chosen) => {
      assertBounds(blockOf(family(chosen), all) as Json);
    });
    fc.assert(property, { numRuns: 150 });
  });
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
