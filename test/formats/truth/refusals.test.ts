import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Bool, Field, FixedSizeList, Int32, Utf8 } from 'apache-arrow';
import { buildTruthTable } from '../../../src/formats/truth/builder.ts';
import { arrowBytes, type Column, listOf, openBytes, refusal, structOf, utf8 } from '../../support/arrow-tables.ts';

const ids: Column = [['a', 'b'], utf8];
const tool = structOf({ name: utf8, parameters: utf8 });
const call = structOf({ name: utf8, arguments: utf8 });

/** Columns, and what the message must say: file, row, column, value, remedy. */
const refused: readonly (readonly [columns: Record<string, Column>, message: RegExp])[] = [
  [{ id: ids }, /^t\.arrow, column example_id: is absent \(columns: id\); add it, of type utf8$/],
  [{ example_id: [[1, 2], new Int32()] }, /^t\.arrow, column example_id: is of type Int32; cast it to utf8$/],
  [{ example_id: [['a', null], utf8] }, /^t\.arrow, row 1, column example_id: is null; /],
  [{ example_id: [['a', 'b', 'a'], utf8] }, /^t\.arrow, row 2, column example_id: "a" is already at t\.arrow, row 0; /],
  [{ example_id: ids, label: [[true, null], new Bool()] }, /column label: is of type Bool; cast/],
  [
    { example_id: ids, label: [['direct', 'Direct'], utf8] },
    /^t\.arrow, row 1, column label: is "Direct"; give one of direct, /,
  ],
  [{ example_id: ids, label: [['', null], utf8] }, /^t\.arrow, row 0, column label: is ""; /],
  [{ example_id: ids, label: [['tool_cell', null], utf8] }, /^t\.arrow, row 0, column label: is "tool_cell"; /],
  [
    { example_id: ids, tools: [['x', 'y'], utf8] },
    /column tools: is of type Utf8; cast it to list<struct<name: utf8, parameters: utf8 holding JSON>>$/,
  ],
  [{ example_id: ids, tools: [[[1], []], listOf(new Int32())] }, /column tools: is of type List<Int32>; cast/],
  [
    { example_id: ids, tools: [[['x'], ['y']], new FixedSizeList(1, new Field('item', utf8))] },
    /column tools: is of type FixedSizeList\[1\]<Utf8>; cast/,
  ],
  [
    { example_id: ids, tools: [[[{ x: 'f' }], []], listOf(structOf({ x: utf8 }))] },
    /column tools: is of type .*, without a field name; cast/,
  ],
  [
    { example_id: ids, tools: [[[{ name: 1 }], []], listOf(structOf({ name: new Int32() }))] },
    /column tools: field name is of type Int32; cast/,
  ],
  [
    {
      example_id: ids,
      tools: [
        [
          [],
          [
            { name: 'f', parameters: null },
            { name: 'g', parameters: '{' },
          ],
        ],
        listOf(tool),
      ],
    },
    /^t\.arrow, row 1, column tools: item 1: parameters is "\{", no JSON; /,
  ],
  [
    { example_id: ids, tools: [[[], [{ name: null, parameters: null }]], listOf(tool)] },
    /^t\.arrow, row 1, column tools: item 0: name is null; /,
  ],
  [
    { example_id: ids, tools: [[[], ['f', null]], listOf(utf8)] },
    /^t\.arrow, row 1, column tools: item 1: name is null; /,
  ],
  [
    { example_id: ids, tools: [[[], [null]], listOf(tool)] },
    /^t\.arrow, row 1, column tools: item 0 of the list is null; /,
  ],
  [
    { example_id: ids, expected_tool_calls: [[['f'], []], listOf(utf8)] },
    /column expected_tool_calls: is of type List<Utf8>; cast/,
  ],
  [
    { example_id: ids, expected_tool_calls: [[[], [{ name: 'f', arguments: '[1]' }]], listOf(call)] },
    /^t\.arrow, row 1, column expected_tool_calls: item 0: arguments is "\[1\]", no JSON object; /,
  ],
  [
    { example_id: ids, expected_tool_calls: [[[], [{ name: 'f', arguments: 'null' }]], listOf(call)] },
    /arguments is "null", no JSON object; /,
  ],
  [
    {
      example_id: ids,
      expected_tool_calls: [
        [[], [{ name: 'f', arguments: { a: 1 } }]],
        listOf(structOf({ name: utf8, arguments: structOf({ a: new Int32() }) })),
      ],
    },
    /column expected_tool_calls: field arguments is of type Struct<\{a:Int32\}>; cast/,
  ],
  [{ example_id: ids, reference: [['1', 'x'], utf8] }, /^t\.arrow, row 1, column reference: is "x", no JSON; /],
  [{ example_id: ids, reference: [['', null], utf8] }, /^t\.arrow, row 0, column reference: is "", no JSON; /],
];
for (const [columns, message] of refused) {
  test(`refused: ${message.source.slice(0, 90)}`, () => {
    for (const form of ['file', 'stream'] as const) assert.match(refusal(arrowBytes(columns, form)), message);
  });
}

test('a column that occurs twice is refused', () => {
  const bytes = Buffer.from(arrowBytes({ example_id: ids, example_xx: ids })).toString('latin1');
  assert.match(
    refusal(Buffer.from(bytes.replaceAll('example_xx', 'example_id'), 'latin1')),
    /column example_id: occurs twice; /,
  );
});

const bytesThatAreNoTable: readonly (readonly [what: string, bytes: Uint8Array, message: RegExp])[] = [
  ['no bytes', new Uint8Array(0), /^t\.arrow: the file is empty; /],
  ['a few bytes', Buffer.from('ARRO'), /^t\.arrow: this is no Arrow file or stream; /],
  ['text', Buffer.from('hello, world'), /this is no Arrow file or stream; if it holds truth, .*truth build/],
  ['a JSON array', Buffer.from('[{"example_id":"a"}]'), /this looks like a JSON array; .*truth build/],
  ['gzip', gzipSync('{}'), /it is compressed \(gzip\); .*truth build/],
  ['zstd', Buffer.from('28b52ffd2400', 'hex'), /it is compressed \(zstd\); .*truth build/],
  ['NDJSON', Buffer.from('{"example_id":"a"}\n'), /this looks like NDJSON; .*truth build/],
  ['Feather V1', Buffer.from('FEA1xxxxxxxxFEA1'), /Feather version 1 is not read; write version 2/],
  [
    'Parquet',
    Buffer.from('PAR1xxxxxxxxPAR1'),
    /Parquet is not read here; make an Arrow table of it with `assay truth build`/,
  ],
  ['an end marker only', Buffer.from([255, 255, 255, 255, 0, 0, 0, 0]), /^t\.arrow: /],
];
for (const [what, bytes, message] of bytesThatAreNoTable) {
  test(`${what} is refused`, () => assert.match(refusal(bytes), message));
}

test('a file or stream cut anywhere is refused', () => {
  const columns = { example_id: ids, label: [['direct', null], utf8] as Column };
  for (const form of ['file', 'stream'] as const) {
    const whole = arrowBytes(columns, form);
    assert.equal(refusal(whole), 'accepted');
    for (let end = 0; end < whole.length; end++) {
      assert.match(refusal(whole.subarray(0, end)), /^t\.arrow: .*(empty|cut short|no Arrow)/, `${form} cut at ${end}`);
    }
  }
});

test('a stream that goes on after its end is refused', () => {
  const stream = arrowBytes({ example_id: ids }, 'stream');
  assert.match(
    refusal(Buffer.concat([stream, stream])),
    /bytes follow the end marker of the stream; write one stream to a file/,
  );
  assert.equal(refusal(Buffer.concat([stream, new Uint8Array(8)])), 'accepted');
});

const unreadable = [
  [22, 'run_end_encoded', 'run_end_decode'],
  [25, 'list_view', 'cast it to a list'],
  [26, 'large_list_view', 'cast it to a list'],
] as const;
for (const [type, name, remedy] of unreadable) {
  test(`a column of type ${name} is refused by name, also where it is an extra one`, () => {
    const bytes = withType(arrowBytes({ example_id: ids, odd: [['x', 'y'], new Utf8()] }, 'stream'), type);
    const message = refusal(bytes);
    assert.match(
      message,
      new RegExp(`^t\\.arrow, column odd: type ${name} cannot be read; .*${remedy}.*drop_columns\\(\\["odd"\\]\\)`),
    );
  });
}

/** Gives the last field of the schema another type: the byte is the field's, found as the last 5 (utf8) that the library refuses to do without. */
function withType(bytes: Uint8Array, type: number): Uint8Array {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 5) continue;
    const changed = Uint8Array.from(bytes);
    changed[at] = type;
    if (refusal(changed).includes('column odd: type')) return changed;
  }
  throw new Error('no byte of the schema is the type');
}

test('ids that are no UTF-8, or share a character, are refused', () => {
  const bytes = Buffer.from(arrowBytes({ example_id: [['ab', 'cd'], utf8] }));
  const at = bytes.indexOf('abcd');
  bytes[at] = 0xff;
  assert.match(refusal(bytes), /^t\.arrow, row 0, column example_id: is no UTF-8; /);
  bytes.set([0x61, 0xc3, 0xa9, 0x64], at);
  assert.match(refusal(bytes), /^t\.arrow, row 0, column example_id: is no UTF-8; /);
});

test('a table that says it was built, without a hash, is refused with a remedy', () => {
  const bytes = arrowBytes(
    { example_id: ids },
    'file',
    new Map([
      ['assay.truth', '1'],
      ['assay.rows', '2'],
    ]),
  );
  assert.match(refusal(bytes), /its metadata say \(nothing\).*remove the key assay\.truth/);
});

test('a built table written anew by another program, as it was, is accepted', () => {
  const built = buildTruthTable([
    { example_id: 'a', label: 'direct', tools: null, expected_tool_calls: null, reference: null },
  ]);
  const { version } = openBytes(built);
  const metadata = new Map([
    ['assay.truth', '1'],
    ['assay.rows', '1'],
    ['assay.hash', version],
  ]);
  assert.equal(
    refusal(arrowBytes({ example_id: [['a'], utf8], label: [['direct'], utf8] }, 'stream', metadata)),
    'accepted',
  );
});
