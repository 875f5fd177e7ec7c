import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gather } from '../../../src/formats/platforms/gather.ts';
import { type LackKind, lacksText } from '../../../src/formats/platforms/lacks.ts';
import type { Expectation } from '../../../src/formats/platforms/expectation.ts';

const calls = (city: string) => ({ expected_tool_calls: [{ name: 'f', arguments: { city } }] });

/** The rows of some records, and how many of each kind give none. */
function gathered(
  ...given: readonly (readonly [id: unknown, parts: Expectation | LackKind, changedMs?: number | undefined])[]
) {
  const rows = gather();
  given.forEach(([id, parts, changedMs], at) => {
    const reading = typeof parts === 'string' ? { lack: parts } : { id, parts, changedMs };
    rows.add(reading, { file: 'f', number: at + 1, unit: 'line' });
  });
  return {
    rows: rows.rows().map(({ text }) => JSON.parse(text) as unknown),
    lacks: Object.fromEntries([...rows.lacks].map(([kind, { count, first }]) => [kind, [count, first.number]])),
  };
}

const row = (example_id: string, city: string) => ({ example_id, label: 'tool_call', ...calls(city) });

test('rows are those of the records, with a decision where calls are expected', () => {
  const { rows, lacks } = gathered(['a', calls('Oslo')], [7, { label: 'direct' }], ['b', { expected_tool_calls: [] }]);
  assert.deepEqual(rows, [
    row('a', 'Oslo'),
    { example_id: '7', label: 'direct' },
    { example_id: 'b', expected_tool_calls: [] },
  ]);
  assert.deepEqual(lacks, {});
});

test('parts of several records of one example are one row', () => {
  const { rows, lacks } = gathered(['a', { label: 'tool_call' }], ['a', calls('Oslo')], ['a', calls('Oslo')]);
  assert.deepEqual(rows, [{ example_id: 'a', label: 'tool_call', ...calls('Oslo') }]);
  assert.deepEqual(lacks, { repeated: [1, 3] });
});

test('of two that differ the newer one counts, else the later one', () => {
  for (const [first, second, wins, outdated] of [
    [1, 2, 'Rome', 1],
    [2, 1, 'Oslo', 2],
    [undefined, 1, 'Rome', 1],
    [undefined, undefined, 'Rome', 1],
  ] as const) {
    const { rows, lacks } = gathered(['a', calls('Oslo'), first], ['a', calls('Rome'), second]);
    assert.deepEqual(rows, [row('a', wins)]);
    assert.deepEqual(lacks, { outdated: [1, outdated] });
  }
});

test('records without an id, and those that say nothing, are counted with the first of them', () => {
  const { rows, lacks } = gathered([undefined, calls('a')], ['x', 'free_text'], ['y', 'free_text'], ['', calls('b')]);
  assert.deepEqual([rows, lacks], [[], { no_id: [2, 1], free_text: [2, 2] }]);
});

test('the report has a line a reason, with its first record and what to do', () => {
  const rows = gather();
  for (let number = 1; number <= 12; number++)
    rows.add({ lack: 'free_text' }, { file: 'a.json', number, unit: 'element' });
  rows.add({ lack: 'other' }, { file: 'b.ndjson', number: 3, unit: 'line' });
  assert.equal(
    lacksText(rows.lacks),
    '  12  expected answers in free text, which no rule can compare, first at a.json, element 1; give the expected calls or a label, or have the answers judged (assay judge)\n' +
      '   1  records of another kind, first at b.ndjson:3; check --from\n',
  );
});
