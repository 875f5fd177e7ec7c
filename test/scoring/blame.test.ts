import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentsFamily } from '../../src/scoring/arguments.ts';
import { decision } from '../../src/scoring/decision/index.ts';
import type { Joined, Mode } from '../../src/scoring/family.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import { type Label, labelCode } from '../../src/scoring/label.ts';
import { match } from '../../src/scoring/match/index.ts';
import { schema } from '../../src/scoring/schema/index.ts';
import { trajectory } from '../../src/scoring/trajectory/index.ts';
import { attributedBy } from '../support/attributions.ts';
import { joined } from '../support/joined.ts';
import { matchDefaults } from '../support/match.ts';

type Calls = Readonly<Record<string, JsonObject>>;
const callsOf = (calls: Calls) => Object.entries(calls).map(([name, args]) => ({ name, arguments: args }));
const called = (calls: Calls, expected: Calls, forbidden: readonly string[] = []): Joined =>
  joined({ calls: callsOf(calls) }, { expected: callsOf(expected), forbidden });

test('decision: the tools called, of direct answers those expected, and the invented ones', () => {
  const decided = (gold: Label, predicted: Label, calls: Calls, expected: Calls, tools?: readonly string[]): Joined =>
    joined(
      { label: labelCode(predicted), labelStatus: 'given', calls: callsOf(calls) },
      { label: labelCode(gold), expected: callsOf(expected), tools },
    );
  const family = decision({ mode: 'spec', invalidAs: 'wrong' });
  const told = (event: Joined) => attributedBy(family, event);
  const [accuracy, find, book] = ['decision.accuracy', { find: {} }, { book: {} }];
  assert.deepEqual(told(decided('tool_call', 'tool_call', book, find)), {}, 'the decision is right');
  assert.deepEqual(told(decided('cannot_answer', 'tool_call', { ...find, ...book }, {}, [])), {
    [accuracy]: ['tool find', 'tool book'],
    'decision.per_class.tool_call.precision': ['tool find', 'tool book'],
    'decision.per_class.cannot_answer.recall': ['tool find', 'tool book'],
    'decision.tool_hall': ['tool find', 'tool book'],
    'decision.tool_hall_any': ['tool find', 'tool book'],
    'decision.unknown_tool': ['invented_tool find', 'invented_tool book'],
  });
  assert.deepEqual(told(decided('request_for_info', 'tool_call', find, {}, ['find'])), {
    [accuracy]: ['tool find'],
    'decision.per_class.tool_call.precision': ['tool find'],
    'decision.per_class.request_for_info.recall': ['tool find'],
    'decision.param_hall': ['tool find'],
  });
  assert.deepEqual(told(decided('tool_call', 'direct', find, book)), {
    [accuracy]: ['tool book'],
    'decision.per_class.direct.precision': ['tool book'],
    'decision.per_class.tool_call.recall': ['tool book'],
    'decision.answer_hall': ['tool book'],
  });
  const right = decided('tool_call', 'tool_call', { ...find, moon: {} }, find, ['find']);
  assert.deepEqual(told(right), { 'decision.unknown_tool': ['invented_tool moon'] }, 'once, and nothing that exists');
});

test('match: the tool, its arguments by error, tools missing and extra, forbidden and in loops', () => {
  const told = (event: Joined) => attributedBy(match(matchDefaults), event);
  const wanted = { book: { city: 'Oslo', days: 3, items: [{ id: 1 }, { id: 2 }] } };
  assert.deepEqual(told(called(wanted, wanted)), {});
  assert.deepEqual(told(called({ book: { city: 'Rome', days: '3', items: [{ id: 7 }, { id: 8 }] } }, wanted)), {
    'match.correct': ['tool book', 'wrong_value book.city', 'wrong_type book.days', 'wrong_value book.items[*].id'],
  });
  assert.deepEqual(told(called({}, wanted)), { 'match.correct': ['missing_tool book'] });
  assert.deepEqual(told(called({ ...wanted, pay: {} }, wanted)), { 'match.correct': ['extra_tool pay'] });
  assert.deepEqual(told(called({ pay: {} }, wanted)), { 'match.correct': ['tool book'] });
  assert.deepEqual(told(called({ ...wanted, pay: {} }, wanted, ['pay'])), {
    'match.correct': ['tool pay'],
    'match.forbidden_events': ['tool pay'],
  });
  const thrice = joined(
    {
      calls: [
        ...Array.from({ length: 3 }, () => ({ name: 'book', arguments: {} })),
        { name: undefined, arguments: {} },
      ],
    },
    { expected: [{ name: 'book', arguments: {} }] },
  );
  assert.deepEqual(told(thrice), { 'match.correct': ['extra_tool book'], 'match.loop_events': ['tool book'] });
});

test('arguments: the expected tool, and those of its arguments that differ', () => {
  const told = (event: Joined) => attributedBy(argumentsFamily({ mode: 'spec', emptyLeaves: false }), event);
  const wanted = { f: { x: 1, y: 3, z: 4 } };
  assert.deepEqual(told(called(wanted, wanted)), {});
  const differing = ['tool f', 'argument f.y', 'argument f.z', 'argument f.w'];
  assert.deepEqual(told(called({ f: { x: 1, y: 2, w: 1 } }, wanted)), {
    'arguments.args_exact_rate': differing,
    'arguments.call_exact_rate': differing,
  });
  assert.deepEqual(told(called({ g: wanted.f }, wanted)), {
    'arguments.name_match_rate': ['tool f'],
    'arguments.call_exact_rate': ['tool f'],
  });
  const other = ['name_match_rate', 'args_exact_rate', 'call_exact_rate'].map((rate) => [
    `arguments.${rate}`,
    ['tool f'],
  ]);
  assert.deepEqual(told(called({ g: { x: 2 } }, wanted)), Object.fromEntries(other), 'arguments of another tool');
  const rates = ['valid_call_rate', 'name_match_rate', 'args_exact_rate', 'call_exact_rate'];
  const each = Object.fromEntries(rates.map((rate) => [`arguments.${rate}`, ['tool f']]));
  assert.deepEqual(told(called({}, wanted)), each);
});

test('trajectory: tools missing and extra, and arguments that differ at their place', () => {
  const options = { weights: { name: 0.4, params: 0.4, order: 0.2 }, paramThreshold: 0.9, orderThreshold: 0.8 };
  const told = (event: Joined) => attributedBy(trajectory({ ...options, mode: 'spec', minCombinationCount: 1 }), event);
  const wanted = { find: { city: 'Rome', limit: 100 }, book: { id: 7 } };
  assert.deepEqual(told(called(wanted, wanted)), {});
  const names = ['missing_tool book', 'extra_tool pay', 'tool find', 'argument find.city'];
  assert.deepEqual(told(called({ find: { city: 'Oslo', limit: 100 }, pay: {} }, wanted)), {
    'trajectory.strict.success': names,
    'trajectory.flexible.success': names,
  });
  const alike = called({ find: { city: 'rome, italy', limit: 100 }, book: { id: 7 } }, wanted);
  assert.deepEqual(told(alike), { 'trajectory.strict.success': ['tool find', 'argument find.city'] });
});

test('schema: the expected tool', () => {
  const weights = { tool_selection: 1, parameter_accuracy: 1, execution_success: 1, response_quality: 0 };
  const told = (event: Joined, mode: Mode = 'spec') => attributedBy(schema({ mode, weights, deep: undefined }), event);
  const tools = ['f', 'g'].map((name) => ({ name, parameters: { type: 'object', required: ['x'] } }));
  const calledOf = (calls: Calls): Joined =>
    joined({ calls: callsOf(calls) }, { expected: callsOf({ f: { x: 1 } }), tools });
  assert.deepEqual(told(calledOf({ f: { x: 1 } })), {});
  assert.deepEqual(told(calledOf({ g: { x: 1 } })), {
    'schema.tool_selection_accuracy': ['tool f'],
    'schema.execution_success_rate': ['tool f'],
  });
  assert.deepEqual(told(calledOf({ f: { y: 1 } })), {
    'schema.parameter_accuracy': ['tool f'],
    'schema.execution_success_rate': ['tool f'],
  });
  const nothing = joined({ calls: callsOf({ f: {} }) }, { expected: [], tools });
  assert.deepEqual(told(nothing, 'upstream'), {}, 'none is expected');
});

test('an event that is wrong all over attributions 16 by each rate', () => {
  const family = argumentsFamily({ mode: 'spec', emptyLeaves: false });
  const wanted = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, at]));
  const told = attributedBy(family, called({ f: {} }, { f: wanted }));
  assert.deepEqual(
    Object.values(told).map(({ length }) => length),
    [16, 16],
  );
});
