import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventLine } from '../../src/formats/prediction/pending-text.ts';
import { rowText as cellsText } from '../../src/formats/files/row-text.ts';
import { rowText, scoreRow } from '../../src/formats/snapshot/score-row.ts';
import { buildTruthTable } from '../../src/formats/truth/builder.ts';
import { openTruth } from '../../src/formats/truth/open.ts';
import { readTruthRecord, type TruthRecord } from '../../src/formats/truth/record.ts';
import { truthTable } from '../../src/formats/truth/table.ts';
import { readTopicTruth, truthOfRow } from '../../src/formats/truth/topic.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import { readerOf } from '../../src/config/settings.ts';
import { configWith, foldingOf } from '../support/folding.ts';

const config = configWith({ 'input.format': 'auto' });
const ts = Date.UTC(2026, 4, 1);

/** A truth in the bytes of an Arrow table. */
function truthOf(...lines: readonly string[]): TruthTable {
  const records = lines.map((line) => readTruthRecord(line) as TruthRecord);
  return truthTable(openTruth([{ name: 'truth', bytes: buildTruthTable(records) }]));
}

/** The rows of events as texts, the dead letters and what is pending. */
function scored(truth: TruthTable, events: readonly string[], settings = config) {
  const rows: string[] = [];
  const folding = foldingOf(settings, truth, { reader: readerOf(settings, false) });
  const { fold, state } = folding;
  fold.out.onScored = (one) => void rows.push(rowText(scoreRow(one, state.settings.layout, {})));
  folding.add(events);
  return { rows, state, fold, parsed: rows.map((row) => JSON.parse(row)) };
}

const id = '1234567890123456789';
const row = (args: string, more = ''): string =>
  `{"example_id":"e","label":"tool_call","expected_tool_calls":[{"name":"f","arguments":${args}${more}}]}`;
const called = (args: string): string =>
  `{"example_id":"e","ts":${ts},"tool_calls":[{"name":"f","arguments":${args}}]}`;

/** The verdicts of the families that compare arguments. */
const verdicts = (parsed: ReturnType<typeof JSON.parse>) => [
  parsed['match'].correct,
  parsed['tool_calls'].strict.tp === 1,
  parsed['trajectory'].strict.success,
  parsed['arguments'].args_exact,
];

/** Expected arguments with more of the call, arguments of the event, and whether they are equal. */
const pairs: readonly (readonly [expected: string, more: string, given: string, equal: boolean])[] = [
  [`{"id":${id}}`, '', `{"id":${id}}`, true],
  [`{"id":${id}}`, '', `{"id":${id}.0}`, true],
  [`{"id":${id}}`, '', JSON.stringify(`{"id": ${id}}`), true],
  [JSON.stringify(`{"id": ${id}}`), '', `{"id":${id}}`, true],
  [`{"id":${id}}`, '', '{"id":1234567890123456768}', false],
  [`{"id":${id}}`, '', '{"id":1234567890123456800}', false],
  [`{"id":${id}}`, '', JSON.stringify('{"id": 1234567890123456800}'), false],
  [`{"id":${id}}`, '', `{"id":"${id}"}`, false],
  [`{"ids":[{"id":${id}}]}`, '', '{"ids":[{"id":1234567890123456788}]}', false],
  ['{"x":12345678901234567.25}', '', '{"x":12345678901234567.5}', false],
  ['{"x":0.30000000000000004}', '', '{"x":3.0000000000000004e-1}', true],
];
test('arguments are equal by all digits of their numbers, in every family and form', () => {
  for (const [expected, more, given, equal] of pairs) {
    const { parsed } = scored(truthOf(row(expected, more)), [called(given)]);
    assert.deepEqual(verdicts(parsed[0]), [equal, equal, equal, equal], `${expected} and ${given}`);
  }
});

/** Settings of family match, the rules of the call, and calls that are right and wrong by them. */
const rules: readonly (readonly [accept: string, right: readonly string[], wrong: readonly string[]])[] = [
  ['{"id":{"any":[9007199254740993]}}', ['9007199254740993', id], ['9007199254740992']],
  ['{"id":{"coerce":true}}', [`"${id}"`], ['"1234567890123456700"', '"1234567890123456800"']],
  ['{"id":{"type":"integer"}}', ['9007199254740993'], ['9007199254740993.5', '"1"']],
  ['{"id":{"tolerance":1}}', [id], ['1234567890123456768']],
  ['{"id":{"relative":1e-6}}', ['1234567890123456768'], ['1234560000000000000']],
  ['{"id":{"range":[9007199254740993,9223372036854775807]}}', ['1234567890123456768'], ['1']],
];
test('rules take long numbers', () => {
  for (const [accept, right, wrong] of rules)
    for (const [equal, values] of [[true, right] as const, [false, wrong] as const])
      for (const value of values) {
        const { parsed } = scored(truthOf(row(`{"id":${id}}`, `,"accept":${accept}`)), [called(`{"id":${value}}`)]);
        assert.equal(parsed[0].match.correct, equal, `${accept} ${value}`);
      }
});

test('alternatives, answers and tables have all digits', () => {
  const line = `{"example_id":"e","label":"tool_call","expected_tool_calls":[],"alternatives":[[{"name":"f","arguments":{"id":${id}}}]],"reference":{"n":${id}}}`;
  const output = (number: string): string => `{"example_id":"e","ts":${ts},"label":"direct","output":${number}}`;
  const truth = truthOf(line);
  const { parsed } = scored(truth, [
    called(`{"id":${id}}`),
    called('{"id":1234567890123456768}'),
    output(`{"n":${id}}`),
    output(JSON.stringify(`{"n":${id}}`)),
    output('{"n":1234567890123456768}'),
  ]);
  assert.deepEqual([parsed[0].match.correct, parsed[1].match.correct], [true, false]);
  assert.deepEqual(
    parsed.slice(2).map(({ structured }) => structured.exact_match),
    [true, true, false],
  );
  const topic = readTopicTruth(Buffer.from('e'), Buffer.from(line));
  assert.ok('row' in topic && topic.row !== undefined);
  assert.deepEqual(truthOfRow(topic.row.text), truth.read(0));
  const cells = [
    9007199254740993n,
    { id: 1234567890123456789n },
    '[{"name":"f","arguments":{"id":1234567890123456789}}]',
  ];
  assert.equal(
    cellsText(['example_id', 'output', 'tool_calls'], (column) => cells[column]),
    `{"example_id":"9007199254740993","output":{"id":${id}},"tool_calls":[{"name":"f","arguments":{"id":${id}}}]}`,
  );
});

test('rows, pending predictions and refused elements are written with all digits', () => {
  const truth = truthOf(row(`{"id":${id}}`));
  const { rows, state, fold } = scored(truth, [
    called('{"id":1234567890123456768}'),
    called(`{"id":${id}}`).replace('"e"', '"other"'),
    `{"id":"x","choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"id":${id}}}}]}},{"message":5}]}`,
  ]);
  assert.match(rows[0]!, /"expected":1234567890123456789,"actual":1234567890123456768/);
  const [text] = state.pending.log.texts.values();
  assert.ok(eventLine(text!.slice(text!.indexOf('\n') + 1)).includes(`"id":${id}`));
  assert.ok(fold.out.rejects.length > 0);
});

test('ids and times that are long numbers', () => {
  const truth = truthOf(row('{"x":1}').replace('"e"', `"${id}"`));
  const answer = `{"example_id":${id},"ts":1777593600000000001,"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":"{\\"x\\":1}"}}]}}]}`;
  const { parsed } = scored(truth, [answer]);
  assert.equal(parsed[0].match.correct, true);
  assert.equal(parsed[0].ts, '2026-05-01T00:00:00.000Z');
});

test('NaN as Python writes it: read as null, counted; the field beside it is a right call', () => {
  const { parsed, state } = scored(truthOf(row('{"x":1}')), [
    called('{"x":1}').replace('{', '{"logprob":-Infinity,'),
    called('{"x":NaN}'),
    called(JSON.stringify('{"x": NaN}')),
    called('{"x":"NaN"}'),
    called(JSON.stringify('{"x": "NaN"}')),
  ]);
  assert.deepEqual(
    parsed.map(({ match }) => match.correct),
    [true, false, false, false, false],
  );
  assert.equal(state.input.not_standard_json, 3);
  assert.equal(parsed[1].match.errors[0].actual, null);
});

/** What each of two events under one id says, and the duplicates and conflicts that come of them. */
const e = { example_id: 'e', event_id: 'chatcmpl-42', ts, tool_calls: [{ name: 'f', arguments: { x: 1, y: 2 } }] };
const twice: readonly (readonly [what: string, second: object, duplicates: number, conflicts: number])[] = [
  ['a copy', e, 1, 0],
  ['a copy at another time', { ...e, ts: ts + 1_000, model: 'm' }, 1, 0],
  ['a copy with its keys in another order', { ...e, tool_calls: [{ arguments: { y: 2, x: 1 }, name: 'f' }] }, 1, 0],
  ['another example', { ...e, example_id: 'other' }, 0, 0],
  ['another id', { ...e, event_id: 'chatcmpl-43' }, 0, 0],
  ['no id', { ...e, event_id: undefined }, 0, 0],
  ['other arguments', { ...e, tool_calls: [{ name: 'f', arguments: { x: 1, y: 3 } }] }, 1, 1],
  ['a label', { ...e, label: 'tool_call' }, 1, 1],
  ['an answer', { ...e, output: 'x' }, 1, 1],
  ['an error', { ...e, error: 'x' }, 1, 1],
  ['another run', { ...e, run: 1 }, 1, 1],
  ['a success', { ...e, success: true }, 1, 1],
];
test('an identity is an id within its example; the first of two contents counts, and the conflict is told', () => {
  for (const [what, second, duplicates, conflicts] of twice) {
    const { state, fold } = scored(truthOf(row('{"x":1}')), [JSON.stringify(e), JSON.stringify(second)]);
    assert.deepEqual([state.numbers.duplicates, state.input.conflicts], [duplicates, conflicts], what);
    if (conflicts > 0)
      assert.deepEqual(fold.out.input.firsts.get('conflicts'), {
        offset: 1,
        element: -1,
        value: 'chatcmpl-42 of example e',
      });
  }
});

test('ids of a server that draws 999 of them: 1000 answers to different examples are 500 right ones', () => {
  const numbers = Array.from({ length: 1_000 }, (_, at) => at);
  const truth = truthOf(...numbers.map((at) => row(`{"city":"City${at}"}`).replace('"e"', `"q${at}"`)));
  const answers = numbers.map((at) =>
    JSON.stringify({
      example_id: `q${at}`,
      id: `chatcmpl-${(at * 7_919) % 999}`,
      created: 1_777_636_800 + 5 * at,
      choices: [
        {
          message: {
            tool_calls: [{ function: { name: 'f', arguments: `{"city":"${at < 500 ? `City${at}` : 'No'}"}` } }],
          },
        },
      ],
    }),
  );
  const { parsed, state } = scored(truth, answers);
  assert.equal(parsed.filter(({ match }) => match.correct).length, 500);
  assert.deepEqual([state.numbers.scored, state.numbers.duplicates, state.input.conflicts], [1_000, 0, 0]);
});
