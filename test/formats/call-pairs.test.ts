import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pairCalls } from '../../src/formats/summary/call-pairs.ts';
import { jsonEqual } from '../../src/scoring/json.ts';
import { values } from '../support/calls.ts';

const call = fc.record({
  name: fc.constantFrom('a', 'b', undefined),
  arguments: fc.option(fc.dictionary(fc.constantFrom('x', 'y'), values, { maxKeys: 2 }), { nil: undefined }),
});
const calls = fc.array(call, { maxLength: 6 });
type Calls = Parameters<typeof pairCalls>[0];

/** What may stand side by side, the closest first. */
const closeness = [
  (a: Calls[number], b: Calls[number]) => a.name === b.name && jsonEqual(a.arguments, b.arguments),
  (a: Calls[number], b: Calls[number]) => a.name === b.name,
  () => true,
];

test('calls are paired with equal ones first, then by name, then in order, each once', () => {
  fc.assert(
    fc.property(calls, calls, (expected, actual) => {
      const partners = new Map<number, number>();
      for (const close of closeness)
        expected.forEach((wanted, at) => {
          if (partners.has(at)) return;
          const found = actual.findIndex((made, to) => ![...partners.values()].includes(to) && close(wanted, made));
          if (found >= 0) partners.set(at, found);
        });
      const left = actual.map((_, at) => at).filter((at) => ![...partners.values()].includes(at));
      assert.deepEqual(pairCalls(expected as Calls, actual as Calls), [
        ...expected.map((_, expectedAt) => ({ expectedAt, actualAt: partners.get(expectedAt) ?? -1 })),
        ...left.map((actualAt) => ({ expectedAt: -1, actualAt })),
      ]);
    }),
  );
});
