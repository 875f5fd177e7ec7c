import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readerOf } from '../../src/config/settings.ts';
import { errorIn, failureIn } from '../../src/formats/messages/failure.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { Block } from '../../src/scoring/metric.ts';
import type { Rate } from '../../src/scoring/reading.ts';
import { configWith, foldingOf, viewWith } from '../support/folding.ts';
import { prng } from '../sim/prng.ts';
import { dialects, mixed, type RunCall } from '../support/run-dialects.ts';

/* Family tool_use against recorded traffic, and against runs in every dialect. */

const fixtures = new URL('../../../test/fixtures/', import.meta.url).pathname;
const recordsOf = (file: string): Record<string, unknown>[] =>
  readFileSync(`${fixtures}${file}`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const none = truthFromRecords([]);

/** The numbers of some records, without truth or with one. */
function blockOf(records: readonly object[], values: Readonly<Record<string, unknown>> = {}, truth = none): Block {
  const config = configWith(values);
  const { add, state } = foldingOf(config, truth, { reader: readerOf(config, false) });
  add(records);
  assert.equal(state.numbers.read, records.length);
  assert.equal(
    state.rejected.reduce((sum, count) => sum + count, 0),
    0,
  );
  return viewWith(config, [state], undefined).groups[0]!.blocks['tool_use'] as Block;
}

/** `failed 2/9 unanswered 0/9` */
function told(block: Block, names: readonly string[]): string {
  return names
    .map((name) => `${name} ${(block[name] as Rate).numerator}/${(block[name] as Rate).denominator}`)
    .join(' ');
}

/** Runs of tau-bench by task and trial, as a person counted them from the messages: calls, failed ones, a claim after the last failed. */
const counted: readonly (readonly [task: number, trial: number, calls: number, failed: number, claims: boolean])[] = [
  [3, 0, 20, 5, false],
  [13, 0, 14, 6, false],
  [15, 2, 3, 1, true],
  [8, 1, 16, 3, false],
  // It books and thinks the same three times, and ends in the result of a call: nothing is claimed.
  [9, 2, 23, 5, false],
  [11, 2, 14, 4, false],
  [23, 2, 9, 1, false],
  [46, 3, 18, 3, false],
  [1, 0, 0, 0, false],
  [5, 0, 6, 0, false],
];

test('tau-bench: the failures of ten runs are those that were counted by hand', () => {
  const runs = recordsOf('tool-use/tau-runs.ndjson');
  assert.equal(runs.length, counted.length);
  for (const [at, [task, trial, calls, failed, claims]] of counted.entries()) {
    const record = runs[at]!;
    assert.deepEqual([record['example_id'], record['run']], [`tau_airline:${task}`, trial]);
    const found = told(blockOf([record]), ['unknown_tool', 'failed', 'unanswered', 'not_recovered']);
    const failing = failed > 0 ? 1 : 0;
    assert.equal(
      found,
      `unknown_tool 0/${calls} failed ${failed}/${calls} unanswered 0/${calls} not_recovered ${claims ? 1 : 0}/${failing}`,
    );
  }
  const all = blockOf(runs);
  assert.equal(told(all, ['failed', 'not_recovered', 'loops']), 'failed 28/123 not_recovered 1/8 loops 1/9');
  assert.equal(all['calls_per_run'], 12.3);
  const errors = all['errors'] as Record<string, Record<string, number>>;
  assert.equal(errors['update_reservation_flights']!['Error: flight HAT# not available on date #-#-#'], 6);
});

test('threads on a success that was none: an error behind it is seen; a call that was never made needs truth', () => {
  const [crewai, dify, openclaw] = recordsOf('tool-use/claimed-success.ndjson');
  for (const record of [crewai!, openclaw!])
    assert.equal(told(blockOf([record]), ['failed', 'not_recovered']), 'failed 1/1 not_recovered 1/1');
  assert.equal(
    told(blockOf([dify!]), ['failed', 'not_recovered', 'malformed']),
    'failed 0/0 not_recovered 0/0 malformed 0/0',
  );
  const row = { example_id: 'dify-40671', label: 'tool_call', tools: null, expected_tool_calls: null, reference: null };
  const config = configWith();
  const { add, state } = foldingOf(config, truthFromRecords([{ ...row, label: 'tool_call' as const }]), {
    reader: readerOf(config, false),
  });
  add([dify!]);
  const decision = viewWith(config, [state], undefined).groups[0]!.blocks['decision'] as Block;
  assert.equal(told(decision, ['answer_hall']), 'answer_hall 1/1');
});

interface Question {
  readonly question: { readonly id: string; readonly function: readonly { readonly name: string }[] };
  readonly answers: readonly { readonly calls: readonly { readonly name: string; readonly arguments: object }[] }[];
}

/** Forms in which names come over the wire. */
const forms: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.replaceAll('.', '_'),
  (name) => `functions.${name}`,
  (name) => `functions.${name}:0`,
  (name) => `default_api.${name}`,
  (name) => `mcp__bfcl__${name}`,
];

test('BFCL: a name is invented only where more than its form differs, with tools.rename: common', () => {
  const questions = recordsOf('match/bfcl.ndjson') as unknown as Question[];
  const found: Record<string, number> = {};
  for (const [number, form] of forms.entries())
    for (const rename of ['common', []] as const) {
      const events = questions.flatMap(({ question, answers }) =>
        answers.map(({ calls }) => ({
          example_id: question.id,
          tools: question.function,
          tool_calls: calls.map((call) => ({ ...call, name: form(call.name) })),
        })),
      );
      const { numerator } = blockOf(events, { 'tools.rename': rename })['unknown_tool'] as Rate;
      found[`${number} ${rename}`] = numerator;
    }
  // Names that the answers have and no function: those that were changed at random.
  const others = questions.flatMap(({ question, answers }) =>
    answers.flatMap(({ calls }) => calls.filter(({ name }) => !question.function.some((tool) => tool.name === name))),
  ).length;
  const plain = questions.flatMap(({ answers }) => answers.flatMap(({ calls }) => calls)).length;
  for (const number of forms.keys()) assert.equal(found[`${number} common`], others, `form ${number}`);
  assert.equal(found['0 '], others);
  assert.ok(found['1 ']! > others, 'dots that became underscores are invented without rename');
  for (const number of [2, 3, 4, 5]) assert.equal(found[`${number} `], plain, `form ${number} without rename`);
});

const cleanTexts = [
  'ok',
  '0 errors found',
  '[]',
  '{"error": null, "rows": 3}',
  '{"status": "active"}',
  'No error: all well',
  '',
];
const parameters = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } } };
const tools = ['find', 'book', 'pay'].map((name) => ({ name, parameters: { ...parameters, required: ['city'] } }));

/** A run that has nothing wrong. */
function cleanRun(random: ReturnType<typeof prng>, at: number): { calls: RunCall[]; words: string } {
  const calls = Array.from(
    { length: random.between(1, 6) },
    (_, call): RunCall => ({
      name: random.pick(['find', 'book', 'pay']),
      arguments: { city: `city ${at} ${call}`, ...(random.chance(0.5) && { days: call + 1 }) },
      result: { ok: true, text: random.pick(cleanTexts) },
    }),
  );
  return { calls, words: 'It is done.' };
}

test('1,000 clean runs in every dialect have no bad case', () => {
  const writers = [...Object.values(dialects), mixed];
  const random = prng(11);
  const records = Array.from({ length: 1_000 }, (_, at) => ({
    ...{ example_id: `e${at}`, model: 'm', tools },
    messages: [{ role: 'user', content: 'go' }, ...writers[at % writers.length]!(cleanRun(random, at))],
  }));
  const block = blockOf(records);
  const rates = Object.entries(block).filter(([, value]) => typeof (value as Rate | null)?.denominator === 'number');
  assert.equal(rates.length, 7);
  for (const [name, value] of rates) assert.equal((value as Rate).numerator, 0, name);
  for (const name of ['unknown_tool', 'invalid_arguments', 'failed', 'unanswered'])
    assert.ok((block[name] as Rate).denominator > 3_000, name);
  assert.equal(block['n'], 1_000);
  assert.ok((block['steps_per_run'] as number) > 2);
});

test('in every dialect a failed call, an unanswered one and a claim behind them are seen', () => {
  const arguments_ = { city: 'Oslo' };
  const calls: RunCall[] = [
    { name: 'find', arguments: arguments_, result: { ok: true, text: 'ok' } },
    { name: 'book', arguments: arguments_ },
    { name: 'pay', arguments: arguments_, result: { ok: false, text: 'Error: declined' } },
  ];
  for (const [name, write] of Object.entries(dialects)) {
    const record = { example_id: 'e', tools, messages: write({ calls, words: 'Paid.' }) };
    assert.equal(
      told(blockOf([record]), ['failed', 'unanswered', 'not_recovered']),
      'failed 1/2 unanswered 1/3 not_recovered 1/1',
      name,
    );
  }
});

test('outputs that tell an error in their own words, and those that do not', () => {
  const errors: readonly unknown[] = [
    ...[
      'Error: no',
      'error: no',
      'Error executing tool find: boom',
      'An error occurred while running the tool. Error: x',
    ],
    ...['Traceback (most recent call last):\n  File "x"', '[tools] exec failed: no python', 'Tool call failed: 500'],
    ...['{"error": "timeout"}', '{"error": {"message": "no"}}', '{"isError": true}', '{"status": "error", "code": 5}'],
    ...[[{ type: 'text', text: 'Error: in parts' }], { error: 'as an object' }],
  ];
  for (const output of errors) assert.equal(typeof failureIn(output), 'string', JSON.stringify(output));
  const well: readonly unknown[] = [
    ...[
      '',
      'ok',
      '0 errors',
      'The error was fixed',
      'Errors: 0',
      '{"error": null}',
      '{"error": ""}',
      '{"error": 0.01}',
    ],
    ...[
      '{"error": false}',
      '{"status": "ok"}',
      '["error"]',
      '{"a": {"error": "x"}}',
      '{"error": broken',
      null,
      undefined,
      5,
    ],
    ...[[], [{ type: 'image' }], { status: 'active' }],
  ];
  for (const output of well) assert.equal(failureIn(output), undefined, JSON.stringify(output));
  assert.deepEqual(
    [errorIn(false), errorIn(''), errorIn(null), errorIn({ code: 1 })],
    [undefined, undefined, undefined, '{"code":1}'],
  );
});

test('a mark beside a result counts more than its words', () => {
  const messages = (mark: object) => [
    { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'find', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: 'c', content: 'Error: is the first word of this page', ...mark },
    { role: 'assistant', content: 'Found.' },
  ];
  for (const [mark, failed] of [
    [{}, 1],
    [{ status: 'success' }, 0],
    [{ is_error: false }, 0],
    [{ is_error: true }, 1],
  ] as const)
    assert.equal(told(blockOf([{ example_id: 'e', messages: messages(mark) }]), ['failed']), `failed ${failed}/1`);
});

test('native events: results are those of calls that there are, with ok, an error, or words that tell one', () => {
  const event = (results: unknown) => ({ example_id: 'e', tool_calls: [{ name: 'a' }, { name: 'b' }], results });
  const cases: readonly (readonly [unknown, string])[] = [
    [
      [
        { call: 0, ok: true },
        { call: 1, ok: false },
      ],
      'failed 1/2',
    ],
    [
      [
        { call: 0, ok: null, output: 'x' },
        { call: 1, ok: null },
      ],
      'failed 0/1',
    ],
    [
      [
        { call: 0, error: 'no' },
        { call: 9, ok: false },
        { call: '0', ok: false },
      ],
      'failed 1/1',
    ],
    [
      [
        { call: 0, ok: null, output: 'Error: no' },
        { call: 1, ok: true, output: 'Error: fine' },
      ],
      'failed 1/2',
    ],
    [[], 'failed 0/0'],
  ];
  for (const [results, expected] of cases) assert.equal(told(blockOf([event(results)]), ['failed']), expected);
  assert.equal(blockOf([{ ...event([]), steps: 4 }])['steps_per_run'], 4);
  for (const steps of [0, -1, 1.5, '3', [{}], undefined])
    assert.equal(blockOf([{ ...event([]), steps }])['steps_per_run'], 1);
});
