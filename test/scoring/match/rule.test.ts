import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../src/scoring/json.ts';
import { compileRule, ruleProblem } from '../../../src/scoring/match/rule.ts';
import { rulesProblem } from '../../../src/scoring/match/rules.ts';

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
