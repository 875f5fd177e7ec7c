import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  afterSending,
  newReview,
  problemOf,
  type Review,
  recordText,
  stepped,
  withItems,
} from '../../packages/dashboard/review.ts';
import type { ReviewItem } from '../../src/formats/summary/review.ts';

const item = (key: string, more: Partial<ReviewItem> = {}): ReviewItem => ({
  ...{ key, reason: 'random', watch: null, probability: 0.25, said: null, event: {} as ReviewItem['event'] },
  review: { about: { event_id: key }, is_alone: true, expected: '[{"name":"f","arguments":{}}]', made: null },
  ...more,
});
const listed = (...items: readonly ReviewItem[]): Review => withItems(newReview('ann'), { items, user: undefined });
const steps = (review: Review, ...actions: readonly (readonly [string, string?])[]): Review =>
  actions.reduce((now, [action, input = '']) => stepped(now, action, input), review);

test('a verdict is sent with its chance, once: later only calls, with all digits as they were typed', () => {
  const first = steps(listed(item('a'), item('b')), ['review-right']);
  const record = { about: { event_id: 'a' }, by: 'human:ann', correct: true, probability: 0.25 };
  assert.equal(problemOf(first), undefined);
  assert.deepEqual(JSON.parse(recordText(first)), record);
  const sent = afterSending(first);
  assert.deepEqual(
    [sent.at, sent.correct, sent.items[0]!.said],
    [1, undefined, { by: 'human:ann', correct: true, corrected: false }],
  );
  const back = steps(sent, ['review-previous'], ['review-right']);
  assert.match(problemOf(back)!, /was reviewed/);
  const calls = '[{"name":"f","arguments":{"id":12345678901234567890.00}}]';
  const edited = steps(back, ['review-edit'], ['review-calls', calls]);
  assert.equal(problemOf(edited), undefined);
  assert.equal(recordText(edited), `{"about":{"event_id":"a"},"by":"human:ann","expected":{"tool_calls":${calls}}}`);
});

test('an edit begins with the expected calls and says wrong, unless right was chosen', () => {
  const review = listed(item('a', { probability: null, reason: 'failure' }));
  const edited = steps(review, ['review-edit']);
  assert.deepEqual([edited.edit, edited.correct], ['[{"name":"f","arguments":{}}]', false]);
  assert.equal('probability' in (JSON.parse(recordText(edited)) as object), false);
  assert.equal(steps(review, ['review-right'], ['review-edit']).correct, true);
  for (const text of ['', '{}', '[', 'null'])
    assert.match(problemOf(steps(edited, ['review-calls', text]))!, /no JSON array/);
});

test('a name is needed: that of the login, else the one that was entered', () => {
  const nameless = { ...steps(listed(item('a')), ['review-right']), name: ' ' };
  assert.match(problemOf(nameless)!, /name/);
  assert.match(recordText({ ...nameless, user: 'carol' }), /"human:carol"/);
  assert.match(problemOf(listed())!, /no event/);
});

test('items that are read again keep their places, and what was said of them', () => {
  const review = afterSending(steps(listed(item('a'), item('b')), ['review-wrong']));
  const again = withItems(review, { items: [item('c'), item('b'), item('a')], user: undefined });
  assert.deepEqual(
    again.items.map(({ key, said }) => [key, said?.correct]),
    [
      ['a', false],
      ['b', undefined],
      ['c', undefined],
    ],
  );
  assert.equal(steps(again, ['review-next'], ['review-next'], ['review-next']).at, 2);
  assert.equal(steps(listed(), ['review-next']).at, 0);
});
