import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AbortedTransaction,
  type FetchedRecords,
  readBatches,
} from '../../../src/adapters/kafka/record-batches.ts';
import { keyOf } from '../../../src/stream/event.ts';
import { registerCodecs } from '../../support/codecs.ts';
import {
  type BatchOptions,
  type BatchRecord,
  marker,
  oldMessages,
  recordBatch,
  sealed,
  withAttribute,
} from '../../support/record-batch.ts';

registerCodecs();

const someBytes = fc.option(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  { nil: null },
);
const someRecords: fc.Arbitrary<BatchRecord[]> = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 0, 0, 1, 200),
      timestampDelta: fc.oneof(fc.integer({ min: -100, max: 100_000 }), fc.integer({ min: -(2 ** 40), max: 2 ** 40 })),
      key: someBytes,
      value: someBytes,
      headers: fc.dictionary(
        fc.string({ maxLength: 5 }),
        fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
        { maxKeys: 3 },
      ),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((given) => {
    let offsetDelta = -1;
    return given.map(({ gap, ...record }) => ({ ...record, offsetDelta: (offsetDelta += 1 + gap) }));
  });
const someBatch: fc.Arbitrary<BatchOptions> = fc.record({
  firstOffset: fc.oneof(fc.nat(1_000), fc.nat(2 ** 45)),
  firstTimestamp: fc.integer({ min: 0, max: 4_133_980_800_000 }),
  records: someRecords,
  compression: fc.constantFrom(0, 0, 1, 2, 3, 4),
});

test('what a producer writes is read, whatever it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someBatch, { maxLength: 4 }), async (batches) => {
      const log = inLogOrder(batches);
      const fetched = await read(Buffer.concat(await Promise.all(log.map(recordBatch))));
      assert.deepEqual(readable(fetched), log.length === 0 ? undefined : written(log));
    }),
  );
});

test('where compaction took the last records, their offsets are passed', async () => {
  const bytes = await recordBatch({ ...plain(10, ['a']), lastOffsetDelta: 7 });
  assert.equal((await read(bytes))?.nextOffset, 18);
});

test('a response that is cut gives its whole batches', async () => {
  const batches = [plain(0, ['a', 'b']), plain(2, ['c'])];
  const parts = await Promise.all(batches.map(recordBatch));
  const whole = Buffer.concat(parts);
  for (let length = 0; length <= whole.length; length++) {
    const fits = length < parts[0]!.length ? 0 : length < whole.length ? 1 : 2;
    const fetched = await read(whole.subarray(0, length));
    if (fits > 0) assert.deepEqual(readable(fetched), written(batches.slice(0, fits)), `${length} bytes`);
    else if (length === 0) assert.equal(fetched, undefined);
    // A broker sends at least one whole batch: to wait for the rest would be to wait for ever.
    else assert.match(fetched!.problem!, /fewer than it says/);
  }
});

test('the records of a batch whose records are longer than it are refused; those before it can be read', async () => {
  const good = await recordBatch(plain(4, ['good']));
  const bytes = await recordBatch(plain(5, ['some value']));
  for (const at of [61, 66]) {
    const damaged = Buffer.from(bytes);
    damaged[at] = 0x7e;
    const fetched = await read(Buffer.concat([good, sealed(damaged), good]));
    assert.deepEqual([fetched?.records.length, fetched?.nextOffset, fetched?.problem], [1, 5, undefined]);
    assert.deepEqual([fetched?.unread?.firstOffset, fetched?.unread?.count], [5, 1]);
    assert.match(fetched!.unread!.unread.detail, /its record 0 is longer than its bytes/);
  }
  const unknown = await read(withAttribute(bytes, 7));
  assert.match(unknown!.problem!, /its compression \(number 7\) is not known/);
});

test('the broker may have put its own time on a batch', async () => {
  const bytes = await recordBatch({ ...plain(0, ['a', 'b']), firstTimestamp: 1_000 });
  bytes.writeBigInt64BE(5_000n, 35);
  assert.deepEqual(
    (await read(withAttribute(bytes, 0x08)))?.records.map(({ timestamp }) => timestamp),
    [5_000, 5_000],
  );
});

test('messages in the format before Kafka 0.11 are refused one by one, and what follows is read', async () => {
  const old = oldMessages(3, [{ key: Buffer.from('k'), value: Buffer.from('old'), timestamp: 7 }]);
  const fetched = await read(Buffer.concat([old, await recordBatch(plain(4, ['new']))]));
  const { firstOffset, count, nextOffset, unread } = fetched!.unread!;
  assert.deepEqual([fetched!.records, firstOffset, count, nextOffset], [[], 3, 1, 4]);
  assert.match(unread.detail, /offset 3 has the format of Kafka before 0\.11 \(magic 1\).*newer client/);
});

const transactions = [
  { name: 'one', log: ['1 a', '1 abort'], aborted: [[1, 0]], left: [] },
  {
    name: 'two that overlap',
    log: ['1 a', '2 b', '1 c', '2 d', '1 abort', '2 e', '2 commit'],
    aborted: [[1, 0]],
    left: ['b', 'd', 'e'],
  },
  {
    name: 'the next one of the same producer',
    log: ['1 a', '1 abort', '1 b', '1 commit'],
    aborted: [[1, 0]],
    left: ['b'],
  },
  {
    name: 'one that began before the fetch, at its marker',
    log: ['1 abort', '1 b', '1 commit'],
    aborted: [[1, -5]],
    left: ['b'],
  },
  {
    name: 'two, one after the other',
    log: ['1 a', '1 abort', '1 b', '1 abort', '1 c', '1 commit'],
    aborted: [
      [1, 0],
      [1, 2],
    ],
    left: ['c'],
  },
  { name: 'beside records without one', log: ['1 a', '- b', '1 abort', '- c'], aborted: [[1, 0]], left: ['b', 'c'] },
] as const;

for (const { name, log, aborted, left } of transactions) {
  test(`aborted transactions: ${name}`, async () => {
    const parts = await Promise.all(
      log.map((entry, offset) => {
        const [producer, what] = entry.split(' ') as [string, string];
        if (what === 'abort' || what === 'commit') return marker(offset, Number(producer), what === 'abort');
        if (producer === '-') return recordBatch(plain(offset, [what]));
        return recordBatch({ ...plain(offset, [what]), producerId: Number(producer), transactional: true });
      }),
    );
    const fetched = await read(
      Buffer.concat(parts),
      aborted.map(([producerId, firstOffset]) => ({ producerId, firstOffset })),
    );
    assert.deepEqual(
      readable(fetched)?.records.map(({ value }) => value),
      left,
    );
    assert.equal(fetched?.nextOffset, log.length);
  });
}

/** The batches one behind the other, with gaps. */
function inLogOrder(batches: readonly BatchOptions[]): BatchOptions[] {
  let next = 0;
  return batches.map((batch) => {
    const firstOffset = next + batch.firstOffset;
    next = firstOffset + batch.records.at(-1)!.offsetDelta + 1;
    return { ...batch, firstOffset };
  });
}

/** Reads as a source does by default. */
function read(bytes: Buffer, aborted: AbortedTransaction[] = []): Promise<FetchedRecords | undefined> {
  return readBatches(bytes, aborted, { batchBytes: 1 << 26, left: 1 << 26 });
}

function plain(firstOffset: number, values: readonly string[]): BatchOptions {
  const records = values.map((value, offsetDelta) => ({
    ...{ offsetDelta, timestampDelta: 0, key: null, headers: {} },
    value: Buffer.from(value),
  }));
  return { firstOffset, firstTimestamp: 0, records };
}

interface Readable {
  readonly records: { offset: number; timestamp: number; key: string | null; value: string | null }[];
  readonly nextOffset: number | undefined;
}

function readable(fetched: FetchedRecords | undefined): Readable | undefined {
  return (
    fetched && {
      nextOffset: fetched.nextOffset,
      records: fetched.records.map((record) => ({
        ...{ offset: record.offset, timestamp: record.timestamp, key: latin1(keyOf(record)) },
        value: latin1(record.start < 0 ? null : record.bytes.subarray(record.start, record.end)),
      })),
    }
  );
}

function latin1(bytes: Uint8Array | null): string | null {
  return bytes && Buffer.from(bytes).toString('latin1');
}

function written(batches: readonly BatchOptions[]): Readable {
  const records = batches.flatMap(({ firstOffset, firstTimestamp, records: all }) =>
    all.map(({ offsetDelta, timestampDelta, key, value }) => ({
      offset: firstOffset + offsetDelta,
      timestamp: firstTimestamp + timestampDelta,
      key: key?.toString('latin1') ?? null,
      value: value?.toString('latin1') ?? null,
    })),
  );
  return { records, nextOffset: records.at(-1)!.offset + 1 };
}
