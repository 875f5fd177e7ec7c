import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { durationOf, durationPattern, durationText, instantOf } from '../../src/config/duration.ts';

const readable: readonly (readonly [string, number])[] = [
  ['0s', 0],
  ['1ms', 1],
  ['500ms', 500],
  ['10s', 10_000],
  ['1m', 60_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['007s', 7_000],
];

for (const [text, ms] of readable) {
  test(`${text} is ${ms} ms`, () => {
    assert.match(text, durationPattern);
    assert.deepEqual(durationOf(text), { text, ms });
  });
}

test('what is no duration does not look like one', () => {
  for (const text of ['', '10', 's', '-1s', '1.5h', '1h30m', '10 s', '10S', '1w', '1e3s', '10s\n', '٣s']) {
    assert.doesNotMatch(text, durationPattern, JSON.stringify(text));
  }
});

test('the text of a duration is the shortest, and reads back', () => {
  assert.equal(durationText(60_000), '1m');
  assert.equal(durationText(61_000), '61s');
  assert.equal(durationText(86_400_000), '1d');
  assert.equal(durationText(0), '0s');
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 12 }), (ms) => {
      assert.equal(durationOf(durationText(ms)).ms, ms);
    }),
  );
});

test('an instant is UTC without a zone; what is no date is none', () => {
  assert.equal(instantOf('2026-05-01T04:09:59Z')?.ms, Date.UTC(2026, 4, 1, 4, 9, 59));
  assert.equal(instantOf('2026-05-01T04:09:59')?.ms, Date.UTC(2026, 4, 1, 4, 9, 59));
  assert.equal(instantOf('2026-05-01')?.ms, Date.UTC(2026, 4, 1));
  assert.equal(instantOf('2026-05-01T04:00:00+02:00')?.ms, Date.UTC(2026, 4, 1, 2));
  for (const text of ['2026-02-30', 'soon', '', '2026-13-01']) assert.equal(instantOf(text), undefined, text);
});
