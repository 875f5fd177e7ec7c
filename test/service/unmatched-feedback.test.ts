import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnmatchedFeedback, unmatchedByAll } from '../../src/service/unmatched-feedback.ts';
import type { Feedback } from '../../src/stream/feedback-book.ts';

const of = (id: string, eventId: string): Feedback => ({
  ...{ id, ts: 0, facts: [], expected: undefined },
  about: { eventId, traceId: undefined, exampleId: undefined, run: undefined },
});

test('a record is unmatched once all kept events were compared with it, until an event is found', () => {
  const unmatched = createUnmatchedFeedback();
  const [first, second] = [of('1', 'a'), of('2', 'b')];
  unmatched.came([first, second]);
  assert.deepEqual(unmatched.take(), new Map());
  assert.equal(unmatched.take(), undefined, 'nothing has changed');
  const reached = new Set(['1', 'of before']);
  unmatched.reached([reached]);
  assert.equal(reached.size, 0);
  unmatched.settled([first, second]);
  assert.deepEqual(unmatched.take(), new Map([['2', 'event_id b']]));
  unmatched.reached([new Set(['2'])]);
  assert.deepEqual(unmatched.take(), new Map());
});

test('a record is named by all that it names of its event', () => {
  const unmatched = createUnmatchedFeedback();
  const record = { ...of('1', 'a'), about: { eventId: 'a', traceId: 'tr', exampleId: 'x', run: 0 } };
  unmatched.came([record]);
  unmatched.settled([record]);
  assert.deepEqual([...unmatched.take()!.values()], ['event_id a, trace_id tr, example_id x, run 0']);
});

test('the oldest of too many are no longer counted', () => {
  const unmatched = createUnmatchedFeedback();
  const many = Array.from({ length: 10_001 }, (_, at) => of(`${at}`, `e${at}`));
  unmatched.came(many);
  unmatched.settled(many);
  const left = unmatched.take()!;
  assert.deepEqual([left.size, left.has('0'), left.has('10000')], [10_000, false, true]);
});

test('of several threads a record is about nothing where all say so', () => {
  const one = new Map([
    ['1', 'event_id a'],
    ['2', 'event_id b'],
  ]);
  assert.deepEqual(unmatchedByAll([one, new Map([['2', 'event_id b']])]), new Map([['2', 'event_id b']]));
  assert.deepEqual(unmatchedByAll([one]), one);
  assert.deepEqual(unmatchedByAll([]), new Map());
});
