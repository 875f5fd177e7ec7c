import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { spansOf } from '../../../src/formats/otlp/json.ts';
import { decodeProtobuf } from '../../../src/formats/otlp/protobuf.ts';
import { isLogs } from '../../../src/formats/otlp/signal.ts';
import { attributeOf, type Span } from '../../../src/formats/otlp/span.ts';

/* What every decoder of protobuf has to take, though no exporter writes it so. */

type Write = (writer: BinaryWriter) => void;

const bytesOf = (write: Write): Uint8Array => {
  const writer = new BinaryWriter();
  write(writer);
  return writer.finish();
};
const message = (field: number, ...parts: Write[]): Write => {
  return (writer) => {
    writer.tag(field, WireType.LengthDelimited).fork();
    for (const part of parts) part(writer);
    writer.join();
  };
};
const text = (field: number, value: string): Write => {
  return (writer) => void writer.tag(field, WireType.LengthDelimited).string(value);
};
const number = (field: number, value: number): Write => {
  return (writer) => void writer.tag(field, WireType.Varint).int32(value);
};
const group = (field: number, ...parts: Write[]): Write => {
  return (writer) => {
    writer.tag(field, WireType.StartGroup);
    for (const part of parts) part(writer);
    writer.tag(field, WireType.EndGroup);
  };
};
const nested = (levels: number): Write => (levels === 0 ? number(1, 1) : group(1, nested(levels - 1)));

const read = (bytes: Uint8Array): readonly Span[] => {
  const decoded = decodeProtobuf(bytes);
  return spansOf('document' in decoded ? decoded.document : assert.fail(decoded.problem));
};
const value = (name: string, ...parts: Write[]): unknown => {
  const pair = message(9, ...parts, text(1, name));
  const spans = read(bytesOf(message(1, message(2, message(2, pair)))));
  return attributeOf(spans[0], name);
};

test('a resource may follow its spans, and a key its value', () => {
  const pair = (name: string, given: string): Write[] => [message(2, text(1, given)), text(1, name)];
  const spans = read(
    bytesOf(
      message(1, message(2, message(2, message(9, ...pair('a', 'x')))), message(1, message(1, ...pair('b', 'y')))),
    ),
  );
  assert.deepEqual([attributeOf(spans[0], 'a'), attributeOf(spans[0], 'b')], ['x', 'y']);
});

test('unknown fields, groups and fields of another type are passed over', () => {
  const others = [number(99, 7), group(98, text(1, 'x'), group(2)), number(1, 5)];
  assert.equal(value('a', ...others, message(2, ...others, text(1, 'x'), ...others), ...others), 'x');
});

test('of several values the last counts, and none is absent', () => {
  assert.equal(value('a', message(2, text(1, 'x'), text(1, 'y'))), 'y');
  assert.equal(value('a', message(2)), undefined);
  assert.equal(value('a'), undefined);
});

test('names are told apart that differ in one byte', () => {
  const spans = read(bytesOf(message(1, message(2, message(2, message(9, text(1, 'c'), message(2, text(1, 'x'))))))));
  assert.equal(attributeOf(spans[0], 'a'), undefined);
});

const list = (levels: number): Write => (levels === 0 ? text(1, 'x') : message(5, message(1, list(levels - 1))));

for (const [what, bytes, problem] of [
  ['groups without end', bytesOf((writer) => void writer.tag(3, WireType.StartGroup)), /out of range/],
  ['an end without a group', bytesOf((writer) => void writer.tag(3, WireType.EndGroup)), /wire type 4/],
  ['groups a thousand deep', bytesOf(nested(1_000)), /max depth/],
  [
    'lists a thousand deep',
    bytesOf(message(1, message(2, message(2, message(9, text(1, 'a'), message(2, list(1_000))))))),
    /nest deeper than 100/,
  ],
  ['a field of number 0', Uint8Array.of(0x02, 0x00), /number 0/],
  ['a length beyond the message', Uint8Array.of(0x0a, 0x04, 0x12, 0x05, 0x00, 0x00), /are cut/],
  ['a length of 2 GB', Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x07), /are cut/],
  ['a tag of eleven bytes', new Uint8Array(20).fill(0x80), /invalid tag/],
  [
    'a text that is not UTF-8',
    bytesOf(
      message(
        1,
        message(
          2,
          message(
            2,
            message(
              9,
              text(1, 'a'),
              message(2, (writer) => void writer.tag(1, WireType.LengthDelimited).bytes(Uint8Array.of(0xff))),
            ),
          ),
        ),
      ),
    ),
    /not UTF-8/,
  ],
] as const)
  test(`refuses ${what}`, () => {
    const decoded = decodeProtobuf(bytes);
    assert.match('problem' in decoded ? decoded.problem : '', problem);
  });

const fixed64 = (field: number): Write => {
  return (writer) => void writer.tag(field, WireType.Bit64).fixed64('1');
};
const fixed32 = (field: number): Write => {
  return (writer) => void writer.tag(field, WireType.Bit32).fixed32(1);
};

test('each field that only one of them has tells a log record from a span', () => {
  const records = (...parts: Write[]): Uint8Array =>
    bytesOf(message(1, message(1, text(1, 'r')), message(2, text(1, 's'), message(2, ...parts))));
  const ofBoth = [text(5, 'x'), text(9, 'x'), number(99, 1)];
  for (const field of [fixed64(1), fixed64(11), number(2, 9), fixed32(8), text(10, 'x'), text(12, 'x')])
    assert.equal(isLogs(records(...ofBoth, field, text(1, 'x'))), true);
  for (const field of [text(1, 'x'), text(2, 'x'), text(4, 'x'), text(11, 'x'), number(6, 1), fixed64(7), fixed64(8)])
    assert.equal(isLogs(records(...ofBoth, field, fixed64(1))), false);
  for (const bytes of [records(...ofBoth), records(), new Uint8Array([0x0a, 0xff]), new Uint8Array()])
    assert.equal(isLogs(bytes), false);
});
