import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Joined, Mode } from '../../src/scoring/family.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import type { Call } from '../../src/scoring/prediction.ts';
import { likeness } from '../../src/scoring/trajectory/compare.ts';
import { eitherContains } from '../../src/scoring/trajectory/contains.ts';
import { strictSuccess, type TrajectoryOptions, trajectory } from '../../src/scoring/trajectory/index.ts';
import { commonLength } from '../../src/scoring/trajectory/order.ts';
import { events, nested, values } from '../support/calls.ts';
import { testFamilyLaws } from '../support/family-laws.ts';
import { joined } from '../support/joined.ts';
import { naiveBlock, naiveSame, naiveScore } from '../support/naive-trajectory.ts';
import { near } from '../support/near.ts';
import { rowOf, trajectoryDefaults } from '../support/scoring.ts';
import { outcomeOf } from '../support/tally.ts';
import { runs } from '../support/soak.ts';

const modes = fc.constantFrom<Mode>('spec', 'upstream');
const options: fc.Arbitrary<TrajectoryOptions> = fc.record({
  mode: modes,
  weights: fc.constantFrom({ name: 0.4, params: 0.4, order: 0.2 }, { name: 2, params: 1, order: 1 }),
  paramThreshold: fc.constantFrom(-1, 0, 0.5, 0.6, 1, 2),
  orderThreshold: fc.constantFrom(-1, 0, 0.5, 1, 1.1),
  minCombinationCount: fc.constantFrom(1, 2),
});

test('every row is that of a naive reading of the definition', () => {
  fc.assert(
    fc.property(events, options, (event, chosen) => {
      near(rowOf(trajectory(chosen), event), naiveScore(event, chosen)?.row);
    }),
    { numRuns: runs(300) },
  );
});

testFamilyLaws({ family: trajectory, options, events, oracle: naiveBlock, oracleRuns: 60, compare: near });

test('strictSuccess alone says what the score says', () => {
  fc.assert(
    fc.property(events, options, (event, chosen) => {
      const outcome = outcomeOf(trajectory(chosen), event)?.outcome;
      assert.equal(strictSuccess(event, chosen.mode), outcome?.strict.success);
    }),
    { numRuns: runs(200) },
  );
});

test('likeness: as the naive comparison says, and strictly the same is flexibly the same', () => {
  fc.assert(
    fc.property(values, values, (gold, predicted) => {
      const found = likeness(gold, predicted);
      assert.equal(found === 'same', naiveSame(gold, predicted, true));
      assert.equal(found !== 'different', naiveSame(gold, predicted, false));
    }),
    { numRuns: runs(600) },
  );
});

test('containment: long patterns as the engine finds them', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'ab'), { maxLength: 12 }).map((parts) => parts.join('').repeat(60));
  fc.assert(
    fc.property(texts, texts, fc.nat(), fc.nat(), (a, b, from, length) => {
      assert.equal(eitherContains(a, b), a.includes(b) || b.includes(a));
      const part = a.slice(from % (a.length + 1)).slice(0, length % (a.length + 1));
      assert.equal(eitherContains(part, a), true);
      if (part.length < a.length) assert.equal(eitherContains(a, `c${part}c`), false);
    }),
    { numRuns: runs(60) },
  );
});

test('containment: long patterns that are the text but for a few letters', () => {
  const few = fc.array(fc.constantFrom('a', 'b'), { maxLength: 5 }).map((letters) => letters.join(''));
  const long = fc
    .tuple(few, fc.integer({ min: 255, max: 260 }), few, fc.nat(3), few)
    .map(([first, times, second, more, third]) => first + 'a'.repeat(times) + second + 'a'.repeat(more) + third);
  const tails = fc.constantFrom('', 'b'.repeat(300));
  fc.assert(
    fc.property(long, long, tails, (one, other, tail) => {
      const [a, b] = [one + tail, other + tail];
      assert.equal(eitherContains(a, b), a.includes(b) || b.includes(a));
    }),
    { numRuns: runs(200) },
  );
});

test('common length: as the recursive definition says', () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
  const plain = (a: readonly string[], b: readonly string[]): number => {
    if (a.length === 0 || b.length === 0) return 0;
    if (a[0] === b[0]) return 1 + plain(a.slice(1), b.slice(1));
    return Math.max(plain(a.slice(1), b), plain(a, b.slice(1)));
  };
  fc.assert(
    fc.property(names, names, (a, b) => assert.equal(commonLength(a, b), plain(a, b))),
    { numRuns: runs(60) },
  );
});

const call = (name: string, args: JsonObject = {}) => ({ name, arguments: args });

test('hostile input does not throw', () => {
  const chosen: TrajectoryOptions = { ...trajectoryDefaults, mode: 'upstream' };
  const family = trajectory(chosen);
  const params = (gold: Json, predicted: Json) => {
    const event = joined({ calls: [call('a', { x: predicted })] }, { expected: [call('a', { x: gold })] });
    assert.equal(typeof strictSuccess(event, 'spec'), 'boolean');
    const { outcome } = outcomeOf(family, event)!;
    return [outcome.strict.param, outcome.flexible.param];
  };
  for (const kind of ['array', 'object'] as const) {
    assert.deepEqual(params(nested(100_000, 'A', kind), nested(100_000, 'a ', kind)), [1, 1]);
    assert.deepEqual(params(nested(100_000, 'A', kind), nested(100_000, 'b', kind)), [0, 0.5]);
  }
  const half = 'a'.repeat(250_000);
  assert.deepEqual(params(`${half}b${half}`, 'a'.repeat(1_000_000)), [0, 0.5]);
  assert.deepEqual(params('\ud800', 'x\ud800'), [0, 1]);
  const many = (names: string): Call[] => Array.from({ length: 256 }, (_, i) => call(names[i % names.length]!));
  const event: Joined = joined({ calls: many('ab') }, { expected: many('ba').map(({ name }) => call(name!)) });
  const { outcome } = outcomeOf(family, event)!;
  assert.deepEqual([outcome.name, outcome.order], [0, 255 / 256]);
});
