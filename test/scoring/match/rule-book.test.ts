import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ruleBook, type Scope } from '../../../src/scoring/match/rules.ts';

const shuffled = <Value>(values: readonly Value[]) => fc.shuffledSubarray([...values], { minLength: values.length });

test('law: the nearest rule holds, in whatever order rules are written: by tool, then by path', () => {
  const globs = ['*', 'book_*', 'book_h*', 'book_hotel'];
  const paths = ['*', 'items[*].id', 'items[0].*', 'items[0].id'];
  const said = (glob: string, path: string): string => `${glob} ${path}`;
  const written = shuffled(globs).chain((some) =>
    fc.tuple(
      ...some.map((glob) =>
        shuffled(paths).map(
          (all) => [glob, Object.fromEntries(all.map((path) => [path, { contains: said(glob, path) }]))] as const,
        ),
      ),
    ),
  );
  const ruleAt = (scope: Scope, ...trail: (string | number)[]) =>
    trail.reduce((within, step) => within.below(step), scope).rule?.contains;
  fc.assert(
    fc.property(written, (byTool) => {
      const book = ruleBook(Object.fromEntries(byTool));
      for (const [tool, glob] of [
        ['book_hotel', 'book_hotel'],
        ['book_house', 'book_h*'],
        ['book_car', 'book_*'],
        ['find', '*'],
      ] as const) {
        const scope = book(tool, undefined);
        assert.equal(ruleAt(scope, 'items', 0, 'id'), said(glob, 'items[0].id'));
        assert.equal(ruleAt(scope, 'items', 0, 'name'), said(glob, 'items[0].*'));
        assert.equal(ruleAt(scope, 'items', 1, 'id'), said(glob, 'items[*].id'));
        assert.equal(ruleAt(scope, 'items', 1, 'name'), said(glob, '*'));
        assert.equal(scope.rule, undefined, 'of the arguments as a whole');
        const own = book(tool, { 'items[0].id': { contains: 'own' } });
        assert.deepEqual([ruleAt(own, 'items', 0, 'id'), ruleAt(own, 'items')], ['own', said(glob, '*')]);
      }
    }),
  );
});

test('what holds for a tool is worked out once; no more than 1,000 tools are in memory', () => {
  const book = ruleBook({ '*': { city: { trim: true } } });
  const first = book('tool 0', undefined);
  for (let at = 1; at < 1_000; at++) book(`tool ${at}`, undefined);
  assert.equal(book('tool 0', undefined), first);
  book('tool 1000', undefined);
  assert.notEqual(book('tool 0', undefined), first);
  assert.equal(book('tool 0', undefined), book('tool 0', undefined));
});

test('below a name, an index and any other one what holds is worked out once', () => {
  const scope = ruleBook({ f: { 'a.b': { trim: true }, '*.c': { trim: true }, 'a[*].c': { trim: true } } })(
    'f',
    undefined,
  );
  assert.equal(scope.below('a'), scope.below('a'));
  assert.equal(scope.below('x'), scope.below('y'));
  assert.equal(scope.below('a').below(0), scope.below('a').below(7));
  assert.notEqual(scope.below('a'), scope.below('x'));
});
