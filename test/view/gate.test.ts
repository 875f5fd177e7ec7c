import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { evaluateGate, type GateResult, gateMessage, parseGate } from '../../src/view/gate.ts';
import { isProblem, type SummaryGroups } from '../../src/view/summary-lookup.ts';
import { summary } from '../support/summaries.ts';

function evaluate(text: string, of: SummaryGroups = summary): GateResult | string {
  const gate = parseGate(text);
  if (isProblem(gate)) return gate.problem;
  const result = evaluateGate(gate, of);
  return isProblem(result) ? result.problem : result;
}

function short(text: string): string {
  const result = evaluate(text);
  return typeof result === 'string' ? result : `${result.holds} ${result.value} ${result.counts}`;
}

test('the worked examples of the docstrings', () => {
  assert.equal(short('decision.accuracy>=0.9'), 'false 0.85 17 of 20');
  assert.equal(
    gateMessage(evaluate('decision.accuracy>=0.9') as GateResult),
    'decision.accuracy>=0.9 does not hold: 0.85 (17 of 20)',
  );
  assert.equal(short('model=gpt-4o:decision.accuracy.lower>=0.8').slice(0, 8), 'false 0.');
});

const table: readonly [string, string][] = [
  ['accuracy >= 0.85', 'true 0.85 17 of 20'],
  ['accuracy > 0.85', 'false 0.85 17 of 20'],
  ['accuracy<=0.85', 'true 0.85 17 of 20'],
  ['accuracy<0.85', 'false 0.85 17 of 20'],
  [' accuracy == 8.5e-1 ', 'true 0.85 17 of 20'],
  ['n>=20', 'true 20 undefined'],
  ['n>-1', 'true 20 undefined'],
  ['macro_f1>=.5', 'true 0.5 undefined'],
  ['macro_f1_present>=0', 'false null undefined'],
  ['macro_f1_present<=0', 'false null undefined'],
  ['param_hall<=1', 'false null 0 of 0'],
  ['param_hall.lower<=1', 'false null 0 of 0'],
  ['decision.accuracy.numerator==17', 'true 17 17 of 20'],
  ['per_class.tool_call.recall>=0.7', 'true 0.75 undefined'],
  ['decision.per_class.tool_call.recall>=0.7', 'true 0.75 undefined'],
  ['tool_calls.strict.f1>=0.75', 'true 0.75 sum 9 of 12'],
  ['tool_calls.skipped<4', 'true 3 undefined'],
  ['stability.stability>=0.5', 'true 0.5 1 of 2'],
  ['stability.pass_hat_k.1>=0.5', 'true 0.5 sum 1 of 2'],
  ['structured.exact_match_rate>=0', 'false null undefined'],
  ['model=gpt-4o:accuracy>=0.9', 'true 0.9 18 of 20'],
  ['model=gpt-4o: decision.accuracy >= 0.9', 'true 0.9 18 of 20'],
  ['model=llama3:8b:accuracy>=0.5', 'true 0.5 10 of 20'],
  ['model=llama3:8b:decision.accuracy>=0.5', 'true 0.5 10 of 20'],
  ['agent=a,b,model=x:accuracy>0.9', 'true 0.95 19 of 20'],
  ['tags.team=:accuracy>=0.2', 'true 0.2 4 of 20'],
  ['trajectory.tools.db.query.success>=0.75', 'true 0.75 3 of 4'],
  ['trajectory.tools.a:b.success<0.75', 'true 0.25 1 of 4'],
  ['model=llama3:8b:trajectory.tools.a:b.success<0.75', 'true 0.25 1 of 4'],
  ['trajectory.tools.other.success>=0', 'false null undefined'],
  ['model=gpt-5:accuracy>=0', 'false undefined undefined'],
  ['model=x:accuracy>=0', 'false undefined undefined'],
];
test('what a gate says', () => {
  for (const [text, wanted] of table) assert.equal(short(text), wanted, text);
});

test('messages of gates that do not hold', () => {
  const message = (text: string) => gateMessage(evaluate(text) as GateResult);
  assert.equal(message('param_hall<=0.1'), 'param_hall<=0.1 does not hold: no value (0 of 0)');
  assert.equal(
    message('model=gpt-5,agent=b:n>0'),
    'model=gpt-5,agent=b:n>0 does not hold: no such group: model=gpt-5,agent=b',
  );
  assert.equal(message('n>0'), 'n>0 holds: 20');
});

const mistakes: readonly [string, RegExp][] = [
  ['', /^gate "": expected \[SLICE:\]PATH OP NUMBER/],
  ['accuracy', /expected \[SLICE:\]PATH OP NUMBER/],
  ['accuracy=0.9', /expected \[SLICE:\]PATH/],
  ['accuracy>=', /expected \[SLICE:\]PATH/],
  ['accuracy>=high', /expected \[SLICE:\]PATH/],
  ['accuracy>=90%', /expected \[SLICE:\]PATH/],
  ['accuracy<==0.9', /expected \[SLICE:\]PATH/],
  ['>=0.9', /no PATH before >=/],
  ['model=a:>=0.9', /no PATH before >=/],
  ['gpt-4o:accuracy>=0.9', /expected model=…, agent=… or tags\.<name>=…/],
  ['modle=gpt-4o:accuracy>=0.9', /expected model=…/],
  ['model=a,model=b:accuracy>=0.9', /expected model=…/],
  ['acuracy>=0.9', /^gate "acuracy>=0.9": acuracy: no such number in the summary; nearest: decision\.accuracy, /],
  ['decision.per_class.tool_call.recal>=0', /nearest: decision\.per_class\.tool_call\.recall, /],
  ['decision.per_class>=0', /no such number/],
  ['decision>=0', /no such number/],
  ['macro_f1.lower>=0', /no such number.*nearest: decision\.macro_f1,/],
  ['tool_calls.strict.f1.lower>=0', /nearest: tool_calls\.strict\.f1,/],
  ['tool_calls.strict.band==1', /no such number/],
  ['schema.overall>=0', /family schema is not in the summary/],
  ['__proto__>=0', /no such number/],
  ['decision.constructor.length>=0', /no such number/],
];
test('mistakes of the user are named', () => {
  for (const [text, wanted] of mistakes) {
    const problem = evaluate(text);
    assert.ok(typeof problem === 'string', `${text} is no mistake`);
    assert.match(problem, wanted);
  }
});

test('any text is a gate or a mistake', () => {
  const parts = fc.constantFrom(
    'model=',
    ':',
    '>=',
    '>',
    '==',
    '0.9',
    'decision.',
    'accuracy',
    ',',
    '.',
    '=',
    ' ',
    '\n',
    'tags.',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(parts).map((some) => some.join('')),
      ),
      (text) => {
        const gate = parseGate(text);
        if (!isProblem(gate)) assert.ok(Number.isFinite(gate.bound) || /e\d/.test(text), text);
        evaluate(text);
      },
    ),
    { numRuns: 2000 },
  );
});
