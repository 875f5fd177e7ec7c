import assert from 'node:assert/strict';
import { test } from 'node:test';
import avsc from 'avsc';
import fc from 'fast-check';
import { openedWith } from '../../support/schema-registry.ts';
import { runs } from '../../support/soak.ts';

/** The avsc package encodes: another implementation of the format than ours. */
function encoded(schema: avsc.Schema, value: unknown): Buffer {
  return avsc.Type.forSchema(schema, { wrapUnions: 'always' }).toBuffer(value);
}

function read(schema: unknown, bytes: Uint8Array): unknown {
  const opened = openedWith({ type: 'AVRO', schema: JSON.stringify(schema) }, bytes);
  return typeof opened === 'string' ? JSON.parse(opened) : opened;
}

/** A schema, a value of it in avsc's terms, and the JSON that stands for it. */
interface Case {
  readonly schema: avsc.Schema;
  readonly value: unknown;
  readonly json: unknown;
}

const plain: fc.Arbitrary<Case> = fc.oneof(
  fc.constant({ schema: 'null', value: null, json: null }),
  fc.boolean().map((value) => ({ schema: 'boolean', value, json: value })),
  fc.integer().map((value) => ({ schema: 'int', value, json: value })),
  // Beyond, avsc rounds.
  fc.integer({ min: -(2 ** 51), max: 2 ** 51 }).map((value) => ({ schema: 'long', value, json: value })),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ schema: 'double', value, json: value + 0 || 0 })),
  fc.string({ unit: 'grapheme' }).map((value) => ({ schema: 'string', value, json: value })),
  fc.uint8Array().map((value) => {
    return { schema: 'bytes', value: Buffer.from(value), json: Buffer.from(value).toString('base64') };
  }),
);

const { any } = fc.letrec<{ any: Case }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plain,
    fc.tuple(tie('any'), fc.nat(4)).map(([{ schema, value, json }, count]) => ({
      schema: { type: 'array', items: schema } as avsc.Schema,
      value: Array(count).fill(value),
      json: Array(count).fill(json),
    })),
    fc.tuple(tie('any'), fc.uniqueArray(fc.string(), { maxLength: 4 })).map(([{ schema, value, json }, keys]) => ({
      schema: { type: 'map', values: schema } as avsc.Schema,
      value: Object.fromEntries(keys.map((key) => [key, value])),
      json: Object.fromEntries(keys.map((key) => [key, json])),
    })),
    fc.array(tie('any'), { minLength: 1, maxLength: 4 }).map((fields) => ({
      schema: {
        type: 'record',
        fields: fields.map(({ schema }, at) => ({ name: `f${at}`, type: schema })),
      } as unknown as avsc.Schema,
      value: Object.fromEntries(fields.map(({ value }, at) => [`f${at}`, value])),
      json: Object.fromEntries(fields.map(({ json }, at) => [`f${at}`, json])),
    })),
  ),
}));

test('values of any schema are read as another implementation wrote them', () => {
  fc.assert(
    fc.property(any, ({ schema, value, json }) => {
      const named = withNames(schema);
      assert.deepEqual(read(named, encoded(named, value)), json);
    }),
    { numRuns: runs(100) },
  );
});

/** Records need names, each another. */
function withNames(schema: avsc.Schema): avsc.Schema {
  let records = 0;
  return JSON.parse(JSON.stringify(schema), (_, inner) =>
    inner?.type === 'record' ? { ...inner, name: `Record${records++}` } : inner,
  ) as avsc.Schema;
}

const list = {
  type: 'record',
  name: 'List',
  namespace: 'a.b',
  fields: [
    { name: 'value', type: 'int' },
    { name: 'next', type: ['null', 'List'] },
  ],
};

const cases: readonly (readonly [name: string, schema: unknown, value: unknown, json: unknown])[] = [
  ['a branch of a union', ['null', 'string', { type: 'array', items: 'long' }], { array: [1, 2] }, [1, 2]],
  [
    'a type that holds itself',
    list,
    { value: 1, next: { 'a.b.List': { value: 2, next: null } } },
    { value: 1, next: { value: 2, next: null } },
  ],
  ['an enum', { type: 'enum', name: 'E', symbols: ['x', 'y'] }, 'y', 'y'],
  ['a fixed', { type: 'fixed', name: 'F', size: 3 }, Buffer.from([1, 2, 3]), 'AQID'],
  ['milliseconds', { type: 'long', logicalType: 'timestamp-millis' }, 1777636800123, 1777636800123],
  ['microseconds', { type: 'long', logicalType: 'timestamp-micros' }, 1777636800123999, 1777636800123],
  ['microseconds before 1970', { type: 'long', logicalType: 'timestamp-micros' }, -1, -1],
  ['a date', { type: 'int', logicalType: 'date' }, 20574, 20574],
  [
    'what JSON has no number for',
    { type: 'array', items: 'double' },
    [Number.NaN, Number.POSITIVE_INFINITY],
    ['NaN', 'Infinity'],
  ],
  [
    'a key of every object',
    { type: 'map', values: 'int' },
    JSON.parse('{"__proto__":1,"constructor":2}'),
    JSON.parse('{"__proto__":1,"constructor":2}'),
  ],
];

for (const [name, schema, value, json] of cases)
  test(`read: ${name}`, () => {
    assert.deepEqual(read(schema, encoded(schema as avsc.Schema, value)), json);
  });

/** A long as the specification has it: zigzag, then 7 bits a byte. */
function longBytes(long: bigint): Buffer {
  const bytes: number[] = [];
  for (let left = BigInt.asUintN(64, (long << 1n) ^ (long >> 63n)); ; left >>= 7n) {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0));
    if (left <= 0x7fn) return Buffer.from(bytes);
  }
}

test('a long is exact: a number to 2^53, beyond its decimal text', () => {
  for (const power of [51n, 52n, 53n, 62n, 63n])
    for (const near of [-2n, -1n, 0n, 1n])
      for (const long of [2n ** power + near, -(2n ** power) - near].filter(
        (each) => BigInt.asIntN(64, each) === each,
      )) {
        const exact = Number.isSafeInteger(Number(long)) ? Number(long) : String(long);
        assert.equal(read('long', longBytes(long)), exact);
      }
});

const nulls = { type: 'array', items: 'null' };
const endless = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
type RefusedCase = readonly [name: string, schema: unknown, bytes: readonly number[], code: string, says: RegExp];

const endlessCases: readonly RefusedCase[] = [
  ['2^63 items in 10 bytes', nulls, endless, 'too_large', /more values than/],
  ['2^63 bytes of a text', 'string', endless, 'not_json', /bytes are said to follow byte 10, and 0 do/],
  ['2^63 entries', { type: 'map', values: 'int' }, endless, 'not_json', /no end/],
  [
    'lists of lists of nothing',
    { type: 'array', items: nulls },
    [0xc8, 1, ...Array(40).fill([0xfe, 0xff, 3]).flat()],
    'too_large',
    /more values/,
  ],
];

const refused: readonly RefusedCase[] = [
  ['a text of fewer than no bytes', 'string', [0x01], 'not_json', /-1 bytes/],
  [
    'a record in itself without an end',
    { type: 'record', name: 'R', fields: [{ name: 'r', type: 'R' }] },
    [],
    'too_deep',
    /deeper than 64/,
  ],
  ['a list of 65 in each other', list, Array(65).fill([2, 2]).flat(), 'too_deep', /deeper than 64/],
  ['a branch that is not there', ['null'], [2], 'not_json', /has no branch 1/],
  ['a symbol that is not there', { type: 'enum', name: 'E', symbols: ['x'] }, [2], 'not_json', /no symbol 1/],
  ['a text that is not UTF-8', 'string', [2, 0xff], 'not_utf8', /is not UTF-8/],
  ['more than the schema describes', 'null', [0], 'not_json', /1 bytes follow/],
  ['nothing', 'int', [], 'not_json', /no end/],
  [
    'a type that is not there',
    'Nobody',
    [],
    'schema',
    /schema 1 of the registry \(AVRO\), which cannot be used: it names a type that is not there: Nobody/,
  ],
  ['a record without fields', { type: 'record', name: 'R' }, [], 'schema', /has no fields/],
];

function assertRefused([, schema, bytes, code, says]: RefusedCase): void {
  const opened = read(schema, Buffer.from(bytes)) as { code: string; detail: string };
  assert.equal(opened.code, code);
  assert.match(opened.detail, says);
}

test('counts and lengths without an end are not believed', () => {
  for (const one of endlessCases) assertRefused(one);
});

for (const one of refused) test(`refused: ${one[0]}`, () => assertRefused(one));
