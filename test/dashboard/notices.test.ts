import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calmText, noticesOf } from '../../packages/dashboard/notices.ts';
import type { CountHistory, LiveDocument } from '../../src/formats/summary/live-document.ts';
import { cells, historyOf } from '../support/page-history.ts';

const calm = Array.from({ length: 20 }, () => cells(3, 50));

test('what is wrong with the service: checks that fail, lag that will not be caught up with, losses, limits', () => {
  const service = {
    checks: [
      { name: 'truth', ok: true, detail: 'loaded' },
      { name: 'outages', ok: false, detail: 'no\u202ebroker' },
    ],
    partitions: [{ name: 't/0', lag: 500, watermark: null }],
    checkpoint_at: null,
    lost_records: 3,
    truth_reload_failures: 0,
    limits: { names: 2 },
  };
  const document = { service, groups: [] } as unknown as LiveDocument;
  const titles = (history: CountHistory | undefined) => noticesOf(document, history).map(({ title }) => title);
  assert.deepEqual(titles(historyOf(calm)), ['outages', 'behind', 'records lost', 'limit reached']);
  assert.deepEqual(
    titles(historyOf(calm.slice(0, 5))),
    ['outages', 'records lost', 'limit reached'],
    'too early to say',
  );
  assert.equal(noticesOf(document, undefined)[0]!.text, 'no‹U+202E›broker');
  assert.deepEqual(noticesOf({ ...document, service: null }, undefined), []);
});

test('nothing stands out only where something was scored, and what is usual is known', () => {
  const calmOf = (scored: number, watching: LiveDocument['watching']) =>
    calmText({ records: { scored }, watching } as unknown as LiveDocument);
  assert.match(calmOf(0, { watched: 0, learning: 0 }), /^Nothing is scored yet/);
  // Rates that need no truth are watched before anything is scored.
  assert.match(calmOf(0, { watched: 9, learning: 9 }), /^Every check holds\. All 9 watched rates still learn/);
  assert.match(calmOf(9, { watched: 9, learning: 9 }), /^Every check holds\. All 9 watched rates still learn/);
  assert.match(calmOf(9, { watched: 9, learning: 2 }), /^Nothing stands out: .* 2 of 9 watched rates still learn/);
  assert.match(calmOf(9, { watched: 9, learning: 0 }), /^Nothing stands out: [^.]*\.$/);
  assert.match(calmOf(9, { watched: 0, learning: 0 }), /No rate is watched/);
});
