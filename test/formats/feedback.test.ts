import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedbackReader, withIdentity } from '../../src/formats/feedback/record.ts';
import { labelCode } from '../../src/scoring/label.ts';
import type { Feedback } from '../../src/stream/feedback-book.ts';

const reader = feedbackReader();
const nowMs = Date.UTC(2026, 4, 1);

function readOf(given: unknown, recordMs = nowMs): Feedback {
  const read = reader.read(typeof given === 'string' ? given : JSON.stringify(given), recordMs);
  assert.ok(!('problem' in read), JSON.stringify(read));
  return read;
}

const about = { event_id: 'v1' };

test('a record with everything', () => {
  const read = readOf(
    {
      ...{ about, ts: '2026-05-01T12:30:00Z', by: 'human:ann', id: 'f1', correct: false, comment: 'the city', more: 1 },
      expected: { tool_calls: [{ name: 'book', arguments: { city: 'Oslo' } }] },
      outcome: { resolved: false, refund: 12.5 },
    },
    Date.UTC(2026, 4, 2),
  );
  assert.deepEqual(
    { ...read, expected: undefined },
    {
      id: 'f1',
      about: { eventId: 'v1', traceId: undefined, exampleId: undefined, run: undefined },
      ts: Date.UTC(2026, 4, 1, 12, 30),
      facts: [
        { kind: 'human', correct: false },
        { outcome: 'resolved', value: false },
        { outcome: 'refund', value: 12.5 },
      ],
      expected: undefined,
    },
  );
  assert.deepEqual(read.expected!.expected, [{ name: 'book', arguments: { city: 'Oslo' } }]);
});

test('a chance is a number from 1e-6 to 1, and lies with the fact', () => {
  const factOf = (probability: unknown): unknown =>
    readOf({ about, by: 'human:ann', correct: true, probability }).facts;
  assert.deepEqual(factOf(0.25), [{ kind: 'human', correct: true, probability: 0.25 }]);
  for (const none of [null, undefined]) assert.deepEqual(factOf(none), [{ kind: 'human', correct: true }]);
  for (const wrong of [0, 1.5, '0.5']) {
    const read = reader.read(JSON.stringify({ about, correct: true, probability: wrong }), nowMs);
    assert.match((read as { problem: string }).problem, /^probability: must be/);
  }
});

test('the kind of giver is the part of by before the colon; any other is `other`', () => {
  const kindOf = (by: string | undefined): unknown => readOf({ about, by, correct: true }).facts[0];
  const kinds = ['human:ann', 'human', 'shadow:m', 'system:', 'bot:x', ':human', undefined].map((by) => kindOf(by));
  assert.deepEqual(
    kinds,
    ['human', 'human', 'shadow', 'system', 'other', 'other', 'other'].map((kind) => ({ kind, correct: true })),
  );
});

test('calls without a label say that the label is tool_call; no calls, and other fields, say none', () => {
  const labelOf = (expected: unknown): unknown => readOf({ about, expected }).expected!.label;
  const calls = [{ name: 'f', arguments: {} }];
  assert.equal(labelOf({ tool_calls: calls }), labelCode('tool_call'));
  assert.equal(labelOf({ expected_tool_calls: calls }), labelCode('tool_call'));
  assert.equal(labelOf({ tool_calls: [], label: 'cannot_answer' }), labelCode('cannot_answer'));
  assert.equal(labelOf({ tool_calls: [] }), undefined);
  assert.equal(labelOf({ reference: 'Oslo' }), undefined);
});

test('calls are read in the forms of providers', () => {
  const call = { type: 'function', function: { name: 'f', arguments: '{"a": 1}' } };
  assert.deepEqual(readOf({ about, expected: { tool_calls: [call] } }).expected!.expected, [
    { name: 'f', arguments: { a: 1 } },
  ]);
});

test('a record without an id has one of its content; without a time it has that of its record', () => {
  const [one, same, other] = [{ correct: true }, { correct: true }, { correct: false }].map((fact) =>
    readOf({ about, ...fact }),
  );
  assert.equal(one!.id, same!.id);
  assert.notEqual(one!.id, other!.id);
  assert.deepEqual([one!.ts, readOf({ about, correct: true }, Number.NaN).ts], [nowMs, 0]);
  const text = withIdentity('{"about": {"event_id": "v1"}, "correct": true}', one!);
  assert.deepEqual(readOf(text, nowMs + 5), one);
});

test('a time after that of its record in the log is that of the record: a clock that is ahead does not hold for ever', () => {
  const tsOf = (ts: string, recordMs: number): number => readOf({ about, ts, correct: true }, recordMs).ts;
  const cases: readonly (readonly [string, number, number])[] = [
    ['2099-01-01', nowMs, nowMs],
    ['2026-05-01T00:00:00.001Z', nowMs, nowMs],
    ['2026-05-01', nowMs, nowMs],
    ['2026-04-30', nowMs, nowMs - 86_400_000],
    // Neither a file nor such a record of Kafka has a time stamp.
    ['2099-01-01', Number.NaN, Date.UTC(2099, 0, 1)],
    ['2099-01-01', -1, Date.UTC(2099, 0, 1)],
  ];
  for (const [ts, recordMs, expected] of cases) assert.equal(tsOf(ts, recordMs), expected, `${ts} at ${recordMs}`);
  const text = JSON.stringify({ about, ts: '2099-01-01', correct: true });
  const arrived = withIdentity(text, readOf(text));
  assert.equal(readOf(arrived, Number.NaN).ts, nowMs, 'the log inside has the time that was read');
});

describe('refusals name place, value and remedy', () => {
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ['no JSON', '{', /^not JSON .*; write one JSON object a line$/],
    ['no object', '[1]', /^is an array of 1; write one JSON object a line$/],
    ['no about', { correct: true }, /^about: must be an object/],
    ['an about that names nothing', { about: {}, correct: true }, /^about names no event; give event_id, trace_id/],
    ['an id that is no text', { about: { event_id: 7 }, correct: true }, /^about\.event_id: must be a text/],
    ['a misspelt key', { about, corect: true }, /^corect is not read; did you mean correct\?$/],
    [
      'an id beside about',
      { event_id: 'v1', correct: true },
      /^event_id is not read here; write \{"about": \{"event_id": "v1"\}, …\}$/,
    ],
    ['nothing said', { about }, /^says nothing; give correct, expected or outcome$/],
    ['a thumb as a text', { about, correct: 'yes' }, /^correct: must be true or false/],
    ['a time of 1970', { about, ts: 1_770_000_000, correct: true }, /^ts is 1770000000, which is no time of 2000/],
    ['an outcome that is a text', { about, outcome: { resolved: 'no' } }, /^outcome\.resolved: must be true, false or/],
    ['an empty expectation', { about, expected: {} }, /^expected holds nothing that is read; give tool_calls/],
    ['an expectation of another name', { about, expected: { calls: [{ name: 'f', arguments: {} }] } }, /^expected: /],
    ['an unknown label', { about, expected: { label: 'maybe' } }, /^expected: label/],
  ];
  for (const [name, given, problem] of cases)
    test(name, () => {
      const read = reader.read(typeof given === 'string' ? given : JSON.stringify(given), nowMs);
      assert.ok('problem' in read, JSON.stringify(read));
      assert.match(read.problem, problem);
    });
});
