import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { agreed, type Answer, answerOf } from '../../../src/commands/truth/agreement.ts';
import { commonNames, toolNaming } from '../../../src/scoring/tool-names.ts';
import { runs } from '../../support/soak.ts';
import { readFields } from '../../support/event-reader.ts';

const call = (city: string, name = 'f') => ({ name, arguments: { city, days: 1 } });
const answer = (model: string, event: object, run?: number): Answer => {
  const given = answerOf(readFields({ model, ...(run !== undefined && { run }), ...event }), toolNaming(commonNames));
  assert.notEqual(typeof given, 'string');
  return given as Answer;
};
const [oslo, rome] = ['Oslo', 'Rome'].map((city) => ({ tool_calls: [call(city)] }));
const expecting = (city: string) => ({ label: 'tool_call', expected_tool_calls: [call(city)] });

describe('the answer on which events agree', () => {
  const cases: readonly (readonly [string, readonly Answer[], number | undefined, unknown])[] = [
    ['one event', [answer('a', oslo!)], undefined, expecting('Oslo')],
    ['two that say the same', [answer('a', oslo!), answer('b', oslo!)], undefined, expecting('Oslo')],
    ['two that differ', [answer('a', oslo!), answer('b', rome!)], undefined, undefined],
    ['two of three', [answer('a', rome!), answer('b', oslo!), answer('c', oslo!)], 2, expecting('Oslo')],
    ['two runs of a model', [answer('a', oslo!, 0), answer('a', oslo!, 1)], 2, expecting('Oslo')],
    ['one run of a model, twice', [answer('a', oslo!, 0), answer('a', oslo!, 0)], 2, undefined],
    ['one', [answer('a', oslo!)], 2, undefined],
    ['two against two', ['a', 'b', 'c', 'd'].map((model, at) => answer(model, at < 2 ? oslo! : rome!)), 2, undefined],
    [
      'tools that are one by the names that are compared',
      [answer('a', oslo!), answer('b', { tool_calls: [call('Oslo', 'functions.f')] })],
      2,
      expecting('Oslo'),
    ],
    [
      'keys and calls in another order',
      [
        answer('a', { tool_calls: [call('Oslo'), call('Rome')] }),
        answer('b', { tool_calls: [call('Rome'), { name: 'f', arguments: { days: 1, city: 'Oslo' } }] }),
      ],
      2,
      { label: 'tool_call', expected_tool_calls: [call('Oslo'), call('Rome')] },
    ],
    [
      'labels without calls',
      [answer('a', { label: 'cannot_answer' }), answer('b', { label: 'cannot_answer' })],
      2,
      { label: 'cannot_answer', expected_tool_calls: [] },
    ],
    [
      'different labels without calls',
      [answer('a', { label: 'cannot_answer' }), answer('b', { label: 'direct' })],
      2,
      undefined,
    ],
    [
      'structured answers',
      [answer('a', { label: 'direct', output: { n: 1 } }), answer('b', { label: 'direct', output: { n: 2 } })],
      2,
      undefined,
    ],
  ];
  for (const [what, answers, least, expected] of cases)
    test(what, () => {
      assert.deepEqual(agreed(answers, least), expected);
    });

  test('it does not depend on the order of events, but for the order of its calls', () => {
    const some = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom(oslo!, rome!)), {
      maxLength: 6,
    });
    const property = fc.property(some, fc.integer({ min: 1, max: 3 }), (given, least) => {
      const answers = given.map(([model, event]) => answer(model, event));
      assert.deepEqual(agreed(answers, least), agreed([...answers].reverse(), least));
    });
    fc.assert(property, { numRuns: runs(100) });
  });
});

for (const [what, event, lack] of [
  ['an event that failed', { error: 'timeout' }, 'failed'],
  ['a call without a name', { tool_calls: [{ arguments: {} }] }, 'malformed'],
  ['words alone', { output: 'Sunny.' }, 'undecided'],
] as const)
  test(`${what} gives no answer`, () => {
    assert.equal(answerOf(readFields(event), undefined), lack);
  });
