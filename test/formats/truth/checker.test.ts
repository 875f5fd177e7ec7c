import assert from 'node:assert/strict';
import { test } from 'node:test';
import { truthChecker } from '../../../src/formats/truth/checker.ts';
import { truthReader } from '../../../src/formats/truth/record.ts';
import { commonNames, type ToolNaming, toolNaming } from '../../../src/scoring/tool-names.ts';

/** Findings in lines of a file as `kind, id, line, detail`, and the number of rows. */
function checked(lines: readonly (object | string)[], naming?: ToolNaming) {
  const checker = truthChecker(truthReader(), naming);
  const found = lines.flatMap((line, at) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line);
    return checker.check({ file: 'f', line: at + 1, unit: 'line', text });
  });
  return [found.map(({ kind, example_id, line, detail }) => [kind, example_id, line, detail]), checker.rows];
}

const call = (city: string) => [{ name: 'f', arguments: { city } }];

test('a row that contradicts itself is a finding with its place', () => {
  const row = { example_id: 'a', label: 'direct', expected_tool_calls: call('Oslo') };
  assert.deepEqual(checked([row]), [[['label', 'a', 1, 'label is direct, and "f" is expected']], 1]);
});

test('an id that comes twice is a finding, whether or not its rows differ', () => {
  const [one, other] = ['Oslo', 'Rome'].map((city) => ({ example_id: 'a', expected_tool_calls: call(city) }));
  assert.deepEqual(checked([one!, '', other!, one!]), [
    [
      ['id', 'a', 3, 'its id is already at f:1, which says something else'],
      ['id', 'a', 4, 'its id is already at f:1, which says the same'],
    ],
    3,
  ]);
});

test('one question with two answers is a finding; with one answer it is none', () => {
  const row = (example_id: string, question: unknown, city: string) => ({
    ...{ example_id, question },
    expected_tool_calls: call(city),
  });
  const rows = [
    row('a', 'Weather?', 'Oslo'),
    row('b', 'Weather?', 'Oslo'),
    row('c', 'Weather?', 'Rome'),
    row('d', 'Rain?', 'Rome'),
  ];
  assert.deepEqual(checked(rows), [
    [['question', 'c', 3, 'its question is that of "a" at f:1, and its answer another']],
    4,
  ]);
});

test('a record that is refused is a finding without an id', () => {
  assert.deepEqual(checked(['nonsense', { label: 'direct' }]), [
    [
      ['invalid', null, 1, `not JSON (Unexpected token 'o', "nonsense" is not valid JSON)`],
      ['invalid', null, 2, 'example_id: must be a text of 1 to 512 characters without lone surrogates, is undefined'],
    ],
    2,
  ]);
});

test('tools that are one by the configured names are no contradiction', () => {
  const row = { example_id: 'a', tools: ['mcp__weather__f'], expected_tool_calls: call('Oslo') };
  assert.deepEqual(checked([row], toolNaming(commonNames)), [[], 1]);
  assert.deepEqual(checked([row]), [
    [['tool', 'a', 1, 'expected_tool_calls[0]: "f" is none of the tools of the row']],
    1,
  ]);
});
