import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { compressFrame } from 'lz4-napi';
import { compress as snappy } from 'snappy';
import { type FetchedRecords, readBatches } from '../../../src/adapters/kafka/record-batches.ts';
import { pick, type Random, seeded } from '../../../src/statistics/random.ts';
import { xerialFrame } from '../../support/codecs.ts';
import { compressedBatch, marker, oldMessages, recordBatch, sealed } from '../../support/record-batch.ts';
import { seed } from '../../support/seed.ts';
import { runs } from '../../support/soak.ts';
import { patience } from '../../support/until.ts';

const limit = 1 << 20;
const mutations = Number(process.env['ASSAY_MUTATIONS'] ?? runs(20_000, 1_000_000));

/** The records of `plainBatch`, as the zstd command compresses them. */
const zstdRecords =
  'KLUv/QBYzQcAQssnIyCp6AHnST1K+QC3YtEFAwDbJEkSRvlERI8iERHxgz54gI9SlNY655wyxhjfg/D/MeZcJPL/L0ntIRD27B8PSh2O2WhI6R7jWpDBaPveYtHZOYWi8yuJRNvWFALRuQWwpg6HztRgmDOKpISgqBSEz/Oe47im6emfYVpbCZfgWZbGveAHA9dgYr06vpMEu+RsVbcTgYtzgQThugKA0t1TTqgRMFqx/ZoDsKOmMREgHElAhD8jKDl3UprpKuOP7V1NMvVX5rrNsG285VNfqAdG4+934P3ns5vB2ZiQQzri9tgBNsvMe3VRkreiG1mrVdKg21OBwqoB';

const plainBatch = await recordBatch({
  firstOffset: 0,
  firstTimestamp: 0,
  records: Array.from({ length: 30 }, (_, at) => ({
    ...{ offsetDelta: at, timestampDelta: at, key: at % 3 ? Buffer.from(`key ${at}`) : null, headers: {} },
    value: Buffer.from(`{"example_id":"example ${at}","label":"direct"}`),
  })),
});
const batches: readonly Buffer[] = [
  plainBatch,
  plainBatch,
  await compressedBatch(plainBatch, 1, (bytes) => gzipSync(bytes)),
  await compressedBatch(plainBatch, 2, (bytes) => snappy(bytes)),
  await compressedBatch(plainBatch, 2, xerialFrame),
  await compressedBatch(plainBatch, 3, (bytes) => compressFrame(bytes)),
  await compressedBatch(plainBatch, 4, () => Buffer.from(zstdRecords, 'base64')),
  await marker(0, 7, true),
];

test('undamaged, they are read', async () => {
  for (const batch of batches.slice(0, -1)) assert.equal((await read(batch))?.records.length, 30);
});

test('too large: what a zstd command has compressed, where only the decoder can tell', async () => {
  const fetched = await readBatches(batches[6]!, [], { batchBytes: 500, left: 500 });
  assert.deepEqual([fetched?.records, fetched?.problem, fetched?.unread?.count], [[], undefined, 30]);
});

test('no byte under the checksum can change: not one flipped bit is read', async () => {
  const batch = batches[2]!;
  for (let bit = 8 * crcAt; bit < 8 * batch.length; bit++) {
    const damaged = Buffer.from(batch);
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    assertRefused(await read(damaged), `bit ${bit}`);
  }
});

test(`${mutations} damaged batches with their old checksum: none is read (SEED=${seed})`, async () => {
  const random = seeded(seed);
  for (let round = 0; round < mutations; round++) {
    const batch = pick(random, batches);
    const damaged = mutated(random, batch, crcAt);
    if (!damaged.equals(batch)) assertRefused(await read(damaged), `round ${round}`);
  }
});

test(`${mutations} damaged batches with a right checksum: read or refused, within their bytes, at once (SEED=${seed})`, async (context) => {
  const random = seeded(seed + 1);
  const bytesBefore = process.memoryUsage().rss;
  let [refused, longestMs] = [0, 0];
  for (let round = 0; round < mutations; round++) {
    const damaged = sealed(mutated(random, pick(random, batches), 0));
    const startMs = performance.now();
    const fetched = await read(damaged);
    const took = performance.now() - startMs;
    assert.ok(took < patience * 2_000, `round ${round}: ${took} ms`);
    longestMs = Math.max(longestMs, took);
    assertWithin(fetched, `round ${round}`);
    if (fetched!.problem !== undefined || fetched!.unread !== undefined) refused++;
  }
  assert.ok(refused > mutations / 2 && refused < mutations, `${refused} refused`);
  const growth = process.memoryUsage().rss - bytesBefore;
  assert.ok(growth < 512 * limit, `${growth} bytes more`);
  context.diagnostic(`${refused} refused, the longest took ${longestMs.toFixed(1)} ms, ${growth >> 20} MiB more`);
});

test(`damaged messages of the format before Kafka 0.11 (SEED=${seed})`, async () => {
  const random = seeded(seed + 2);
  const whole = oldMessages(3, [{ key: Buffer.from('k'), value: Buffer.from('a value'), timestamp: 7 }]);
  assertWithin(await read(whole), 'undamaged');
  for (let round = 0; round < mutations / 10; round++) {
    const damaged = mutated(random, whole, 12);
    if (!damaged.equals(whole)) assertRefused(await read(damaged), `round ${round}`);
  }
});

/** Of the header, with the number of records or their offsets. */
const faults: readonly (readonly [string, (batch: Buffer) => void, RegExp])[] = [
  ['more records than its offsets', (batch) => batch.writeInt32BE(31, 57), /31 records are said to lie at 30 offsets/],
  ['more records than its bytes', (batch) => manyRecords(batch), /2147483647 records do not fit into 1634 bytes/],
  ['a negative count', (batch) => batch.writeInt32BE(-1, 57), /-1 records/],
  ['a negative last offset', (batch) => batch.writeInt32BE(-5, 23), /at -4 offsets/],
  ['a negative offset', (batch) => batch.writeBigInt64BE(-9n, 0), /offset 0 or more is expected/],
  ['an offset beyond 2^53', (batch) => batch.writeBigInt64BE(2n ** 60n, 0), /30 records are said/],
];

/** Of what its producer has put into it. */
const mistakes: readonly (readonly [string, (batch: Buffer) => void, RegExp])[] = [
  ['fewer records than its bytes', (batch) => batch.writeInt32BE(29, 57), /bytes follow its 29 records/],
  [
    'a record whose offset is that of another',
    (batch) => void (batch[secondRecordAt + 3] = 0),
    /record 1 is at offset 0/,
  ],
  ['a key length without an end', (batch) => batch.fill(0xff, 65, 75), /a number in it has no end/],
  ['a key of length -2', (batch) => void (batch[65] = 3), /record 0 is longer than its bytes/],
  [
    'more headers than its bytes',
    (batch) => void (batch[secondRecordAt - 1] = 0x7e),
    /record 0 has 63 headers, more than fit into its bytes/,
  ],
  ['a length of 6 bytes', (batch) => batch.set([0x80, 0x80, 0x80, 0x80, 0x80, 0], 61), /a number in it has no end/],
];

for (const [name, damage, problem] of faults) {
  test(`refused: ${name}`, async () => {
    const batch = Buffer.from(plainBatch);
    damage(batch);
    const fetched = await read(sealed(batch));
    assertRefused(fetched, name);
    assert.match(fetched!.problem!, problem);
  });
}

for (const [name, make, detail] of mistakes) {
  test(`its records are refused, and what follows is read: ${name}`, async () => {
    const batch = Buffer.from(plainBatch);
    make(batch);
    const fetched = await read(sealed(batch));
    const { code, detail: said } = fetched!.unread!.unread;
    assert.deepEqual([fetched!.records, fetched!.problem, code], [[], undefined, 'not_json']);
    assert.match(
      said,
      /^the batch of offsets 0 to 29 \((29|30) records\) cannot be read, though its checksum is right: /,
    );
    assert.match(said, detail);
    assert.deepEqual([fetched!.unread!.firstOffset, fetched!.unread!.nextOffset], [0, 30]);
  });
}

for (const [at, batch] of batches.slice(2, -1).entries()) {
  test(`its records are refused, by their number, where its body is cut: compressed batch ${at}`, async () => {
    const cut = Buffer.from(batch.subarray(0, -7));
    cut.writeInt32BE(cut.length - 12, 8);
    const { unread, problem } = (await read(sealed(cut)))!;
    assert.deepEqual([problem, unread?.count, unread?.unread.code], [undefined, 30, 'not_json']);
  });
}

test('refused: a batch before the last one, or behind the end of the partition', async () => {
  const later = Buffer.from(plainBatch);
  later.writeBigInt64BE(30n, 0);
  const both = Buffer.concat([later, plainBatch]);
  assert.match((await read(both))!.problem!, /the batch at offset 0: offset 60 or more is expected/);
  const limits = { batchBytes: limit, left: limit };
  const beyond = await readBatches(later, [], limits, 59);
  assert.match(beyond!.problem!, /it reaches to offset 60, behind the end at 59/);
  assert.equal((await readBatches(later, [], limits, 60))?.records.length, 30);
});

const crcAt = 17;
/** After the first record: length, attributes, time stamp, offset. */
const secondRecordAt = 61 + 1 + 49;

function manyRecords(batch: Buffer): void {
  batch.writeInt32BE(2 ** 31 - 1, 23);
  batch.writeInt32BE(2 ** 31 - 1, 57);
}

function read(bytes: Buffer): Promise<FetchedRecords | undefined> {
  return readBatches(bytes, [], { batchBytes: limit, left: limit });
}

function assertRefused(fetched: FetchedRecords | undefined, name: string): void {
  assert.ok(fetched?.problem !== undefined, name);
  assert.deepEqual([fetched.records, fetched.nextOffset, fetched.unread], [[], undefined, undefined], name);
}

function assertWithin(fetched: FetchedRecords | undefined, name: string): void {
  assert.ok(fetched !== undefined, name);
  let last = -1;
  for (const { bytes, start, end, keyStart = -1, keyEnd = -1, offset } of fetched.records) {
    assert.ok(start === -1 ? end === -1 : start >= 0 && start <= end && end <= bytes.length, name);
    assert.ok(keyStart === -1 || (keyStart >= 0 && keyStart <= keyEnd && keyEnd <= bytes.length), name);
    assert.ok(bytes.length <= limit, name);
    assert.ok(Number.isSafeInteger(offset) && offset > last, name);
    last = offset;
  }
  const { nextOffset, problem, unread } = fetched;
  assert.ok(nextOffset === undefined ? problem !== undefined || unread !== undefined : nextOffset > last, name);
}

/** Some bytes from `from` on are other ones: flipped bits, random bytes, extreme numbers, or another length. */
function mutated(random: Random, batch: Buffer, from: number): Buffer {
  let made = Buffer.from(batch);
  const at = (room: number): number => from + Math.floor(random() * (made.length - from - room + 1));
  const acts = [
    () => void (made[at(1)]! ^= 1 << Math.floor(random() * 8)),
    () => void (made[at(1)] = Math.floor(random() * 256)),
    () => void made.writeInt32BE(pick(random, [-1, 0, 1, 2 ** 31 - 1, -(2 ** 31), 1000]), at(4)),
    () => void made.fill(0xff, at(1), made.length - Math.floor(random() * 8)),
    () => void made.copy(made, at(8), from, from + 8),
    () => {
      made = Buffer.concat([made.subarray(0, Math.max(61, at(1))), Buffer.alloc(Math.floor(random() * 4), 0x80)]);
      made.writeInt32BE(made.length - 12, 8);
    },
  ];
  for (let left = 1 + Math.floor(random() * 3); left > 0; left--) pick(random, acts)();
  return made;
}
