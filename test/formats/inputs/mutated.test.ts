import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type FormatName, forms } from '../../../src/formats/inputs/forms.ts';
import { readInput } from '../../support/input.ts';
import { writers } from '../../support/provider-forms.ts';

/* Whatever happens to an answer, each record ends as events or rejects. `MUTATIONS=1000000` for the soak. */

const numRuns = Number(process.env['MUTATIONS'] ?? 20_000);

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', 'x', 0, -1, true, [], {}, [null], [[]], { length: 3 }, '\ud800', '{"a":', 1e300),
  fc.jsonValue({ maxDepth: 3 }),
);
const calls = [{ name: 'f', arguments: { a: [1] } }, { name: 'g' }];
const answers = Object.values(writers).flatMap((write) => [
  write(calls, 'hello'),
  write(undefined, 'x'),
  write([], undefined),
]);
const mutations = fc.array(
  fc.record({ at: fc.nat(), how: fc.constantFrom('replace', 'remove', 'double'), value: odd }),
  {
    maxLength: 3,
  },
);
const formats = fc.constantFrom<FormatName>('auto', ...(Object.keys(forms) as FormatName[]));

test('a mutated answer never throws, and ends as event or reject', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(fc.constantFrom(...answers), mutations, formats, fc.boolean(), (answer, changes, format, isList) => {
      let record: unknown = { example_id: 'e', id: 'r', metadata: { run: 1 }, ...structuredClone(answer) };
      for (const change of changes) record = mutated(record, change);
      const batch = readInput(isList ? [record, record] : record, { format });
      assert.ok(batch.count >= (isList ? 2 : 1), JSON.stringify(record));
      for (let row = 0; row < batch.count; row++) {
        assert.equal(batch.record[row], 0);
        if (batch.reject[row]! > 0) {
          seen.refused++;
          assert.notEqual(batch.rejectDetail(row), '');
          batch.elementText(row);
        } else {
          seen.accepted++;
          batch.prediction(row);
          batch.pendingText(row, 1_777_593_600_000);
        }
      }
    }),
    { numRuns },
  );
  assert.ok(seen.accepted > numRuns / 10 && seen.refused > numRuns / 10, JSON.stringify(seen));
});

interface Change {
  readonly at: number;
  readonly how: string;
  readonly value: unknown;
}

/** A value with one of its places, counted through it, replaced, removed or doubled. */
function mutated(value: unknown, { at, how, value: put }: Change): unknown {
  const places: [container: Record<string, unknown>, key: string][] = [];
  const collect = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) return;
    for (const key of Object.keys(inner)) {
      places.push([inner as Record<string, unknown>, key]);
      collect((inner as Record<string, unknown>)[key]);
    }
  };
  collect(value);
  if (places.length === 0) return put;
  const [container, key] = places[at % places.length]!;
  if (how === 'remove') delete container[key];
  else container[key] = how === 'double' ? [container[key], container[key]] : structuredClone(put);
  return value;
}
