import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createResponseBuffers } from '../../../src/adapters/kafka/response-buffers.ts';

const unit = 2 ** 20;

test('a buffer that was released holds the next response that has room in it', () => {
  const buffers = createResponseBuffers();
  const first = buffers.take(unit - 5);
  assert.equal(first.length, unit - 5);
  assert.notEqual(buffers.take(unit - 5).buffer, first.buffer);
  buffers.release(first);
  assert.notEqual(buffers.take(unit + 1).buffer, first.buffer);
  const again = buffers.take(unit);
  assert.equal(again.buffer, first.buffer);
  assert.equal(again.length, unit);
});

test('one that is released twice is given once', () => {
  const buffers = createResponseBuffers();
  const first = buffers.take(unit);
  buffers.release(first);
  buffers.release(first);
  assert.notEqual(buffers.take(unit).buffer, buffers.take(unit).buffer);
});

test('small responses, and those beyond what is fetched at once, are nobody else’s', () => {
  const buffers = createResponseBuffers();
  for (const bytes of [100, 64 * 1024 - 1, 16 * unit + 1]) {
    const first = buffers.take(bytes);
    assert.equal(first.length, bytes);
    buffers.release(first);
    const next = buffers.take(bytes);
    assert.ok(next.buffer !== first.buffer || next.byteOffset !== first.byteOffset, `${bytes}`);
  }
});

test('the four largest wait', () => {
  const buffers = createResponseBuffers();
  const sizes = [3, 5, 1, 4, 2];
  for (const response of sizes.map((size) => buffers.take(size * unit))) buffers.release(response);
  const capacities = sizes.map(() => buffers.take(unit).buffer.byteLength / unit);
  assert.deepEqual(capacities, [2, 3, 4, 5, 1]);
});

test('responses that are read at once never share a byte', () => {
  const step = fc.record({ bytes: fc.integer({ min: 1, max: 3 * unit }), released: fc.nat(), releases: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const buffers = createResponseBuffers();
      const read: Buffer[] = [];
      for (const { bytes, released, releases } of steps) {
        read.push(buffers.take(bytes));
        if (releases) buffers.release(read.splice(released % read.length, 1)[0]!);
        for (const one of read)
          for (const other of read) if (one !== other) assert.ok(!shareBytes(one, other), `${bytes}`);
      }
    }),
    { numRuns: 30 },
  );
});

function shareBytes(a: Buffer, b: Buffer): boolean {
  return a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.length && b.byteOffset < a.byteOffset + a.length;
}
