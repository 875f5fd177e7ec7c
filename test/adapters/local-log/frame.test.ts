import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Entry, frameBytes, groupBytes, readFrame } from '../../../src/adapters/local-log/frame.ts';
import { scanSegment } from '../../../src/adapters/local-log/scan.ts';
import { keyOf } from '../../../src/stream/event.ts';
import { runs } from '../../support/soak.ts';

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
const plain = { noNullPrototype: true };
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ key: fc.option(bytes, { nil: undefined }), value: fc.option(bytes) }, plain) },
  { weight: 1, arbitrary: fc.record({ quietMs: fc.nat(100_000) }, plain) },
);
/** Groups that became durable one after the other. */
const groups = fc.array(fc.array(entry, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
const firstOffset = fc.nat(1_000_000);

interface Written {
  readonly bytes: Buffer;
  /** Position, group and offset of each record. */
  readonly places: readonly { readonly at: number; readonly end: number; readonly group: number }[];
}

function written(all: readonly (readonly Entry[])[], first: number): Written {
  const places = [];
  const parts = [];
  let [at, offset] = [0, first];
  for (const [group, entries] of all.entries()) {
    parts.push(groupBytes(entries, offset, 1_000 + group));
    for (const each of entries) {
      places.push({ at, end: at + frameBytes(each), group });
      at += frameBytes(each);
    }
    offset += entries.length;
  }
  return { bytes: Buffer.concat(parts), places };
}

test('what is written is read: key, value, deletion, time without records, offset and append time', () => {
  const property = fc.property(groups, firstOffset, (all, first) => {
    const { bytes: file, places } = written(all, first);
    const read = places.map(({ at, end, group }, index) => {
      const frame = readFrame(file, at);
      assert.ok(typeof frame === 'object');
      assert.equal(frame.end, end);
      assert.equal(frame.record.offset, first + index);
      assert.equal(frame.record.timestamp, 1_000 + group);
      const { record } = frame;
      if (record.quietMs !== undefined) return { quietMs: record.quietMs };
      const value = record.start < 0 ? null : Buffer.from(record.bytes.subarray(record.start, record.end));
      const key = keyOf(record);
      return { key: key === null ? undefined : Buffer.from(key), value };
    });
    assert.deepEqual(read, all.flat());
    const scan = scanSegment(file, first);
    assert.deepEqual([scan.end, scan.nextOffset, scan.damage], [file.length, first + places.length, undefined]);
    assert.equal(scan.lastMs, 1_000 + all.length - 1);
  });
  fc.assert(property, { numRuns: runs(200) });
});

test('a torn end is cut off behind the last whole record, whatever stands there', () => {
  const cut = fc.record({ groups, firstOffset, at: fc.double({ min: 0, max: 1, noNaN: true }), rest: bytes });
  const property = fc.property(cut, ({ groups: all, firstOffset: first, at, rest }) => {
    const { bytes: file, places } = written(all, first);
    const length = Math.floor(at * file.length);
    for (const torn of [
      file.subarray(0, length),
      Buffer.concat([file.subarray(0, length), Buffer.alloc(rest.length)]),
    ]) {
      // Zeros behind the cut may be those that were cut off.
      const isWhole = ({ end }: Written['places'][number]): boolean =>
        torn.subarray(0, end).equals(file.subarray(0, end));
      const whole = places.filter(isWhole).length;
      const scan = scanSegment(torn, first);
      assert.deepEqual(
        [scan.end, scan.nextOffset, scan.damage],
        [places[whole - 1]?.end ?? 0, first + whole, undefined],
      );
    }
  });
  fc.assert(property, { numRuns: runs(200) });
});

test('a flipped bit before the last group is damage; one in the last group is its torn end', () => {
  const flip = fc.record({ groups, firstOffset, at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }) });
  const property = fc.property(flip, fc.nat(7), ({ groups: all, firstOffset: first, at }, bit) => {
    const { bytes: file, places } = written(all, first);
    const position = Math.floor(at * file.length);
    file[position]! ^= 1 << bit;
    const hit = places.findIndex(({ end }) => end > position);
    const scan = scanSegment(file, first);
    const damage = { offset: first + hit, bytes: places[hit]!.at };
    if (places[hit]!.group < all.length - 1) {
      assert.deepEqual(scan.damage, damage);
      assert.equal(scan.nextOffset, first + places.length);
    } else {
      assert.deepEqual([scan.damage, scan.end, scan.nextOffset], [undefined, damage.bytes, damage.offset]);
    }
  });
  fc.assert(property, { numRuns: runs(300) });
});
