import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AnyFamily, Joined } from '../../src/scoring/family.ts';
import { isObject, type Json } from '../../src/scoring/json.ts';
import { near } from './near.ts';
import { blockOf } from './scoring.ts';
import { mergeTallies, tallyEvents } from './tally.ts';

/** What the laws of a family are tested with. */
export interface FamilyLaws<Options> {
  readonly family: (options: Options) => AnyFamily;
  readonly options: fc.Arbitrary<Options>;
  readonly events: fc.Arbitrary<Joined>;
  /** The definition over the whole set at once, independent of the family. */
  readonly oracle: (events: readonly Joined[], options: Options) => unknown;
  /** How often the oracle is asked. */
  readonly oracleRuns: number;
}

/**
 * What holds of every family: after every event its block is what the definition gives for all events so far; order and parts do not
 * matter; every rate lies in its interval. fast-check prints the seed of a failure.
 */
export function testFamilyLaws<Options>(laws: FamilyLaws<Options>): void {
  const { family, options, events, oracle } = laws;

  test('after every event the block is that of the definition over all events so far', () => {
    const property = fc.property(fc.array(events, { maxLength: 10 }), options, (all, chosen) => {
      for (let end = 0; end <= all.length; end++) {
        const some = all.slice(0, end);
        near(blockOf(family(chosen), some), oracle(some, chosen));
      }
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
  const rate = value as Readonly<Record<string, number>>;
  if ('numerator' in value && value['value'] !== null) {
    const { numerator, denominator, lower, upper } = rate;
    assert.ok(0 <= numerator! && numerator! <= denominator!, JSON.stringify(value));
    assert.ok(
      0 <= lower! && lower! <= rate['value']! && rate['value']! <= upper! && upper! <= 1,
      JSON.stringify(value),
    );
  } else if ('sum' in value && value['value'] !== null) {
    assert.ok(0 <= rate['sum']! && rate['sum']! <= rate['count']! * (1 + 1e-12), JSON.stringify(value));
  } else for (const inner of Object.values(value)) assertBounds(inner);
}
