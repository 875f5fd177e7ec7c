import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import { byteReader, predictionReader } from '../../../src/formats/prediction/reader.ts';
import type { ReaderOptions } from '../../../src/formats/prediction/reader-options.ts';
import { eventSchema } from '../../../src/formats/prediction/schema.ts';
import { decisionReading } from '../../../src/formats/prediction/decision-rules.ts';
import { fieldNames } from '../../../src/formats/inputs/fields.ts';
import { recordReading } from '../../../src/formats/otlp/reading.ts';
import { prng, type Random } from '../../sim/prng.ts';
import { defaultLimits } from '../../support/event-reader.ts';
import { anyEvent, mutated } from '../../support/hostile-events.ts';
import { recordsIn, rowsOf, textOf } from '../../support/reader-rows.ts';

/** The reader of bytes against its oracle. EVENTS and SEED change how many and which. */
const events = Number(process.env['EVENTS'] ?? 20_000);
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const samples = ['mcpeval', 'tau-airline', 'when2call'].flatMap((name) =>
  readFileSync(`test/fixtures/traffic/${name}-predictions.ndjson`, 'utf8').trim().split('\n').slice(0, 50),
);
const plain: ReaderOptions = { tags: [], maxFutureMs: 300_000, limits: defaultLimits };
const tight: ReaderOptions = {
  tags: ['team', 'n'],
  maxFutureMs: undefined,
  limits: { recordBytes: 2_000, depth: 4, elements: 3, calls: 4, values: 300 },
  decisionOf: decisionReading([{ text: 'direct', label: 'direct' }]),
};

test('the fields of the native event are those that the scanner knows', () => {
  assert.deepEqual(Object.keys(eventSchema.shape), fieldNames);
});

/** Records of any form, as `replay` reads them. */
const auto: ReaderOptions = {
  ...plain,
  maxFutureMs: undefined,
  ...recordReading({ format: 'auto', response: undefined, request: undefined, fields: {}, depth: plain.limits.depth }),
};
/** What makes an event one of another form, or looks as if it did. */
const marks = [
  ...['"choices":[{"message":{"content":"x"}}]', '"choices":1', '"object":"chat.completion.chunk"', '"object":"x"'],
  ...['"candidates":[{}]', '"candidates":null', '"stop_reason":"end_turn","content":[]', '"stopReason":"x"'],
  ...['"finish_reason":"stop"', '"finish_reason":"stop","message":{"content":[]}', '"type":"ai","content":"x"'],
  ...['"resourceSpans":[]', '"resourceSpans":1', '"message":{"content":"x"}', '"refused":true'],
];

test(`records of any form are read the same: seed ${seed}`, () => {
  const random = prng(seed + 2);
  const one = (): string => (random.chance(0.7) ? random.pick(samples) : anyEvent(random));
  compare(auto, random, () => Buffer.from(one().replace('{', random.chance(0.5) ? '{' : `{${random.pick(marks)},`)));
  compare(auto, random, () => mutated(random, Buffer.from(one())));
});

for (const [what, options] of Object.entries({ plain, tight })) {
  test(`bytes and JSON.parse read the same of generated events: ${what}, seed ${seed}`, () => {
    const random = prng(seed);
    compare(options, random, () => Buffer.from(anyEvent(random)));
  });

  test(`bytes and JSON.parse read the same of mutated events: ${what}, seed ${seed}`, () => {
    const random = prng(seed + 1);
    const one = (): string => (random.chance(0.7) ? random.pick(samples) : anyEvent(random));
    compare(options, random, () => mutated(random, Buffer.from(one())));
  });
}

/** Reads events in batches of any size, of records that lie in one another's bytes, which are overwritten when a batch was read. */
function compare(options: ReaderOptions, random: Random, event: () => Uint8Array): void {
  const fast = byteReader(options);
  const oracle = predictionReader(options);
  const counts = { accepted: 0, scanned: 0, refused: 0 };
  for (let left = events; left > 0; ) {
    const values = Array.from({ length: 1 + random.int(90) }, event);
    left -= values.length;
    const records = recordsIn(values, random);
    const found = fast.read(records, 0, records.length);
    for (let row = 0; row < found.count; row++) {
      counts[found.reject[row] === 0 ? 'accepted' : 'refused']++;
      counts.scanned += found.hashed[row]!;
    }
    const read = rowsOf(found, options.tags);
    const wanted = rowsOf(oracle.read(records, 0, records.length), options.tags);
    assert.equal(read.length, wanted.length);
    for (const [at, row] of read.entries())
      assert.ok(
        isDeepStrictEqual(row, wanted[at]),
        `${textOf(records[row.record]!)}\n${inspect([row, wanted[at]], { depth: 9 })}`,
      );
    records[0]!.bytes.fill(0x22);
  }
  assert.ok(counts.scanned > 0 && counts.refused > 0 && counts.accepted > counts.scanned, JSON.stringify(counts));
}
