import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { type OpenRuns, restoreOpenRuns } from '../../src/state/open-runs.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { addPlainSpans, evictPlainSpans, plainSpansOf, removePlainSpans } from '../../src/state/plain-spans.ts';
import { configWith } from '../support/folding.ts';

/* Plain spans are bounded in number and in time, and come back from the log of a checkpoint. */

const hourMs = 3_600_000;

const noneOpen = (): OpenRuns =>
  emptyPartition(settingsOf(configWith({ 'runs.by': 'trace', 'limits.open_runs': 1 }), undefined)).openRuns;

const seen = (open: OpenRuns, ...keys: readonly string[]): unknown => keys.map((run) => [...plainSpansOf(open, run)]);

test('beyond the limit a tenth is forgotten at once', () => {
  const config = configWith({ 'runs.by': 'trace', 'limits.open_runs': 10 });
  const open = emptyPartition(settingsOf(config, undefined)).openRuns;
  for (let span = 0; span <= 50; span++) addPlainSpans(open, { run: `${span}`, ts: span, ids: [`${span}`, '0'] });
  assert.deepEqual([open.plain.count, open.limitHits.plain_spans, open.log.texts.size], [45, 6, 45]);
  assert.deepEqual(seen(open, '5', '6'), [[], [['6', '0']]]);
});

test('beyond five for each run that may be open, those of the oldest trace are forgotten', () => {
  const open = noneOpen();
  addPlainSpans(open, { run: 'a', ts: 1, ids: ['1', '0', '2', '1'] });
  addPlainSpans(open, { run: 'b', ts: 2, ids: ['3', '0', '4', '3'] });
  addPlainSpans(open, { run: 'a', ts: 3, ids: ['5', '2'] });
  assert.deepEqual([open.plain.count, open.limitHits.plain_spans], [5, 0]);
  addPlainSpans(open, { run: 'c', ts: 4, ids: ['6', '0'] });
  const left = [
    [],
    [
      ...[
        ['3', '0'],
        ['4', '3'],
      ],
    ],
    [['6', '0']],
  ];
  assert.deepEqual([seen(open, 'a', 'b', 'c'), open.plain.count, open.limitHits.plain_spans], [left, 3, 1]);
  // No text of theirs is left behind.
  assert.equal(open.log.texts.size, 2);
});

test('without another span of their trace within an hour they are forgotten; without any time only their run forgets them', () => {
  const open = noneOpen();
  addPlainSpans(open, { run: 'a', ts: 0, ids: ['1', '0'] });
  addPlainSpans(open, { run: 'a', ts: 5, ids: ['2', '1'] });
  addPlainSpans(open, { run: 'b', ts: Number.NaN, ids: ['3', '0'] });
  evictPlainSpans(open, hourMs + 5);
  assert.equal(open.plain.count, 3);
  evictPlainSpans(open, hourMs + 6);
  assert.deepEqual(seen(open, 'a', 'b'), [[], [['3', '0']]]);
  evictPlainSpans(open, Number.MAX_SAFE_INTEGER);
  assert.equal(open.plain.count, 1);
  removePlainSpans(open, 'b');
  assert.deepEqual([open.plain.count, open.log.texts.size], [0, 0]);
});

test('a restored log has the same spans, forgotten in the same order', () => {
  const open = noneOpen();
  for (const [run, ids] of [
    ['a', ['1', '0']],
    ['b', ['2', '0']],
    ['a', ['3', '1']],
  ] as const)
    addPlainSpans(open, { run, ts: Number.NaN, ids });
  const again = noneOpen();
  for (const [number, text] of open.log.texts) again.log.texts.set(number, text);
  restoreOpenRuns(again);
  assert.deepEqual([...again.plain.byRun], [...open.plain.byRun]);
  assert.equal(again.plain.count, 3);
});
