import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readerOf } from '../../src/config/settings.ts';
import { storeOf } from '../../src/state/saved.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { exampleCount, truthOf } from '../sim/truth.ts';
import { contentsOf } from '../support/encoded.ts';
import { configWith, foldingOf, recordAt } from '../support/folding.ts';
import { plans, readByPlan } from '../support/reading-plans.ts';
import { runs } from '../support/soak.ts';

/* Records that hold time alone: the log inside has them where nothing else comes. */

const startMs = Date.UTC(2026, 0, 1);
const config = configWith({
  runs: { by: 'example', idle: '60s' },
  time: { out_of_orderness: '10s' },
  join: { truth_wait: '5m' },
});
const versions = [
  truthOf(
    Array.from({ length: exampleCount }, (_, example) => example),
    0,
    false,
  ),
];

/** An answer with a call: only time ends its run. */
function step(offset: number, example: string, ms: number): LogRecord {
  const call = { name: 'find', arguments: {} };
  return recordAt({ example_id: example, model: 'm', ts: startMs + ms, tool_calls: [call] }, offset, startMs + ms);
}

function quiet(offset: number, quietMs: number): LogRecord {
  return { bytes: new Uint8Array(0), start: -1, end: -1, offset, timestamp: Date.UTC(2030, 0, 1), quietMs };
}

test('event time moves on by quiet time, whatever day it is: the last run ends, then a prediction without truth expires', () => {
  const { state, apply } = foldingOf(config, versions[0]!);
  const after = (record: LogRecord) => {
    apply([record]);
    const { greatestTs, read, expired, nextOffset } = state.numbers;
    assert.equal(nextOffset, record.offset + 1);
    return {
      ms: greatestTs - startMs,
      read,
      expired,
      open: state.openRuns.runs.size,
      pending: state.pending.queue.size,
    };
  };
  assert.equal(after(quiet(0, 1_000)).ms, Number.NEGATIVE_INFINITY);
  assert.deepEqual(after(step(1, 'unknown', 0)), { ms: 0, read: 1, expired: 0, open: 1, pending: 0 });
  assert.deepEqual(after(quiet(2, 70_000)), { ms: 70_000, read: 1, expired: 0, open: 1, pending: 0 });
  assert.deepEqual(after(quiet(3, 1)), { ms: 70_001, read: 1, expired: 0, open: 0, pending: 1 });
  assert.deepEqual(after(quiet(4, 240_000)), { ms: 310_001, read: 1, expired: 1, open: 0, pending: 0 });
});

test('quiet time is part of the log: equal states for any batches and restarts', () => {
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.record({ example: fc.nat(exampleCount - 1), ms: fc.nat(200_000) }) },
    { weight: 1, arbitrary: fc.record({ quietMs: fc.nat(40_000) }) },
  );
  const property = fc.property(fc.array(part, { minLength: 1, maxLength: 60 }), plans, (log, plan) => {
    const records = log.map((each, offset) =>
      'quietMs' in each ? quiet(offset, each.quietMs) : step(offset, `example-${each.example}`, each.ms),
    );
    const reading = { config, reader: readerOf(config, true), records, versions };
    const [once, often] = [readByPlan(reading, []), readByPlan(reading, plan)];
    assert.deepEqual(often.numbers, once.numbers);
    assert.deepEqual(contentsOf(storeOf(often, {})), contentsOf(storeOf(once, {})));
  });
  fc.assert(property, { numRuns: runs(50) });
});
