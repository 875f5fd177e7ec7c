import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sample } from '../../src/formats/summary/review.ts';
import { keptSamples } from '../../src/service/kept-samples.ts';
import { createSamples } from '../../src/service/samples.ts';
import { createPendingLog } from '../../src/state/containers/pending-log.ts';
import { configWith } from '../support/folding.ts';

const sampleOf = (at: number): Sample =>
  ({
    example_id: `e${at}`,
    ts: 't',
    slice: { model: 'm' },
    families: [],
    hallucinations: [],
    faults: [],
    errors: [],
  }) as never;

test('the newest 50 failures of a partition are kept, the oldest first, also through a delta', () => {
  const [kept, log] = [keptSamples(configWith()), createPendingLog()];
  for (let at = 0; at < 60; at++) kept.add(log, sampleOf(at));
  assert.deepEqual(
    kept.read(log).map(({ example_id }) => example_id),
    Array.from({ length: 50 }, (_, at) => `e${at + 10}`),
  );
  assert.deepEqual([log.added.size, log.removed], [50, []], 'what no checkpoint has is not removed from one');
});

test('failures of another configuration of what is hidden, or of slices, are not shown', () => {
  const log = createPendingLog();
  keptSamples(configWith()).add(log, sampleOf(0));
  assert.equal(keptSamples(configWith({ 'kafka.group_id': 'other' })).read(log).length, 1);
  for (const changed of [{ 'http.redact': ['city'] }, { slices: [['agent']] }, { 'http.show_content': false }])
    assert.equal(keptSamples(configWith(changed)).read(log).length, 0, JSON.stringify(changed));
});

test('a failure that comes again, with a partition that comes back, is shown once', () => {
  const samples = createSamples(5);
  for (const at of [0, 1, 0, 1, 2]) samples.add(sampleOf(at));
  assert.deepEqual(
    samples.latest({}).map(({ example_id }) => example_id),
    ['e2', 'e1', 'e0'],
  );
});
