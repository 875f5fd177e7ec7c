import { type Cursor, readVarint } from '../bytes/varint.ts';
import { asBuffer, decodeUtf8 } from '../bytes/utf8.ts';
import { type Budget, Unreadable } from './unreadable.ts';

/** Bytes of a value in Avro's binary encoding, the position in them, and the budget that is left. */
export interface AvroBytes extends Cursor, Budget {}

/** A number of 32 or 64 bits; exact, so a `bigint` beyond 2^53. */
export function longIn(source: AvroBytes): number | bigint {
  const from = source.at;
  const number = readVarint(source, 10);
  // Zigzag takes one of the 53 bits.
  return Math.abs(number) < 2 ** 52 ? number : bigIn(source, from);
}

function bigIn({ bytes, at }: AvroBytes, from: number): bigint {
  let value = 0n;
  for (let index = at - 1; index >= from; index--) value = value * 128n + BigInt(bytes[index]! & 0x7f);
  return BigInt.asIntN(64, value % 2n === 0n ? value / 2n : -(value + 1n) / 2n);
}

/** The next bytes, as many as wanted. */
export function takeBytes(source: AvroBytes, length: number): Uint8Array {
  const end = source.at + length;
  if (!(length >= 0 && end <= source.bytes.length))
    throw new Unreadable(
      'not_json',
      `${length} bytes are said to follow byte ${source.at}, and ${source.bytes.length - source.at} do`,
    );
  const taken = source.bytes.subarray(source.at, end);
  source.at = end;
  return taken;
}

/** Bytes behind their length. */
export function bytesIn(source: AvroBytes): Uint8Array {
  return takeBytes(source, Number(longIn(source)));
}

/** Text behind its length. */
export function textIn(source: AvroBytes): string {
  const bytes = bytesIn(source);
  const text = decodeUtf8(bytes, 0, bytes.length);
  if (text === undefined) throw new Unreadable('not_utf8', `the text that ends at byte ${source.at} is not UTF-8`);
  return text;
}

/** A number of 32 or 64 bits in IEEE 754. */
export function floatIn(source: AvroBytes, length: 4 | 8): number {
  const bytes = asBuffer(takeBytes(source, length));
  return length === 4 ? bytes.readFloatLE() : bytes.readDoubleLE();
}

/**
 * The items of an array or map: blocks, each behind its count, until one of none. A count reserves no
 * memory: it only ends the loop.
 */
export function* itemsIn(source: AvroBytes): Generator<undefined> {
  for (;;) {
    let count = Number(longIn(source));
    if (count === 0) return;
    // Behind a negative count follow the bytes of the block, for readers that skip it.
    if (count < 0) longIn(source);
    for (count = Math.abs(count); count > 0; count--) yield undefined;
  }
}
