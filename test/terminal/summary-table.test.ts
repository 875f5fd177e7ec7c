import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryTable } from '../../src/terminal/summary-table.ts';
import type { SummaryDocument } from '../../src/formats/summary/summary-document.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { group } from '../support/summaries.ts';

const rate = rateWith(z95);
const records = {
  ...{
    read: 27,
    scored: 20,
    pending: 3,
    expired: 0,
    duplicates: 2,
    open_runs: 0,
    steps: 0,
    runs: 0,
    late: 0,
    unverified: 0,
    judgements: 0,
    feedback: 0,
  },
  ...{ calls_not_recorded: 0, malformed_calls: 1, unread_calls: 0, unscored: 5, rejected: { not_json: 2 } },
};

function documentOf(groups: SummaryDocument['groups'], part: Partial<SummaryDocument> = {}): SummaryDocument {
  const none = { input: [], watches: [], incidents: [], suspects: [], wrong_arguments: [] };
  return { ...none, records, coverage: rate(20, 25), groups, ...part };
}

const groups = [group({}, 17), group({}, 1, '5m'), group({ model: 'gpt-4o' }, 18), group({ model: 'llama3:8b' }, 10)];

test('metrics of the total with their counts, calls right first; then few columns for the groups', () => {
  const matched = groups.map((each) => ({ ...each, match: { correct: rate(7, 12) } }));
  assert.equal(
    summaryTable(documentOf(matched), { all: false, width: 80 }),
    `20 of 25 events scored, coverage 80.0 % [60.9, 91.1]
  pending 3, duplicates 2, malformed_calls 1, rejected.not_json 2

Calls right (match.correct)             58.3 % [32.0, 80.7]        7/12
decision.accuracy                       85.0 % [64.0, 94.8]       17/20
decision.param_hall                                       –         0/0
decision.macro_f1                                    0.5000
Call F1 (tool_calls.strict.f1)                       0.7500  mean of 12
Args exact (arguments.args_exact_rate)  85.0 % [64.0, 94.8]       17/20
Stability (stability.stability)          50.0 % [9.5, 90.5]         1/2

                  n        match.correct             accuracy  macro_f1
total            20  58.3 % [32.0, 80.7]  85.0 % [64.0, 94.8]    0.5000
model=gpt-4o     20  58.3 % [32.0, 80.7]  90.0 % [69.9, 97.2]    0.5000
model=llama3:8b  20  58.3 % [32.0, 80.7]  50.0 % [29.9, 70.1]    0.5000`,
  );
});

test('names are cut at a terminal, and whole in a pipe', () => {
  const name = 'x'.repeat(60);
  const table = (width: number) =>
    summaryTable(documentOf([groups[0]!, group({ model: name }, 1)]), { all: false, width });
  assert.match(table(80), /^model=x{23}… /m);
  assert.match(table(Number.POSITIVE_INFINITY), /^model=x{60} /m);
});

test('one group has no table of groups', () => {
  assert.doesNotMatch(summaryTable(documentOf([group({}, 17)]), { all: false, width: 80 }), /^total/m);
});

test('with all, every column of every group', () => {
  const table = summaryTable(documentOf(groups, { coverage: rate(25, 25) }), { all: true, width: 80 });
  assert.equal(
    table.slice(table.indexOf('\n\n') + 2),
    `                  n             accuracy  macro_f1  tool_calls.strict.f1
total            20  85.0 % [64.0, 94.8]    0.5000                0.7500
model=gpt-4o     20  90.0 % [69.9, 97.2]    0.5000                0.7500
model=llama3:8b  20  50.0 % [29.9, 70.1]    0.5000                0.7500

                 arguments.args_exact_rate  stability.stability
total                  85.0 % [64.0, 94.8]   50.0 % [9.5, 90.5]
model=gpt-4o           90.0 % [69.9, 97.2]   50.0 % [9.5, 90.5]
model=llama3:8b        50.0 % [29.9, 70.1]   50.0 % [9.5, 90.5]`,
  );
  assert.match(table, /^25 of 25 events scored\n/, 'full coverage needs no word');
});

test('no number of decisions where nothing was decided', () => {
  const { decision: _, ...calls } = group({}, 17);
  const table = summaryTable(documentOf([calls as never, calls as never]), {
    all: false,
    width: 80,
  });
  assert.match(table, /^ +tool_calls\.strict\.f1 +arguments/m);
});

test('of many groups the largest, and how many more there are', () => {
  const many = Array.from({ length: 31 }, (_, at) => {
    const one = group({ model: `m${at}` }, 10);
    return { ...one, decision: { ...(one['decision'] as object), n: at } };
  });
  const table = summaryTable(documentOf([group({}, 17), ...many]), { all: false, width: 80 });
  assert.match(table, /^… and 11 more groups \(--all\)$/m);
  assert.match(table, /^model=m30 /m);
  assert.doesNotMatch(table, /^model=m10 /m);
  assert.match(summaryTable(documentOf([group({}, 17), ...many]), { all: true, width: 80 }), /^model=m10 /m);
});

test('every table fits 80 columns, and no name steers the terminal', () => {
  const name = fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom('\u001b[31mred', 'a\nb', 'x'.repeat(300)));
  fc.assert(
    fc.property(
      fc.array(name, { maxLength: 5 }),
      fc.integer({ min: 0, max: 20 }),
      fc.boolean(),
      (names, right, all) => {
        const made = [group({}, right), ...names.map((model) => group({ model, agent: model }, right))];
        const table = summaryTable(documentOf(made), { all, width: 80 });
        assert.deepEqual(
          table.split('\n').filter((line) => line.length > 80),
          [],
        );
        // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it looks for
        assert.doesNotMatch(table, /[\u0000-\u0009\u000b-\u001f\u007f]/);
        assert.doesNotMatch(table, /±/);
      },
    ),
  );
});
