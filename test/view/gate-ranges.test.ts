import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Expected, type Gate, gateProblem, parseGate, basisProblems } from '../../src/view/gate.ts';
import { isProblem, type SummaryGroups } from '../../src/view/summary-lookup.ts';

const families = ['decision', 'stability', 'schema', 'semantic', 'judge'];
const weights = { tool_selection: 0.4, parameter_accuracy: 0.35, execution_success: 0.25, response_quality: 0 };
const ranges: readonly (readonly [string, object, RegExp | undefined])[] = [
  ['semantic.score>=-0.5', {}, undefined],
  ['semantic.score<-1', {}, /can never hold: semantic\.score lies between -1 and 1$/],
  ['semantic.traffic.score.lower>=-0.5', {}, undefined],
  ['semantic.score.sum>=-3', {}, undefined],
  ['judge.score>=-0.5', {}, /holds always: judge\.score lies between 0 and 1$/],
  ['judge.kappa>=-0.1', {}, undefined],
  ['decision.n==2.5', {}, /can never hold: decision\.n is a whole number$/],
  ['decision.n>=2.5', {}, undefined],
  ['records.rejected==0.5', {}, /is a whole number$/],
  ['accuracy.numerator==0.5', {}, /is a whole number$/],
  ['accuracy==0.5', {}, undefined],
  ['stability.entropy>2.1', {}, /can never hold: stability\.entropy lies between 0 and 2$/],
  ['stability.entropy>2.1', { stability: { mode: 'upstream' } }, undefined],
  ['stability.entropy_norm>1.1', { stability: { mode: 'upstream' } }, undefined],
  ['schema.overall>1', { schema: { weights } }, /can never hold: schema\.overall lies between 0 and 1$/],
  ['schema.overall>1', { schema: { weights: { ...weights, tool_selection: 1 } } }, undefined],
  ['schema.overall>=-0.5', { schema: { weights: { ...weights, execution_success: -1 } } }, undefined],
];
test('a bound outside of what a number can be is refused, with its range', () => {
  for (const [text, options, wanted] of ranges) {
    const gate = parseGate(text);
    assert.ok(!isProblem(gate), text);
    const problem = gateProblem(gate, { families, sets: [], options: options as Expected['options'] })?.problem;
    if (wanted === undefined) assert.equal(problem, undefined, text);
    else assert.match(String(problem), wanted, text);
  }
});

test('calls that nothing read fail the gates on metrics beyond one record in a hundred', () => {
  const problem = (text: string, unread: number) => basisProblems([gateOf(text)], withUnread(unread))[0]?.text;
  for (const text of ['answer_hall<=0.02', 'coverage>=0.95']) {
    assert.equal(problem(text, 2), undefined, text);
    assert.match(
      problem(text, 3)!,
      /^records\.unread_calls: 3 of 200 records .*, more than 1 %; .*--field.*--allow-unread/,
    );
  }
  assert.equal(problem('records.unread_calls<=5', 3), undefined, 'it is gated by name');
  assert.deepEqual(basisProblems([], withUnread(3)), []);
});

test('feedback fails the gates on metrics where more than one record in a hundred is refused, or none counts', () => {
  const problemsOf = (gate: string, refused: number, unmatched: number, unread = 0) =>
    basisProblems([gateOf(gate)], withUnread(unread), { records: 200, refused, unmatched });
  const bad: readonly (readonly [refused: number, unmatched: number, why: string])[] = [
    [3, 0, 'more than 1 % refused'],
    [0, 200, 'none counts'],
    [2, 198, 'none counts'],
  ];
  for (const [refused, unmatched, why] of bad) {
    const [problem] = problemsOf('match.correct>=0.9', refused, unmatched);
    const said = `feedback: of 200 records ${refused} refused and ${unmatched} about no event, ${why}; `;
    assert.ok(problem!.text.startsWith(said), problem!.text);
    assert.match(problem!.text, /--allow-unread/);
  }
  assert.deepEqual(problemsOf('match.correct>=0.9', 2, 197), []);
  assert.deepEqual(problemsOf('records.rejected<=0', 3, 197), [], 'counts of records do not rest on it');
  assert.deepEqual(basisProblems([gateOf('coverage>0')], withUnread(0), { records: 0, refused: 0, unmatched: 0 }), []);
  const kinds = problemsOf('coverage>0', 3, 0, 3).map(({ kind }) => kind);
  assert.deepEqual(kinds, ['unread_calls', 'feedback']);
});

const gateOf = (text: string): Gate => parseGate(text) as Gate;

const withUnread = (unread: number): SummaryGroups => ({
  groups: [],
  records: { read: 250, unread_calls: unread },
  coverage: { value: 1, numerator: 200, denominator: 200 },
});
