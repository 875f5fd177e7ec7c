import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { noInputCounts } from '../../src/state/input.ts';
import { readerOf } from '../../src/config/settings.ts';
import { inputText } from '../../src/terminal/input-text.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { takeNotes } from '../../src/pipeline/input-notes.ts';
import { countRecords } from '../../src/view/view.ts';
import { inputReport, type PlacedSample, withoutContent } from '../../src/view/input-report.ts';
import type { NoteKind } from '../../src/stream/input-notes.ts';
import { configWith, recordAt, foldingOf, type Folding } from '../support/folding.ts';
import type { LogRecord } from '../../src/stream/event.ts';

const config = configWith({ 'input.format': 'auto' });
const truthRecord = {
  label: 'tool_call',
  tools: [{ name: 'f', parameters: undefined }],
  expected_tool_calls: [{ name: 'g', arguments: {} }],
} as const;
const table = truthFromRecords([
  { example_id: 'a', reference: null, ...truthRecord },
  { example_id: 'none', label: null, tools: null, expected_tool_calls: null, reference: '{}' },
]);

const recordsOf = (texts: readonly string[]): LogRecord[] => texts.map((text, at) => recordAt(text, at + 1));

/** Folds texts of records, so many at once. */
function folded(texts: readonly string[], atOnce = texts.length): Folding {
  const folding = foldingOf(config, table, { reader: readerOf(config, false) });
  const records = recordsOf(texts);
  for (let from = 0; from < records.length; from += atOnce) folding.apply(records.slice(from, from + atOnce));
  return folding;
}

/** Counts, first lines and values by kind. */
function reportOf({ state, fold }: Folding): Record<string, readonly [number, string | null]> {
  const firsts = new Map<NoteKind, PlacedSample>();
  takeNotes(fold.out.input, { counts: new Map(), firsts }, { placeOf: (line) => ({ file: 'e', line }) });
  const rows = inputReport(countRecords([state]), state.input, firsts);
  return Object.fromEntries(rows.map(({ kind, count, value }) => [kind, [count, value]]));
}

const ts = Date.UTC(2026, 4, 1);
const event = (fields: object): string => JSON.stringify({ example_id: 'a', ts, ...fields });
const good = event({ tool_calls: [{ name: 'f', arguments: {} }] });

const inWords = configWith({
  'input.format': 'auto',
  'decision.rules': [
    { refused: true, label: 'cannot_answer' },
    { text: 'sorry', question: true, label: 'cannot_answer' },
    { question: true, label: 'request_for_info' },
    { text: 'no such text', label: 'direct' },
    { label: 'direct' },
  ],
});

test('decisions read from words are counted by the kind of rule, once each', () => {
  const choice = (message: object) => JSON.stringify({ example_id: 'a', created: ts / 1000, choices: [{ message }] });
  const folding = foldingOf(inWords, table, { reader: readerOf(inWords, false) });
  const twice = event({ output: 'Sorry, sorry?', event_id: 'x' });
  const texts = [twice, twice, event({ output: 'Where?' }), event({ output: 'Where to?' }), event({ output: 'No.' })];
  folding.apply(
    recordsOf([...texts, choice({ refusal: 'no', content: null }), good, event({ label: 'direct', output: 'x' })]),
  );
  assert.deepEqual(reportOf(folding), {
    words_refused: [1, null],
    words_text: [1, '"Sorry, sorry?"'],
    words_question: [2, '"Where?"'],
    words_otherwise: [1, '"No."'],
  });
});

const tagged = configWith({ 'input.format': 'auto', slices: [['tags.tenant']] });

test('tags that are no object are counted where a slice names one', () => {
  const texts = [event({ label: 'direct', tags: ['a'] }), event({ label: 'direct', tags: null })];
  for (const [given, wanted] of [
    [tagged, { tags_not_read: [1, 'an array of 1'] }],
    [config, {}],
  ] as const) {
    const folding = foldingOf(given, table, { reader: readerOf(given, false) });
    folding.apply(recordsOf(texts));
    assert.deepEqual(reportOf(folding), wanted);
  }
});

const cases: readonly [string, readonly string[], Record<string, readonly [number, string | null]>][] = [
  ['nothing is off', [good, event({ tool_calls: [{ name: 'g', arguments: '{}' }] })], {}],
  [
    'malformed calls',
    [event({ tool_calls: [{ fn: 'x' }, { name: 'f', arguments: 3 }, { name: 'f' }] })],
    { malformed_calls: [2, '{"fn": "x"}'], unread_calls: [1, '/tool_calls/0/fn'] },
  ],
  [
    'text that is no JSON, and text that is JSON of another kind',
    [
      event({
        tool_calls: [
          { name: 'f', arguments: '[1]' },
          { name: 'f', arguments: '{"x": ' },
        ],
      }),
    ],
    { malformed_calls: [2, '{"name": "f", "arguments": "[1]"}'], unparsed_arguments: [1, '"{\\"x\\": "'] },
  ],
  ['a label is missing', [event({ output: 'hello' })], { labels_missing: [1, null] }],
  ['a label is missing, and nobody asks for it', [JSON.stringify({ example_id: 'none', ts, output: 'x' })], {}],
  ['a label is invalid', [event({ label: 'answer' })], { labels_invalid: [1, '"answer"'] }],
  [
    'tools at hand that the truth does not know; expected calls are known, and a call that is not is no wrong input',
    [
      event({ tool_calls: [{ name: 'invented', arguments: {} }] }),
      event({ tool_calls: [], label: 'direct', tools: ['f', 'g', { name: 'mcp.f' }] }),
    ],
    { unknown_tools: [1, 'mcp.f'] },
  ],
  [
    'names that are near',
    [event({ toolCalls: [], label: 'direct' }), event({ modle: 'x', label: 'direct', model: 'm' })],
    { near_names: [1, 'toolCalls: meant as tool_calls?'] },
  ],
  [
    'a refused event with a near name',
    [JSON.stringify({ exampleId: 'a', ts, label: 'direct' })],
    {
      'rejected.no_example_id': [
        1,
        "example_id is absent, and the record has no key; give example_id, or the id as the record's key",
      ],
      near_names: [1, 'exampleId: meant as example_id?'],
    },
  ],
  [
    'no truth, and no time',
    [JSON.stringify({ example_id: 'other', label: 'direct' })],
    { no_truth: [1, 'other'], untimed: [1, null] },
  ],
  [
    'choices that are not read',
    [
      JSON.stringify({
        example_id: 'a',
        run: 1,
        created: 1_777_000_000,
        choices: [{ message: { tool_calls: [{ function: { name: 'f', arguments: '{}' } }] } }, { message: {} }],
      }),
    ],
    { choices_ignored: [1, null] },
  ],
];
for (const [title, texts, wanted] of cases)
  test(title, () => {
    assert.deepEqual(reportOf(folded(texts)), wanted);
  });

test('duplicates are not counted again', () => {
  const off = event({ event_id: 'one', tool_calls: [{ fn: 'x' }], lable: 'x' });
  const { state } = folded([off, off, good]);
  assert.deepEqual([state.input.malformed_calls, state.input.near_names, state.numbers.duplicates], [1, 1, 1]);
});

test('counts do not depend on how records come, nor on their order; what was applied is not counted again', () => {
  const all = [good, 'no json', ...cases.flatMap(([, texts]) => texts)];
  const { input } = folded(all).state;
  fc.assert(
    fc.property(
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.integer({ min: 1, max: 9 }),
      (texts, atOnce) => {
        assert.deepEqual(folded(texts, atOnce).state.input, input);
      },
    ),
  );
  const { state, apply } = folded(all);
  apply(recordsOf(all));
  assert.deepEqual(state.input, input);
});

test('the first of each kind stays the first', () => {
  const { fold } = folded([good, 'x1', 'x2'], 1);
  assert.equal(fold.out.input.firsts.get('rejected.not_json')?.offset, 2);
  assert.equal(fold.out.input.counts.get('rejected.not_json'), 2);
});

test('the report at a terminal', () => {
  const { state, fold } = folded([good, 'no json', event({ tool_calls: [{ id: '\u001b[31m' }] })]);
  const firsts = new Map<NoteKind, PlacedSample>();
  takeNotes(fold.out.input, { counts: new Map(), firsts }, { placeOf: (line) => ({ file: 'events.ndjson', line }) });
  const rows = inputReport(countRecords([state]), state.input, firsts);
  const coverage = '2 of 3 events scored';
  assert.equal(
    inputText(rows, coverage, ['agent: nothing at /x'], 80),
    `What was wrong with the input (2 of 3 events scored):
  1  events rejected (not_json)
     first at events.ndjson:2: the record is not JSON: Unexpected token 'o', "no
     json" is not valid JSON; send one JSON object, or an array of objects
  1  calls malformed
     first at events.ndjson:3: {"id": "\\u001b[31m"}
     give each call a name, and arguments as an object or its JSON text; they
     match nothing as they are
  agent: nothing at /x
`,
  );
  assert.deepEqual(
    withoutContent(rows).map(({ value }) => value),
    [null, null],
  );
  assert.equal(inputText([], coverage, [], 80), '');
  const usual = inputReport(countRecords([state]), { ...noInputCounts(), words_question: 7 }, new Map());
  assert.equal(
    inputText([usual.find(({ kind }) => kind === 'words_question')!], coverage, [], 80),
    `How the input was read:
  7  decisions read from a question (decision.rules, condition question)
     give label where the rule is wrong
`,
  );
  assert.equal(inputText(rows, coverage, [], Number.POSITIVE_INFINITY).split('\n').length, 7, 'a pipe has no width');
});
