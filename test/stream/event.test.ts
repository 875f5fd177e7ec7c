import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '../../src/stream/event.ts';
import type { Scored } from '../../src/stream/score.ts';
import { prng } from '../sim/prng.ts';
import { truthVersion } from '../sim/truth.ts';
import { eventReader, recordOf } from '../support/event-reader.ts';
import { repeatingRecords } from '../support/scored-rows.ts';
import { configWith, foldingOf } from '../support/folding.ts';

/* An event is a plain value: nothing that is read or scored later changes it. */

const count = 400;
const recordsOf = (seed: number): LogRecord[] => repeatingRecords(prng(seed), count);

/** A copy of a scored event, without its truth, which holds the check of an answer. */
function copyOf({ joined, prepared: _, outcomes, ...scored }: Scored): unknown {
  const texts = outcomes.map((outcome) => JSON.stringify(outcome));
  return structuredClone({ ...scored, prediction: joined.prediction, texts });
}

/** Every scored event as a listener gets it, and as it was then. */
function scoredBy(batches: readonly number[]): { readonly kept: Scored; readonly copy: unknown }[] {
  const found: { kept: Scored; copy: unknown }[] = [];
  const { fold, apply } = foldingOf(configWith(), truthVersion(4, true));
  fold.out.onScored = (kept) => void found.push({ kept, copy: copyOf(kept) });
  const records = recordsOf(7);
  for (let from = 0, at = 0; from < count; at++) {
    const to = Math.min(count, from + batches[at % batches.length]!);
    apply(records.slice(from, to));
    from = to;
  }
  return found;
}

test('records that are read in another order, or again, give equal events', () => {
  const records = recordsOf(3);
  const reader = eventReader();
  const read = records.map((record) => reader.read(record));
  const backwards = records.toReversed().map((record) => reader.read(record));
  assert.deepEqual(backwards.reverse(), read);
  const alone = records.map((record) => eventReader().read(record));
  assert.deepEqual(alone, read);
});

test('a scored event that a listener keeps is unchanged after later events, whatever the size of batches', () => {
  const together = scoredBy([count]);
  assert.ok(together.length > count / 10, `${together.length} scored`);
  const copies = together.map(({ copy }) => copy);
  for (const batches of [[count], [1], [3, 50, 7]]) {
    const found = scoredBy(batches);
    assert.deepEqual(
      found.map(({ kept }) => copyOf(kept)),
      copies,
    );
    assert.deepEqual(
      found.map(({ copy }) => copy),
      copies,
    );
  }
});

test('bytes that are overwritten after a record was read leave its events as they were', () => {
  const call = { name: 'f', arguments: '{"a":1}' };
  const event = { event_id: 'i', model: 'm', tool_calls: [call], output: 'so', tags: { team: 'x' } };
  const record = recordOf(JSON.stringify([{ example_id: 'e', ...event }, event, 5]), { key: Buffer.from('key') });
  const reader = eventReader({ dimensions: ['model', 'tags.team'] });
  const read = reader.read(record);
  const before = structuredClone(read);
  record.bytes.fill(0x20);
  reader.read(recordOf('{"example_id":"other"}'));
  assert.deepEqual(read, before);
});
