import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checksum } from '../../src/formats/bytes/checksum.ts';

// Published values of XXH32 with seed 0.
for (const [text, expected] of [
  ['', 0x02cc5d05],
  ['a', 0x550d7456],
  ['abc', 0x32d153ff],
  ['Nobody inspects the spammish repetition', 0xe2293b2f],
] as const) {
  test(`the low half over ${JSON.stringify(text)} is xxHash32`, () => {
    const bytes = new TextEncoder().encode(text);
    assert.equal(checksum(bytes, bytes.length)[0], expected);
  });
}

test('bytes after the length do not count, nor does where the bytes lie in memory', () => {
  const around = Uint8Array.from({ length: 100 }, (_none, i) => i);
  const inner = around.subarray(3, 80);
  assert.deepEqual(checksum(inner, 70), checksum(around.slice(3, 73), 70));
});

test('each flipped bit shows in both halves', () => {
  const bytes = Uint8Array.from({ length: 75 }, (_none, i) => i * 31);
  const [low, high] = checksum(bytes, bytes.length);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    const [flippedLow, flippedHigh] = checksum(bytes, bytes.length);
    assert.notEqual(flippedLow, low);
    assert.notEqual(flippedHigh, high);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
  }
});
