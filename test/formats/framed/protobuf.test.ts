import assert from 'node:assert/strict';
import { test } from 'node:test';
import protobuf from 'protobufjs';
import { openedWith } from '../../support/schema-registry.ts';

const schema = `syntax = "proto3";
package t;
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
message First { int32 x = 1; }
message Second {
  message Inner { string y = 1; }
  map<int64, string> by_number = 1;
  repeated int64 numbers = 2;
  repeated double doubles = 3;
  bytes raw = 4;
  Kind kind = 5;
  google.protobuf.Value any = 6;
  google.protobuf.Timestamp at = 7;
  google.protobuf.Int64Value wrapped = 8;
  google.protobuf.BytesValue blob = 9;
  oneof either { string text = 10; Inner inner = 11; }
  bool plain = 12;
  optional bool given = 13;
}
enum Kind { none = 0; some = 1; }
`;

/** protobufjs encodes; the recorded values are of another implementation. */
const root = protobuf.parse(schema, { keepCase: true }).root;
for (const name of ['struct', 'timestamp', 'wrappers'])
  root.addJSON(protobuf.common.get(`google/protobuf/${name}.proto`)!.nested!);

function read(type: string, indexes: readonly number[], message: object): unknown {
  const found = root.lookupType(type);
  const value = Buffer.concat([Buffer.from(indexes), found.encode(found.fromObject(message)).finish()]);
  const opened = openedWith({ type: 'PROTOBUF', schema }, value);
  return typeof opened === 'string' ? JSON.parse(opened) : opened;
}

test('the numbers in front of a message say which one it is', () => {
  assert.deepEqual(read('t.First', [0], { x: 1 }), { x: 1 });
  assert.deepEqual(read('t.First', [2, 0], { x: 1 }), { x: 1 });
  assert.deepEqual(read('t.Second', [2, 2], { plain: true }), { plain: true });
  assert.deepEqual(read('t.Second.Inner', [4, 2, 0], { y: 'z' }), { y: 'z' });
  for (const indexes of [[2, 4], [4, 0, 0], [4, 6, 0], [1], [0xfe, 0xff, 0x7f], [2, 1]]) {
    const { code } = read('t.First', indexes, {}) as { code: string };
    assert.equal(code, 'not_json', String(indexes));
  }
});

const values: readonly (readonly [string, object, unknown])[] = [
  ['integers, exact', { numbers: [1, -2, '9007199254740993'] }, { numbers: [1, -2, '9007199254740993'] }],
  ['what JSON has no number for', { doubles: [0.5, Number.NaN] }, { doubles: [0.5, 'NaN'] }],
  ['bytes', { raw: Buffer.from([1, 2, 3]) }, { raw: 'AQID' }],
  ['an enum', { kind: 'some' }, { kind: 'some' }],
  ['a number that no enum has', { kind: 7 }, { kind: 7 }],
  [
    'a value of any type',
    { any: { structValue: { fields: { a: { listValue: { values: [{ numberValue: 1 }, { nullValue: 0 }, {}] } } } } } },
    { any: { a: [1, null, null] } },
  ],
  ['a time', { at: { seconds: 1777636800, nanos: 123999999 } }, { at: 1777636800123 }],
  ['a time before 1970', { at: { seconds: -1, nanos: 999000000 } }, { at: -1 }],
  ['wrapped defaults', { wrapped: {}, blob: {} }, { wrapped: 0, blob: '' }],
  ['one of two', { inner: { y: 'z' } }, { inner: { y: 'z' } }],
  ['what was not sent', { plain: false, given: false, numbers: [] }, { given: false }],
];

for (const [name, message, json] of values)
  test(`read: ${name}`, () => assert.deepEqual(read('t.Second', [2, 2], message), json));

test('read: keys of 64 bits', () => {
  // Field 1, an entry: key -2 in ten bytes, value "a".
  const entry = [0x08, 0xfe, ...Array(8).fill(0xff), 0x01, 0x12, 1, 0x61];
  const value = Buffer.from([2, 2, 0x0a, entry.length, ...entry]);
  assert.equal(openedWith({ type: 'PROTOBUF', schema }, value), '{"by_number":{"-2":"a"}}');
});

test('a file that lacks what it names refuses every value, and says so', () => {
  for (const [file, says] of [
    ['syntax = "proto3"; import "gone.proto"; message A { Gone gone = 1; }', /cannot be used: no such [Tt]ype.*Gone/],
    ['no such language', /cannot be used: /],
    ['aGVsbG8=', /cannot be used|cannot be read/],
  ] as const) {
    const opened = openedWith({ type: 'PROTOBUF', schema: file }, Buffer.from([0]));
    assert.ok(typeof opened === 'object');
    assert.match(opened.detail, says);
  }
});

test('text that is not UTF-8 is refused', () => {
  const opened = openedWith({ type: 'PROTOBUF', schema }, Buffer.from([4, 2, 0, 0x0a, 1, 0xff]));
  assert.ok(typeof opened === 'object' && /utf-?8/i.test(opened.detail), JSON.stringify(opened));
});
