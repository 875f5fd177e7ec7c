import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import type { CheckpointStore, Clock, DeadLetters, Log } from '../../src/ports.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { exampleId, truthVersion } from '../sim/truth.ts';
import { barePipeline } from '../support/bare-pipeline.ts';
import { configWith, recordAt } from '../support/folding.ts';
import { endlessLog } from '../support/service-instance.ts';

const topic = 'predictions';
const partition = { topic, partition: 0 };
const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

test('event time ahead of the clock has one line an incident, which names the record and its producer', async () => {
  const { apply, pass, lines } = await world();
  apply(event({ ts: startMs + minuteMs }));
  assert.deepEqual(lines, [], 'a minute ahead is no incident');
  apply(event({ ts: startMs + 10 * minuteMs, model: 'atlas', agent: 'billing' }), { 'client.id': 'edge-7' });
  apply(event({ ts: startMs + 11 * minuteMs }));
  assert.equal(lines.length, 1);
  assert.match(
    lines[0]!,
    /^predictions\/0: event time is 10 min ahead of this machine's clock since offset 1, model atlas, agent billing, client edge-7: /,
  );
  pass(11 * minuteMs);
  apply(event({ ts: startMs + 11 * minuteMs }));
  apply(event({ ts: startMs + 20 * minuteMs }));
  assert.equal(lines.length, 2, 'another incident');
  assert.match(lines[1]!, /9 min ahead .* offset 4, model unknown, agent unknown: /);
  pass(9 * minuteMs);
  apply(event({ ts: startMs + 20 * minuteMs }));
  apply(event({ ts: startMs + 30 * minuteMs }));
  assert.equal(lines.length, 2, 'at most one line in ten minutes');
});

test('one record that moves event time by more than an hour has a line, at most one an hour', async () => {
  const { apply, pass, lines } = await world();
  apply(event({ ts: startMs - 30 * hourMs }));
  apply(event({ ts: startMs - 29 * hourMs }));
  assert.deepEqual(lines, [], 'an hour is none');
  apply(event({ ts: startMs - 26 * hourMs, model: 'atlas' }));
  apply(event({ ts: startMs - 20 * hourMs }));
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /^predictions\/0: event time jumped by 3 h 0 min at offset 2, model atlas, /);
  pass(hourMs);
  apply(event({ ts: startMs - 10 * hourMs }));
  assert.match(lines[1]!, /jumped by 10 h 0 min at offset 4/);
});

interface World {
  /** Applies the next record. */
  apply(value: object, headers?: Readonly<Record<string, string>>): void;
  /** Lets time pass on the clock. */
  pass(ms: number): void;
  readonly lines: readonly string[];
}

async function world(): Promise<World> {
  const now = { ms: startMs };
  const clock: Clock = {
    nowMs: () => now.ms,
    monotonicMs: () => now.ms,
    sleep: async () => undefined,
    turn: async () => undefined,
  };
  const lines: string[] = [];
  const log: Log = { debug() {}, info() {}, warn: (_, line) => void lines.push(line), error() {} };
  const config = configWith();
  const settings = settingsOf(config, undefined);
  const truth = activeTruth(truthVersion(0, false), settings.layout.families);
  const source = endlessLog(topic, 1);
  const parts = { config, topic, settings, source, checkpoints: none, deadLetters: noLetters };
  const { pipeline } = barePipeline({ ...parts, clock, log, newId: () => 'id', truth: () => truth });
  await pipeline.consumer.assigned(partition, false);
  let offset = 0;
  return {
    apply(value, headers = {}) {
      pipeline.consumer.records(partition, [withHeaders(recordAt(value, offset++), headers)], 0, 1);
    },
    pass: (ms) => void (now.ms += ms),
    lines,
  };
}

const none: CheckpointStore = { load: async () => [], save: async () => undefined, wantsSnapshot: () => false };
const noLetters: DeadLetters = { write: async () => undefined, close: async () => undefined };

function event(fields: { readonly ts: number; readonly model?: string; readonly agent?: string }): object {
  return { example_id: exampleId(0), label: 'yes', ...fields };
}

/** A record with headers of at most 63 bytes, in the form of Kafka's record batches: zigzag lengths of one byte. */
function withHeaders(record: LogRecord, headers: Readonly<Record<string, string>>): LogRecord {
  const part = (text: string): Buffer => Buffer.concat([Buffer.from([2 * text.length]), Buffer.from(text)]);
  const pairs = Object.entries(headers);
  const tail = [Buffer.from([2 * pairs.length]), ...pairs.flatMap(([name, value]) => [part(name), part(value)])];
  const bytes = Buffer.concat([record.bytes, ...tail]);
  return { ...record, bytes, headersAt: record.end };
}
