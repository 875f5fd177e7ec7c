import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, isSimilar, patternOf, type TextChanges } from '../../../src/scoring/match/text.ts';

const none: TextChanges = {
  ...{ ignoreCase: false, trim: false, collapseSpaces: false, quotesAlike: false },
  ignored: undefined,
};

test('each change of a text is made where it is asked for, and only there', () => {
  const text = " It's  A_b ";
  const found = (changes: Partial<TextChanges>) => changed(text, { ...none, ...changes });
  assert.equal(found({}), text);
  assert.equal(found({ ignoreCase: true }), " it's  a_b ");
  assert.equal(found({ trim: true }), "It's  A_b");
  assert.equal(found({ collapseSpaces: true }), " It's A_b ");
  assert.equal(found({ quotesAlike: true }), ' It"s  A_b ');
  assert.equal(found({ ignored: new Set(' _') }), "It'sAb");
});

test('similarity: of empty texts, of code points, and without steps where lengths tell', () => {
  const steps = { left: 100, depth: 0 };
  assert.ok(isSimilar('', '', 1, steps));
  assert.ok(isSimilar('kitten', 'sitting', 4 / 7, steps) && !isSimilar('kitten', 'sitting', 0.6, steps));
  for (const [left, right] of [
    ['aaaa', 'aa😀a'],
    ['aa😀a', 'aaaa'],
    ['a😀a😀', 'a😀a😁'],
  ] as const)
    assert.ok(isSimilar(left, right, 0.75, steps) && !isSimilar(left, right, 0.8, steps), `${left} ${right}`);
  const left = steps.left;
  assert.ok(!isSimilar('a'.repeat(100), 'a', 0.9, steps));
  assert.equal(steps.left, left);
});

test('a pattern takes a step of an empty text too', () => {
  const steps = { left: 1, depth: 0 };
  const pattern = patternOf('a*', false)!;
  assert.ok(pattern('', steps));
  assert.equal(steps.left, 0);
  assert.ok(!pattern('', steps));
});
