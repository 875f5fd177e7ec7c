import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { explainEvent, isEvent } from '../../../src/formats/prediction/schema.ts';
import { eventFields } from '../../support/event-reader.ts';
import { runs } from '../../support/soak.ts';

const fields = [...eventFields, 'unknown'];

const values = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    'x',
    '\ud800',
    'x'.repeat(513),
    '__other__',
    0,
    -0,
    -1,
    0.5,
    Number.POSITIVE_INFINITY,
  ),
  fc.constantFrom<unknown>({}, [], [{}], ['f'], ['f', {}], [null], [1], [[]], { a: { b: 1 } }),
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.jsonValue(),
);

test('the check and the explaining schema agree on every value', () => {
  const seen = { accepted: 0, refused: 0 };
  const events = fc.dictionary(fc.constantFrom(...fields), values, { maxKeys: 3 });
  fc.assert(
    fc.property(fc.oneof({ arbitrary: events, weight: 9 }, { arbitrary: fc.jsonValue(), weight: 1 }), (value) => {
      const accepted = isEvent(value);
      seen[accepted ? 'accepted' : 'refused']++;
      assert.equal(explainEvent(value) === undefined, accepted);
    }),
    { numRuns: runs(400) },
  );
  assert.ok(seen.accepted > runs(100) && seen.refused > runs(100), JSON.stringify(seen));
});
