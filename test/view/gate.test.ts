import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { evaluateGate, type GateResult, gateMessage, gateProblem, parseGate } from '../../src/view/gate.ts';
import { isProblem, type SummaryGroups } from '../../src/view/summary-lookup.ts';
import { summary } from '../support/summaries.ts';
import { runs } from '../support/soak.ts';

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
    '✗ decision.accuracy>=0.9: 0.85 [0.6396, 0.9476], bound 0.9, n 20 (17 of 20)',
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

test('messages of gates', () => {
  const message = (text: string) => gateMessage(evaluate(text) as GateResult);
  assert.equal(message('param_hall<=0.1'), '✗ param_hall<=0.1: no value, bound 0.1, n 0 (0 of 0)');
  assert.equal(
    message('model=gpt-5,agent=b:n>0'),
    '✗ model=gpt-5,agent=b:n>0: no such group: model=gpt-5,agent=b; there are model=x,agent=a,b',
  );
  assert.equal(
    message('model=gpt-4:n>0'),
    '✗ model=gpt-4:n>0: no such group: model=gpt-4; there are model=gpt-4o; model=llama3:8b',
  );
  assert.equal(message('agent=x:n>0'), '✗ agent=x:n>0: no such group: agent=x; there are none of these dimensions');
  assert.equal(message('n>0'), '✓ n>0: 20, bound 0, n 20');
  assert.equal(message('macro_f1>=0.500001'), '✗ macro_f1>=0.500001: 0.5, bound 0.500001, n 20');
});

const counted: SummaryGroups = {
  ...summary,
  records: { read: 12, scored: 9, duplicates: 2, unscored: 1, malformed_calls: 0, rejected: { schema: 1 } },
  coverage: { value: 0.9, numerator: 9, denominator: 10, lower: 0.6, upper: 0.98 },
};

const ofAll: readonly [string, string][] = [
  ['records.read>=12', '✓ records.read>=12: 12, bound 12, n 12'],
  ['records.rejected<=0', '✗ records.rejected<=0: 1, bound 0, n 12'],
  ['records.rejected.schema<=1', '✓ records.rejected.schema<=1: 1, bound 1, n 12'],
  ['records.rejected.not_json==0', '✓ records.rejected.not_json==0: 0, bound 0, n 12'],
  ['records.malformed_calls<=0', '✓ records.malformed_calls<=0: 0, bound 0, n 12'],
  ['coverage>=0.95', '✗ coverage>=0.95: 0.9 [0.6, 0.98], bound 0.95, n 10 (9 of 10)'],
  ['coverage.lower>=0.5', '✓ coverage.lower>=0.5: 0.6, bound 0.5, n 10 (9 of 10)'],
];
test('gates on what is counted of all records', () => {
  for (const [text, wanted] of ofAll) assert.equal(gateMessage(evaluate(text, counted) as GateResult), wanted);
});

const families = ['decision', 'stability', 'tool_calls', 'trajectory', 'arguments', 'structured'];
const expected = { families, sets: [['model'], ['model', 'agent']], options: {} };

function refusal(text: string): string | undefined {
  const gate = parseGate(text);
  return isProblem(gate) ? gate.problem : gateProblem(gate, expected)?.problem;
}

/** Gates that mean something, between single spaces. */
const meant = [
  'accuracy>=0.9 accuracy>=1 accuracy>=0 accuracy<=1 accuracy<1 accuracy>0.5 n>=100 stability.entropy<=2',
  'stability.pass_hat_k.2>=0.5 decision.confusion.direct.invalid<=3 per_class.direct.f1>=0.5',
  'trajectory.tools.db.query.success>=0.75 trajectory.parameter_mismatches.a.b<=3 records.rejected.schema<=0',
  'records.unscored<=0 coverage>=0.9 agent=a,model=b:accuracy>=0.9 model=b,agent=a:accuracy>=0.9',
].flatMap((line) => line.split(' '));

const refusals: readonly [string, string | RegExp][] = [
  ['entropy>=0', /no such number in a summary; did you mean one of/],
  ['stability.entropy<=200', /holds always/],
  ['decision.confusion.direct.nothing<=3', /no such number/],
  ['per_class.f1>=0.5', /no such number/],
  ['trajectory.tools.db.query.success>=75', /can never hold/],
  ['tool_calls.strict.band==1', /no such number/],
  ['records.rejected.shcema<=0', /no such number in a summary; did you mean one of records\.rejected/],
  ['coverage>=90', /did you mean coverage>=0\.9\?/],
  ['model=a:records.read>0', /counted of all records, not by group; leave out model=a:/],
  [
    'accuracy>=90',
    'gate "accuracy>=90" can never hold: decision.accuracy lies between 0 and 1; did you mean accuracy>=0.9?',
  ],
  ['model=a: accuracy.lower > 85', /did you mean model=a: accuracy\.lower>0\.85\?/],
  ['accuracy>=100', /did you mean accuracy>=1\?/],
  ['accuracy>=900', /can never hold: decision\.accuracy lies between 0 and 1$/],
  ['tool_hall<=5', /holds always: decision\.tool_hall lies between 0 and 1; did you mean tool_hall<=0\.05\?/],
  ['accuracy>1', /can never hold: decision\.accuracy lies between 0 and 1$/],
  ['accuracy<0', /can never hold/],
  ['accuracy==2', /can never hold/],
  ['accuracy>=-1', /holds always/],
  ['n<0', /can never hold: decision\.n lies at 0 or above$/],
  ['acuracy>=0.9', /acuracy: no such number in a summary; did you mean one of decision\.accuracy, /],
  ['agent=a:accuracy>=0.9', /no groups by agent; slices has model \| model,agent$/],
  ['agent=a,tags.x=b:accuracy>=0.9', /no groups by agent,tags\.x; slices has model \| model,agent$/],
  ['schema.overall>=0.5', 'gate "schema.overall>=0.5": metrics.schema.enabled is false'],
];
test('a gate that means nothing is refused before any work', () => {
  for (const text of meant) assert.equal(refusal(text), undefined, text);
  for (const [text, wanted] of refusals) {
    const found = refusal(text);
    if (typeof wanted === 'string') assert.equal(found, wanted, text);
    else assert.match(String(found), wanted, text);
  }
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

test('where nothing is sliced there are no groups', () => {
  const gate = parseGate('model=a:accuracy>=0.9');
  assert.ok(!isProblem(gate));
  assert.match(gateProblem(gate, { families, sets: [], options: {} })!.problem, /no groups by model; slices has none$/);
});

test('bounds are numbers in any form; the path has no spaces around it', () => {
  const forms = {
    '12.5': 12.5,
    '.55': 0.55,
    '1.': 1,
    '12e3': 12_000,
    '1E+12': 1e12,
    '-0.5': -0.5,
    '+25': 25,
    '1.25e-10': 1.25e-10,
  };
  for (const [text, bound] of Object.entries(forms)) {
    const gate = parseGate(`  decision.n  >= ${text} `);
    assert.ok(!isProblem(gate), text);
    assert.deepEqual([gate.path, gate.op, gate.bound], ['decision.n', '>=', bound]);
  }
});

/** A gate on a summary of one group. */
function told(text: string, blocks: object, more: readonly object[] = []): string {
  const groups = [{ slice: {}, window: 'all', ...blocks }, ...more] as unknown as SummaryGroups['groups'];
  return gateMessage(evaluate(text, { groups }) as GateResult);
}

test('a value is rounded, but where it would look as if it met its bound', () => {
  const shown = (value: number | null, gate: string) => told(`macro_f1${gate}`, { decision: { macro_f1: value } });
  assert.equal(shown(0.123456, '>=0.5'), '✗ macro_f1>=0.5: 0.1235, bound 0.5');
  assert.equal(shown(0.89999999, '>=0.9'), '✗ macro_f1>=0.9: 0.89999999, bound 0.9');
  assert.equal(shown(0.123456, '==0.123456'), '✓ macro_f1==0.123456: 0.1235, bound 0.123456');
  assert.equal(shown(0.5, '==0.25'), '✗ macro_f1==0.25: 0.5, bound 0.25');
  assert.equal(shown(null, '>=0'), '✗ macro_f1>=0: no value, bound 0');
});

test('what a number rests on, and both ends of its interval or none', () => {
  assert.match(
    told('tool_calls.strict.f1>=0', { tool_calls: { strict: { f1: { value: 1, sum: 3, count: 3 } } } }),
    /, n 3 \(/,
  );
  assert.match(told('trajectory.steps>=0', { trajectory: { tasks: 7, steps: 3 } }), /, n 7$/);
  assert.match(told('stability.k>=0', { stability: { groups_complete: 5, k: 2 } }), /, n 5$/);
  assert.match(told('macro_f1>=0', { decision: { n: 'many', macro_f1: 1 } }), /bound 0$/);
  for (const ends of [
    { lower: null, upper: 0.9 },
    { lower: 0.1, upper: null },
  ])
    assert.match(
      told('accuracy>=0', { decision: { accuracy: { value: 0.5, numerator: 1, denominator: 2, ...ends } } }),
      /: 0\.5, bound 0, n 2 \(1 of 2\)$/,
    );
  assert.equal(told('records.read>=0', { decision: null }), '✗ records.read>=0: no value, bound 0');
});

test('groups that are named instead are of window all and of the same dimensions', () => {
  const more = [
    { slice: { model: 'b', agent: 'x' }, window: 'all' },
    { slice: { model: 'c', agent: 'x' }, window: '5m' },
    { slice: { model: 'd', 'tags.x': 'x' }, window: 'all' },
  ];
  assert.match(told('model=a,agent=x:n>0', {}, more), /; there are model=b,agent=x$/);
  const gate = parseGate('model=a:n>0');
  assert.ok(!isProblem(gate));
  assert.match(gateMessage({ gate, holds: false, value: undefined, counts: undefined }), /none of these dimensions$/);
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
        refusal(text);
        if (!isProblem(gate)) assert.ok(Number.isFinite(gate.bound) || /e\d/.test(text), text);
        evaluate(text);
      },
    ),
    { numRuns: runs(400) },
  );
});
