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

test('a rule for every path is farther than any other, and of equally near ones the last counts', () => {
  const at = (rules: Readonly<Record<string, object>>, ...trail: string[]) =>
    trail.reduce((scope, step) => scope.below(step), ruleBook({ f: rules as never })('f', undefined)).rule?.contains;
  assert.equal(at({ x: { contains: 'near' }, '*': { contains: 'far' } }, 'x'), 'near');
  assert.equal(at({ 'a.b.*': { contains: 'last' }, 'a.*.c': { contains: 'first' } }, 'a', 'b', 'c'), 'last');
  assert.equal(at({ 'a.*.c': { contains: 'one' }, 'a.*.*': { contains: 'other' } }, 'a', 'b', 'c'), 'other');
  assert.equal(at({ 'a.*.*': { contains: 'other' }, 'a.*.c': { contains: 'one' } }, 'a', 'b', 'c'), 'one');
});

test('a key with points in it is told from all others, whichever is asked for first', () => {
  const scope = () => ruleBook({ f: { 'a.b': { trim: true }, '*.c': { trim: true } } })('f', undefined);
  for (const [first, second] of [
    ['z', 'a.b'],
    ['a.b', 'z'],
  ] as const) {
    const within = scope();
    within.below(first);
    within.below(second);
    assert.equal(within.below('a.b').rule?.texts.trim, true);
    assert.equal(within.below('z').rule, undefined);
    assert.equal(within.below('z').below('c').rule?.texts.trim, true);
  }
  const within = scope();
  assert.equal(within.below('x]y'), within.below('z'));
});

test('names and indices are told apart, whichever is asked for first', () => {
  for (const first of [0, 'z'] as const) {
    const list = ruleBook({ f: { 'a[*]': { trim: true } } })('f', undefined).below('a');
    list.below(first);
    assert.equal(list.below(0).rule?.texts.trim, true);
    assert.equal(list.below('z').rule, undefined);
  }
});
