import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../src/scoring/json.ts';
import { compileRule, ruleProblem } from '../../../src/scoring/match/rule.ts';
import { noRules, ruleBook, rulesProblem } from '../../../src/scoring/match/rules.ts';
import { pathPattern } from '../../../src/scoring/match/paths.ts';

test('what is wrong with rules names the path and the key', () => {
  const problems: readonly (readonly [Json, string | undefined])[] = [
    [{ city: { ignore_case: true }, 'items[12].id': {} }, undefined],
    [{ x: { range: [null, -1] } }, undefined],
    [{ x: { range: [2, null] } }, undefined],
    [{ x: { range: [2, 1] } }, 'x: range must be [least, most], in which null is open'],
    [[], 'must be an object of rules by path, such as {"city": {"ignore_case": true}}'],
    [{ '': {} }, '"" is no path of an argument; write it as filters.date or items[0].id'],
    [{ '.x': {} }, '.x is no path of an argument; write it as filters.date or items[0].id'],
    [
      { x: { type: 'int' } },
      'x: type must be one of null, boolean, integer, number, string, array, object, or a list of them',
    ],
  ];
  for (const [rules, problem] of problems) assert.equal(rulesProblem(rules, false), problem);
  assert.equal(
    ruleProblem({ trimm: true }),
    'trimm is no key of a rule; give one of ignore_case, trim, collapse_spaces, ignore_characters, coerce, json, date, unordered, any, optional, ignore, type, tolerance, relative, range, contains, pattern, edit_similarity',
  );
});

test('quotes are alike to BFCL where case is ignored', () => {
  const alike = (rule: object, dialect?: 'bfcl' | 'python') => compileRule({ ...rule }, dialect).texts.quotesAlike;
  const ignoring = { ignore_case: true };
  assert.deepEqual(
    [alike(ignoring, 'bfcl'), alike({}, 'bfcl'), alike(ignoring, 'python'), alike(ignoring), alike({})],
    [true, false, false, false, false],
  );
});

test('a rule that says nothing accepts nothing else', () => {
  const { any, types, pattern, range, texts } = compileRule({});
  assert.deepEqual([any, types, pattern, range, texts.ignored], [[], [], undefined, undefined, undefined]);
});

test('a rule for every path is farther than any other, and of equally near ones the last counts', () => {
  const at = (rules: Readonly<Record<string, object>>, ...trail: string[]) =>
    trail.reduce((scope, step) => scope.below(step), ruleBook({ f: rules as never })('f', undefined)).rule?.contains;
  assert.equal(at({ x: { contains: 'near' }, '*': { contains: 'far' } }, 'x'), 'near');
  assert.equal(at({ 'a.b.*': { contains: 'last' }, 'a.*.c': { contains: 'first' } }, 'a', 'b', 'c'), 'last');
  assert.equal(at({ 'a.*.c': { contains: 'one' }, 'a.*.*': { contains: 'other' } }, 'a', 'b', 'c'), 'other');
  assert.equal(at({ 'a.*.*': { contains: 'other' }, 'a.*.c': { contains: 'one' } }, 'a', 'b', 'c'), 'one');
});

test('where no rule holds there is one scope', () => {
  const book = ruleBook({ f: { 'a.b': { trim: true } } });
  assert.equal(book('g', undefined), noRules);
  assert.equal(book('f', undefined).below('z'), noRules);
  assert.equal(noRules.below('x'), noRules);
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

test('an index has any number of digits', () => {
  assert.deepEqual(pathPattern('x[120]', false)?.pieces, [
    { kind: 'name', name: 'x' },
    { kind: 'index', index: 120 },
  ]);
});
