import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyIdMap, findId, type Id, type IdMap, withId, withoutId } from '../../src/state/containers/id-map.ts';

/** Few words, so that ids share long beginnings. */
const word = fc.constantFrom(0, 1, 0x10, 0xffffffff, 0x80000000);
const id: fc.Arbitrary<Id> = fc.tuple(word, word, word, word);
/** Changes of few ids, so that most of those removed are there. */
const changesOfFew = fc.uniqueArray(id, { selector: (one) => one.join(), minLength: 1, maxLength: 10 }).chain((ids) =>
  fc.array(fc.record({ id: fc.constantFrom(...ids), value: fc.option(fc.integer()) }), {
    maxLength: 60,
    size: 'max',
  }),
);

test('a map does what a Map does, and every map before a change stays as it was', () => {
  fc.assert(
    fc.property(changesOfFew, (changes) => {
      const versions: [IdMap<number>, Map<string, number>][] = [[emptyIdMap(), new Map()]];
      for (const { id, value } of changes) {
        const [map, model] = versions.at(-1)!;
        const next = new Map(model);
        if (value === null) next.delete(id.join());
        else next.set(id.join(), value);
        versions.push([value === null ? withoutId(map, id) : withId(map, id, value), next]);
      }
      for (const [map, model] of versions) {
        assert.equal(map.size, model.size);
        for (const { id } of changes) assert.equal(findId(map, id), model.get(id.join()));
      }
    }),
  );
});

test('what was put in and taken out leaves nothing behind', () => {
  fc.assert(
    fc.property(fc.uniqueArray(id, { selector: (one) => one.join(), maxLength: 40 }), fc.nat(), (ids, keep) => {
      const kept = ids.slice(0, keep % (ids.length + 1));
      const all = ids.reduce((map, one) => withId(map, one, one.join()), emptyIdMap<string>());
      const left = ids.slice(kept.length).reduce(withoutId, all);
      assert.deepEqual(
        left,
        kept.reduce((map, one) => withId(map, one, one.join()), emptyIdMap<string>()),
      );
    }),
  );
});
