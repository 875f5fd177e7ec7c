import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import {
  addPending,
  createPending,
  type PendingPrediction,
  restorePending,
  takeExpired,
  takePending,
} from '../../src/state/pending.ts';
import { paneOf } from '../../src/state/windows.ts';
import { viewConfig } from '../support/viewed-traffic.ts';
import { runs } from '../support/soak.ts';

const settings = settingsOf(viewConfig(), undefined);

/** Few times, so that many are equal. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ add: fc.nat(3).map((units) => 50_000 * units) }) },
  { weight: 1, arbitrary: fc.record({ take: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ horizonMs: fc.nat(8).map((units) => 25_000 * units), most: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

test('the prediction of the least event time, of equal ones the first, expires below the horizon or above the limit', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      let pending = createPending(settings);
      const model: PendingPrediction[] = [];
      steps.forEach((each, offset) => {
        if (each === 'restart') {
          pending = createPending(settings, pending.log);
          restorePending(pending);
        } else if ('add' in each) {
          const entry = { exampleId: `example\n"${offset}"`, ts: each.add, offset, element: offset % 3 };
          const text = JSON.stringify({ text: `line\nof ${offset}` });
          const number = addPending(pending, entry, `${text}\nmore`);
          model.push({ number, ...entry, text: `${text}\nmore` });
        } else if ('take' in each) {
          if (model.length === 0) return;
          const [taken] = model.splice(each.take % model.length, 1);
          assert.deepEqual(takePending(pending, taken!.number), taken);
        } else {
          const [oldest] = model.toSorted((a, b) => a.ts - b.ts || a.offset - b.offset);
          const expires = oldest !== undefined && (oldest.ts < each.horizonMs || model.length > each.most);
          assert.deepEqual(takeExpired(pending, each.horizonMs, each.most), expires ? oldest : undefined);
          if (expires) model.splice(model.indexOf(oldest), 1);
        }
        assert.deepEqual(
          [...pending.waiting.values()],
          model.map(({ text: _, number: __, ...entry }) => entry),
        );
        assert.equal(pending.log.texts.size, model.length);
        settings.windows.tiers.forEach((tier, index) => {
          const counts = new Map<number, number>();
          for (const { ts } of model) counts.set(paneOf(tier, ts), (counts.get(paneOf(tier, ts)) ?? 0) + 1);
          assert.deepEqual(pending.byPane[index], counts);
        });
      });
    }),
    { numRuns: runs(60) },
  );
});

test('a prediction that no longer waits leaves no trace in the queue of those that do', () => {
  const pending = createPending(settings);
  const entry = { exampleId: 'e', ts: 5, offset: 0, element: 0 };
  for (const offset of [0, 1, 2]) addPending(pending, { ...entry, offset }, '');
  takePending(pending, 0);
  takePending(pending, 2);
  assert.equal(takeExpired(pending, 6, 10)!.offset, 1);
  assert.equal(takeExpired(pending, 6, 0), undefined);
  assert.equal(pending.queue.size, 0);
});

test('a prediction that does not wait cannot be taken', () => {
  const pending = createPending(settings);
  assert.throws(() => takePending(pending, 0), /a prediction is taken that does not wait/);
});
