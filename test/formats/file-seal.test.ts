import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tableFromIPC } from 'apache-arrow';
import { blankSeal, isSealed, seal } from '../../src/formats/bytes/file-seal.ts';
import { buildTruthTable, truthMetadata } from '../../src/formats/truth/builder.ts';
import { openBytes } from '../support/arrow-tables.ts';

const built = buildTruthTable(
  ['a', 'b', 'c'].map((id) => ({
    example_id: id,
    label: 'tool_call',
    tools: [{ name: 'f', parameters: { type: 'object' } }],
    expected_tool_calls: [{ name: 'f', arguments: {} }],
    reference: { id },
  })),
);
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const sealIn = (bytes: Uint8Array): string => tableFromIPC(bytes).schema.metadata.get(truthMetadata.seal)!;

test('a file is sealed until a bit of it changes, and is left as it was', () => {
  const bytes = Uint8Array.from(built);
  const own = sealIn(bytes);
  assert.ok(isSealed(bytes, own));
  assert.deepEqual(bytes, Uint8Array.from(built));
  for (let at = 0; at < bytes.length; at++) {
    bytes[at]! ^= 1 << (at & 7);
    assert.equal(isSealed(bytes, own), false, `byte ${at}`);
    bytes[at]! ^= 1 << (at & 7);
  }
  assert.ok(isSealed(bytes, own));
});

test('another text, or none, is no seal', () => {
  for (const other of [undefined, '', '0123', blankSeal, '01234567']) assert.equal(isSealed(built, other), false);
  assert.throws(() => seal(Uint8Array.from([1, 2, 3])), /no place for the seal/);
});

test('a table whose seal no longer fits is checked by its content', () => {
  const { version } = openBytes(built);
  const rewritten = Uint8Array.from(built);
  rewritten.set(Buffer.from('01234567'), text(built).lastIndexOf(sealIn(built)));
  assert.equal(openBytes(rewritten).version, version);
  const changed = Uint8Array.from(rewritten);
  changed[text(built).indexOf('{"id":"b"}') + 7]! += 10;
  assert.throws(() => openBytes(changed), /its content .* is not what its metadata say/);
});
