import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { expectationIn } from '../../../src/formats/platforms/expectation.ts';
import { readTruthRecord } from '../../../src/formats/truth/record.ts';
import { runs } from '../../support/soak.ts';

const oslo = { name: 'get_weather', arguments: { city: 'Oslo' } };
const text = '{"city": "Oslo"}';
const openai = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: text } };
const anyArguments = { '*': { ignore: true } };
const calls = (...list: readonly unknown[]) => ({ expected_tool_calls: list });

const cases: readonly (readonly [what: string, given: unknown, expected: unknown])[] = [
  ['nothing', null, 'absent'],
  ['empty text', '', 'absent'],
  ['an empty object', {}, 'absent'],
  ['words', 'It is sunny.', 'free_text'],
  ['a number', 7, 'free_text'],
  ['words in an object', { answer: 'It is sunny.' }, 'free_text'],
  ['words under two keys', { output: { expected_response: 'It is sunny.' } }, 'free_text'],
  ['a label', 'cannot_answer', { label: 'cannot_answer' }],
  ['a label in an object', { answer: 'cannot_answer' }, { label: 'cannot_answer' }],
  ['another label', { label: 'positive', score: 1 }, { reference: { label: 'positive', score: 1 } }],
  ['fields of truth', { label: 'tool_call', expected_tool_calls: [oslo] }, { label: 'tool_call', ...calls(oslo) }],
  ['forbidden tools', { forbidden: ['delete_*'] }, { forbidden: ['delete_*'] }],
  ['a list of calls', [oslo], calls(oslo)],
  ['a list of calls as text', JSON.stringify([oslo]), calls(oslo)],
  ['no call', [], calls()],
  ['one call', { name: 'get_weather', args: { city: 'Oslo' } }, calls(oslo)],
  ['calls of OpenAI', { tool_calls: [openai] }, calls({ name: 'get_weather', arguments: text })],
  ['names alone', { expected_tools: ['f'] }, calls({ name: 'f', accept: anyArguments })],
  ['names in objects', [{ name: 'f' }], calls({ name: 'f', accept: anyArguments })],
  [
    'a message of the agent',
    { role: 'assistant', content: null, tool_calls: [openai] },
    calls({ name: 'get_weather', arguments: text }),
  ],
  ['a message in words', { role: 'assistant', content: 'Which city?' }, calls()],
  [
    'a conversation',
    {
      messages: [
        { role: 'user', content: 'Oslo?' },
        { role: 'assistant', tool_calls: [openai] },
      ],
    },
    calls({ name: 'get_weather', arguments: text }),
  ],
  [
    'an answer of Anthropic',
    { stop_reason: 'tool_use', content: [{ type: 'tool_use', id: 't', name: 'f', input: { a: 1 } }] },
    calls({ name: 'f', arguments: { a: 1 } }),
  ],
  ['calls beside a score', { output: { tool_calls: [oslo] }, score: 1 }, calls(oslo)],
  ['calls beside a label', { label: 'tool_call', tool_calls: [oslo] }, { label: 'tool_call', ...calls(oslo) }],
  ['calls beside forbidden tools', { forbidden: ['x'], expected_tools: [oslo] }, { forbidden: ['x'], ...calls(oslo) }],
  [
    'arguments under a key that nothing reads',
    [{ name: 'f', params: { a: 1 } }],
    { reference: [{ name: 'f', params: { a: 1 } }] },
  ],
  [
    'the same in a list of calls',
    { tool_calls: [{ name: 'f', params: { a: 1 } }] },
    calls({ name: 'f', params: { a: 1 } }),
  ],
  ['another object', { city: 'Oslo', days: 3 }, { reference: { city: 'Oslo', days: 3 } }],
  ['an object under a key of answers', { output: { city: 'Oslo', days: 3 } }, { reference: { city: 'Oslo', days: 3 } }],
  ['a list of other things', ['Oslo', 'Rome'], { reference: ['Oslo', 'Rome'] }],
];

describe('the expectation in an answer', () => {
  for (const [what, given, expected] of cases)
    test(what, () => {
      assert.deepEqual(expectationIn(given), expected);
    });

  test('of any JSON it is none, or parts that a truth row may have once their calls have names', () => {
    const property = fc.property(fc.jsonValue(), (given) => {
      const found = expectationIn(given);
      if (typeof found === 'string') return;
      const record = readTruthRecord(JSON.stringify({ example_id: 'e', ...found }));
      if ('problem' in record) assert.match(record.problem, /^(expected_tool_calls|alternatives|forbidden|tools)/);
      else if (found.reference !== undefined)
        assert.equal(JSON.stringify(record.reference), JSON.stringify(found.reference));
    });
    fc.assert(property, { numRuns: runs(300) });
  });
});
