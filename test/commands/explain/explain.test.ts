import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explanation } from '../../../src/commands/explain/explain.ts';
import { readerOf } from '../../../src/config/settings.ts';
import { truthFromRecords } from '../../../src/formats/truth/table.ts';
import { configWith, foldingOf } from '../../support/folding.ts';

const ts = Date.UTC(2026, 4, 1);
const call = (name: string, given: object) => ({ name, arguments: given });
const truth = truthFromRecords([
  {
    example_id: 'e',
    label: 'tool_call',
    tools: null,
    expected_tool_calls: [call('search', { to: 'Oslo' }), call('book', { flight: 'AZ 12' }), call('pay', {})] as never,
    reference: { booked: true },
  },
]);

/** What is printed of the one event that some records make, behind the lines of the families. */
function printed(records: readonly object[], settings: Readonly<Record<string, unknown>> = {}): string[] {
  const config = configWith(settings);
  const { fold, state, add, end } = foldingOf(config, truth, { reader: readerOf(config, true) });
  const texts: string[] = [];
  fold.out.onScored = (scored) =>
    void texts.push(explanation(scored, state.settings.layout, { file: 'file', line: scored.event.offset }, []));
  add(records, ts);
  end();
  assert.equal(texts.length, 1);
  const lines = texts[0]!.trimEnd().split('\n');
  return lines.slice(lines.findIndex((line) => /^(run|match):/.test(line)));
}

const run = {
  example_id: 'e',
  ts,
  tool_calls: [call('search', { to: 'Oslo' }), call('search', { to: 'Oslo' }), call('book', { flight: 'AZ 13' })],
  results: [
    { call: 0, ok: false, error: 'timeout' },
    { call: 1, ok: true, output: { flights: ['AZ 12'] } },
  ],
  output: 'Booked.',
  steps: 4,
  run_seconds: 2.5,
};

test('a run is printed step by step, each call beside the expected one', () => {
  assert.deepEqual(printed([run]).slice(0, 12), [
    'run: 4 answers of the model in 2.5 s',
    '  call      0  search {"to":"Oslo"}',
    '  expected  0  search {"to":"Oslo"}  fits',
    '  result       failed: timeout',
    '  call      1  search {"to":"Oslo"}',
    '  expected  2  pay {}',
    '  result       ok  {"flights": ["AZ 12"]}',
    '  call      2  book {"flight":"AZ 13"}',
    '  expected  1  book {"flight":"AZ 12"}',
    '  result       none known',
    '  answer       "Booked."',
    '  expected     {"booked": true}',
  ]);
});

test('without family match a run is printed too; an event of one answer has the pairing alone', () => {
  const lines = printed([run], { 'metrics.match.enabled': false });
  assert.equal(lines.length, 12);
  assert.ok(lines.includes('  expected  1  book {"flight":"AZ 12"}'));
  const [head, ...pairs] = printed([{ example_id: 'e', ts, tool_calls: [call('search', { to: 'Oslo' })] }]);
  assert.match(head!, /^match: list 0 counts; 1 of 3/);
  assert.deepEqual(pairs.slice(0, 4), [
    '  expected  0  search {"to":"Oslo"}',
    '  predicted 0  search {"to":"Oslo"}  fits',
    '  expected  1  book {"flight":"AZ 12"}',
    '  predicted -',
  ]);
});

test('a run of several records is printed as one', () => {
  const lines = printed(
    [
      { example_id: 'e', ts, tool_calls: [call('search', { to: 'Oslo' })] },
      { example_id: 'e', ts: ts + 500, tool_calls: [call('book', { flight: 'AZ 12' })] },
      { example_id: 'e', ts: ts + 1500, output: 'Done.' },
    ],
    { 'runs.by': 'example' },
  );
  assert.deepEqual(
    lines.filter((line) => /^(run:| {2}call| {2}answer)/.test(line)),
    [
      'run: 3 answers of the model in 1.5 s',
      '  call      0  search {"to":"Oslo"}',
      '  call      1  book {"flight":"AZ 12"}',
      '  call      -',
      '  answer       "Done."',
    ],
  );
});
