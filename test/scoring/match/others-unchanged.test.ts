import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AnyFamily } from '../../../src/scoring/family.ts';
import type { ExpectedCall, Truth } from '../../../src/scoring/truth.ts';
import { settingsOf } from '../../../src/config/settings.ts';
import { configOf } from '../../support/configuration.ts';
import { joined } from '../../support/joined.ts';
import { call } from '../../support/match.ts';
import { blockOf, rowOf } from '../../support/scoring.ts';
import { runs } from '../../support/soak.ts';

const value = fc.constantFrom<string | number | null>('a', 'A', 1, '1', null);
const calls = fc.array(
  fc
    .tuple(fc.constantFrom('f', 'g'), fc.dictionary(fc.constantFrom('x', 'y'), value))
    .map(([name, args]) => call(name, args)),
  { maxLength: 3 },
);

test('rules, alternatives and forbidden tools in the truth change no number of another family', (context) => {
  for (const mode of ['spec', 'upstream']) {
    const { layout } = settingsOf(configOf(context, { yaml: `metrics: {mode: ${mode}}` }), undefined);
    const others = layout.families.filter(({ name }) => name !== 'match') as readonly AnyFamily[];
    assert.equal(others.length, 7);
    fc.assert(
      fc.property(calls, calls, (predicted, expected) => {
        const rules = { '*': { ignore: true }, x: { any: ['A'], optional: true } };
        const accept = expected.map((one): ExpectedCall => ({ ...one, accept: rules }));
        const plain: Partial<Truth> = { label: 1, expected, tools: ['f'] };
        const more = { ...plain, expected: accept, alternatives: [[call('g')]], forbidden: ['*'] };
        for (const family of others) {
          const [one, other] = [plain, more].map((truth) => joined({ calls: predicted }, truth));
          assert.deepEqual(rowOf(family, other!), rowOf(family, one!), family.name);
          assert.deepEqual(blockOf(family, [other!]), blockOf(family, [one!]), family.name);
        }
      }),
      { numRuns: runs(20) },
    );
  }
});
