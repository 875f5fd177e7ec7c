import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaCheck } from '../../../src/formats/json-schema/validator.ts';
import type { Json } from '../../../src/scoring/json.ts';
import type { Call, CallResult, Prediction } from '../../../src/scoring/prediction.ts';
import { rateWith, z95 } from '../../../src/scoring/reading.ts';
import { countedError } from '../../../src/scoring/tool-use/error-text.ts';
import { toolUse } from '../../../src/scoring/tool-use/index.ts';
import { loopAt } from '../../../src/scoring/tool-use/loops.ts';
import { joined } from '../../support/joined.ts';
import { blockOf, isPerfect, rowOf, windowBlockOf } from '../../support/scoring.ts';
import { tallyEvents } from '../../support/tally.ts';

const rate = rateWith(z95);
const family = (known?: readonly string[]) => toolUse({ known, check: schemaCheck() });
const words = { kind: 'text', text: 'Paid.' } as const;

const find: Json = {
  name: 'find',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const call = (name: string | undefined, args: Call['arguments'] = {}): Call => ({ name, arguments: args });
const ok = (index: number): CallResult => ({ call: index, failed: false, error: undefined });
const failed = (index: number, error: string | undefined = 'Error: no'): CallResult => ({
  call: index,
  failed: true,
  error,
});

const worked: Partial<Prediction> = {
  tools: [find, { name: 'pay', parameters: {} }],
  calls: [call('find', { city: 5 }), call('fly'), call('pay')],
  results: [ok(0), failed(2, 'Error: card 4242 declined\nat pay.py')],
  output: words,
};

test('the worked example of the docstring', () => {
  const event = joined(worked, {});
  const { tools, violations, errors, ...block } = blockOf(family(), [event])!;
  assert.deepEqual(block, {
    n: 1,
    unknown_tool: rate(1, 3),
    malformed: rate(0, 3),
    invalid_arguments: rate(1, 2),
    failed: rate(1, 2),
    unanswered: rate(1, 3),
    not_recovered: rate(1, 1),
    loops: rate(0, 1),
    calls_per_run: 3,
    steps_per_run: 1,
  });
  const none = { unknown: 0, unchecked: 0, invalid_arguments: rate(0, 0), failed: rate(0, 0) };
  assert.deepEqual(tools, {
    find: { ...none, calls: 1, invalid_arguments: rate(1, 1), failed: rate(0, 1) },
    fly: { ...none, calls: 1, unknown: 1 },
    pay: { ...none, calls: 1, invalid_arguments: rate(0, 1), failed: rate(1, 1) },
  });
  assert.deepEqual(violations, { find: { 'city type': 1 } });
  assert.deepEqual(errors, { pay: { 'Error: card # declined': 1 } });
  assert.deepEqual(rowOf(family(), event), {
    calls: 3,
    steps: 1,
    malformed: 0,
    unknown: ['fly'],
    invalid: [{ tool: 'find', path: 'city', keyword: 'type' }],
    failed_calls: 1,
    failed: [{ tool: 'pay', error: 'Error: card # declined' }],
    unanswered: 1,
    not_recovered: true,
    loop: false,
  });
  assert.equal(isPerfect(family(), event), false);
});

/** Bad cases of the block of one event: `2/3` where the rate has a denominator. */
function shortBlock(prediction: Partial<Prediction>, known?: readonly string[]): string {
  const block = windowBlockOf(family(known), [joined(prediction, {})]);
  if (block === null) return 'null';
  return Object.entries(block)
    .flatMap(([name, value]) => {
      const { numerator, denominator } = (value ?? {}) as { numerator?: number; denominator?: number };
      return denominator === undefined || denominator === 0 ? [] : [`${name} ${numerator}/${denominator}`];
    })
    .join(', ');
}

const same = (times: number): Call[] => Array.from({ length: times }, () => call('a', { x: [1, { y: 2 }] }));
const strict: Json = { name: 's', parameters: { properties: { n: { type: 'integer' } }, additionalProperties: false } };
const broken: Json = { name: 'b', parameters: { $ref: 'https://elsewhere.example/schema' } };

/** What is special, the event, the tools that are known, and its rates. */
const table: readonly [string, Partial<Prediction>, readonly string[] | undefined, string][] = [
  ['no calls', { output: words }, undefined, ''],
  ['calls are not recorded', { callsNotRecorded: true }, undefined, 'null'],
  ['no tools are known', { calls: [call('a')] }, undefined, 'malformed 0/1'],
  ['tools of the configuration', { calls: [call('a'), call('c')] }, ['a', 'b'], 'unknown_tool 1/2, malformed 0/2'],
  ['those of the event come first', { calls: [call('a')], tools: ['b'] }, ['a'], 'unknown_tool 1/1, malformed 0/1'],
  ['no tool at hand', { calls: [call('a')], tools: [] }, undefined, 'unknown_tool 1/1, malformed 0/1'],
  ['case counts', { calls: [call('A')], tools: ['a'] }, undefined, 'unknown_tool 1/1, malformed 0/1'],
  ['no name', { calls: [call(undefined)], tools: ['a'] }, undefined, 'unknown_tool 1/1, malformed 1/1'],
  ['a name of an object', { calls: [call('toString')], tools: ['a'] }, undefined, 'unknown_tool 1/1, malformed 0/1'],
  [
    'arguments that are no object',
    { calls: [{ name: 'find', arguments: undefined }], tools: [find] },
    undefined,
    'unknown_tool 0/1, malformed 1/1',
  ],
  [
    'a required argument is missing',
    { calls: [call('find')], tools: [find] },
    undefined,
    'unknown_tool 0/1, malformed 0/1, invalid_arguments 1/1',
  ],
  [
    'an argument too many',
    { calls: [call('s', { n: 1, m: 1 }), call('s', { n: 1 })], tools: [strict] },
    undefined,
    'unknown_tool 0/2, malformed 0/2, invalid_arguments 1/2',
  ],
  [
    'a schema that cannot be used',
    { calls: [call('b', { n: 1 })], tools: [broken] },
    undefined,
    'unknown_tool 0/1, malformed 0/1',
  ],
  [
    'a flat map of parameters',
    { calls: [call('f', { a: 'x' }), call('f', { a: 1 })], tools: [{ name: 'f', parameters: { a: { type: 'int' } } }] },
    undefined,
    'unknown_tool 0/2, malformed 0/2, invalid_arguments 1/2',
  ],
  [
    'all results are well',
    { calls: [call('a'), call('b')], results: [ok(0), ok(1)], output: words },
    undefined,
    'malformed 0/2, failed 0/2, unanswered 0/2',
  ],
  [
    'recovered: a later result is well',
    { calls: [call('a'), call('b')], results: [failed(0), ok(1)], output: words },
    undefined,
    'malformed 0/2, failed 1/2, unanswered 0/2, not_recovered 0/1',
  ],
  [
    'not recovered',
    { calls: [call('a'), call('b')], results: [ok(0), failed(1)], output: words },
    undefined,
    'malformed 0/2, failed 1/2, unanswered 0/2, not_recovered 1/1',
  ],
  [
    'an answer that is an error claims nothing',
    { calls: [call('a')], results: [failed(0)], output: words, error: 'gave up' },
    undefined,
    'malformed 0/1, failed 1/1, unanswered 0/1, not_recovered 0/1',
  ],
  [
    'no answer in words',
    { calls: [call('a')], results: [failed(0)], output: { kind: 'json', value: {} } },
    undefined,
    'malformed 0/1, failed 1/1, unanswered 0/1, not_recovered 0/1',
  ],
  [
    'words before the last call',
    { calls: [call('a')], results: [failed(0)], output: words, answered: false, finished: false },
    undefined,
    'malformed 0/1, failed 1/1, unanswered 0/1, not_recovered 0/1',
  ],
  [
    'unanswered',
    { calls: [call('a'), call('b')], results: [ok(0)], output: words },
    undefined,
    'malformed 0/2, failed 0/1, unanswered 1/2',
  ],
  [
    'cut off behind a call',
    { calls: [call('a'), call('b')], results: [ok(0)], finished: false },
    undefined,
    'malformed 0/2, failed 0/1, unanswered 0/1',
  ],
  ['no result at all', { calls: [call('a')], results: [] }, undefined, 'malformed 0/1'],
  ['a result of no call', { calls: [call('a')], results: [failed(7)] }, undefined, 'malformed 0/1'],
  [
    'the later of two results of a call counts',
    { calls: [call('a')], results: [failed(0), ok(0)] },
    undefined,
    'malformed 0/1, failed 0/1, unanswered 0/1',
  ],
  ['two equal calls', { calls: [...same(2), call('a')] }, undefined, 'malformed 0/3, loops 0/1'],
  ['three equal calls', { calls: [call('b'), ...same(3)] }, undefined, 'malformed 0/4, loops 1/1'],
];

for (const [name, prediction, known, expected] of table)
  test(`case: ${name}`, () => assert.equal(shortBlock(prediction, known), expected));

test('a run without a bad case is perfect, and one with any is not', () => {
  for (const [name, prediction, known, expected] of table) {
    const isBad = expected.split(', ').some((part) => / [1-9]/.test(part));
    assert.equal(isPerfect(family(known), joined(prediction, {})), expected === 'null' ? undefined : !isBad, name);
  }
});

test('loops: positions of the call that closes one', () => {
  const calls = (text: string): Call[] => [...text].map((name) => call(name, { of: name }));
  const cases: readonly (readonly [string, number])[] = [
    ...([
      ['', -1],
      ['aa', -1],
      ['aaa', 2],
      ['baaa', 3],
      ['aabaa', -1],
      ['ababa', -1],
      ['ababab', 5],
    ] as const),
    ...([
      ['xabababy', 6],
      ['abcabc', -1],
      ['abcabcabc', 8],
      ['abcdabcdabcd', 11],
      ['abcdeabcdeabcde', -1],
    ] as const),
    ...([
      ['aabaabaab', 8],
      ['abcabcab', -1],
    ] as const),
  ];
  for (const [text, at] of cases) assert.equal(loopAt(calls(text)), at, text);
  const malformed = Array.from({ length: 3 }, () => ({ name: 'a', arguments: undefined }));
  assert.equal(loopAt(malformed), -1, 'arguments that could not be read');
  const ordered = [call('a', { x: 1, y: 2 }), call('a', { y: 2, x: 1 }), call('a', { x: 1, y: 2 })];
  assert.equal(loopAt(ordered), 2, 'keys in any order');
});

test('errors are counted by their first line, with numbers folded', () => {
  const cases = [
    ['Error: flight HAT030 not available on date 2024-05-13', 'Error: flight HAT# not available on date #-#-#'],
    ['\n  timeout after 30s\r\nmore', 'timeout after #s'],
    ['', ''],
    ['x'.repeat(200), `${'x'.repeat(119)}…`],
    [`${'x'.repeat(118)}😀😀`, `${'x'.repeat(118)}…`],
  ] as const;
  for (const [given, counted] of cases) assert.equal(countedError(given), counted);
});

test('alarms name the invented tool, the argument with its error, and the error of a tool', () => {
  const attributed = tallyEvents(family(), [joined(worked, {})])
    .contents()
    .at(-1) as readonly [string, number][];
  assert.deepEqual(attributed.map(([key]) => (JSON.parse(key) as unknown[]).slice(1)).sort(), [
    ['invented_tool', 'fly'],
    ['tool', 'fly'],
    ['tool_error', 'pay', 'Error: card # declined'],
    ['tool_error', 'pay', 'Error: card # declined'],
    ['wrong_type', 'find', 'city'],
  ]);
});
