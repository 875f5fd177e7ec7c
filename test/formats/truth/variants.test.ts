import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  type DataType,
  Dictionary,
  Int8,
  Int16,
  Int32,
  LargeUtf8,
  Null,
  Uint8,
  Uint16,
  Uint32,
  Utf8View,
} from 'apache-arrow';
import { truthTable } from '../../../src/formats/truth/table.ts';
import { arrowBytes, type Column, listOf, openBytes, structOf, utf8 } from '../../support/arrow-tables.ts';

const long = (i: number): string =>
  JSON.stringify({ type: 'object', i: i % 3, text: 'longer than what a view holds itself, é' });
const rows = Array.from({ length: 40 }, (_, i) => ({
  id: i % 2 === 0 ? `é${i}` : `an id that is longer than a view holds ${i}`,
  label: ['direct', 'tool_call', 'request_for_info', 'cannot_answer', null][i % 5],
  tools:
    i % 4 === 0
      ? null
      : Array.from({ length: i % 3 }, (_, at) => ({ name: `t${at}`, parameters: at === 1 ? null : long(i) })),
  calls:
    i % 5 === 0
      ? null
      : Array.from({ length: i % 4 }, (_, at) => ({ name: `t${at}`, arguments: at === 2 ? null : long(at) })),
  reference: i % 3 === 0 ? null : long(i),
}));

const plainText = (): DataType => utf8;

/** The same rows with every text of a type, and every list large or not. */
function columnsOf(text: () => DataType, large = false): Record<string, Column> {
  return {
    example_id: [rows.map((row) => row.id), text()],
    label: [rows.map((row) => row.label), text()],
    tools: [rows.map((row) => row.tools), listOf(structOf({ name: text(), parameters: text() }), large)],
    expected_tool_calls: [rows.map((row) => row.calls), listOf(structOf({ name: text(), arguments: text() }), large)],
    reference: [rows.map((row) => row.reference), text()],
  };
}

const plain = openBytes(arrowBytes(columnsOf(plainText)));

test('the plain table says what its rows say', () => {
  const table = truthTable(plain);
  for (const [at, row] of rows.entries()) {
    assert.equal(table.find(row.id), at);
    const { tools, expected, reference } = table.read(at);
    assert.deepEqual(
      tools,
      row.tools?.map(({ name, parameters }) =>
        parameters === null ? name : { name, parameters: JSON.parse(parameters) },
      ),
    );
    assert.deepEqual(
      expected,
      row.calls?.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments ?? '{}') })),
    );
    assert.deepEqual(reference, row.reference === null ? undefined : JSON.parse(row.reference));
  }
});

const variants: Readonly<Record<string, Record<string, Column>>> = {
  large_utf8: columnsOf(() => new LargeUtf8()),
  utf8_view: columnsOf(() => new Utf8View()),
  large_list: columnsOf(plainText, true),
  'dictionary of int32': columnsOf(() => new Dictionary(utf8, new Int32())),
  'dictionary of uint32': columnsOf(() => new Dictionary(utf8, new Uint32())),
  'dictionary of int16': columnsOf(() => new Dictionary(utf8, new Int16())),
  'dictionary of uint16': columnsOf(() => new Dictionary(utf8, new Uint16())),
  'dictionary of int8': columnsOf(() => new Dictionary(utf8, new Int8())),
  'dictionary of uint8, and of large_utf8': columnsOf(() => new Dictionary(new LargeUtf8(), new Uint8()), true),
  'dictionary of utf8_view': columnsOf(() => new Dictionary(new Utf8View(), new Int32()), true),
  'other order and extra columns': Object.fromEntries([
    ['n', [rows.map((_, i) => i), new Int32()]],
    ...Object.entries(columnsOf(plainText)).reverse(),
  ]),
};
for (const [name, columns] of Object.entries(variants)) {
  for (const form of ['file', 'stream'] as const) {
    test(`${name}, as a ${form}, says the same`, () => {
      const loaded = openBytes(arrowBytes(columns, form));
      assert.equal(loaded.version, plain.version);
      const [one, other] = [truthTable(loaded), truthTable(plain)];
      for (const [at, row] of rows.entries()) assert.deepEqual(one.read(one.find(row.id)), other.read(at));
      assert.equal(loaded.files[0]!.built, false);
    });
  }
}

const nulls = (count: number): null[] => new Array<null>(count).fill(null);

test('columns that are absent or of type null are null', () => {
  const only = openBytes(arrowBytes({ example_id: [['a', 'b'], utf8] }));
  const typed = openBytes(
    arrowBytes({
      example_id: [['a', 'b'], utf8],
      ...Object.fromEntries(
        ['label', 'tools', 'expected_tool_calls', 'reference'].map((name) => [name, [nulls(2), new Null()] as Column]),
      ),
    }),
  );
  assert.equal(typed.version, only.version);
  assert.deepEqual(truthTable(typed).read(1), {
    label: undefined,
    tools: undefined,
    expected: undefined,
    reference: undefined,
  });
  assert.deepEqual([truthTable(typed).label(0), truthTable(typed).toolCount(0)], [-1, -1]);
});

test('fields of type null are null, and lists of type null are empty', () => {
  const table = truthTable(
    openBytes(
      arrowBytes({
        example_id: [['a', 'b', 'c'], utf8],
        tools: [[[], null, []], listOf(new Null())],
        expected_tool_calls: [
          [[{ name: 'f', arguments: null }], [], null],
          listOf(structOf({ name: utf8, arguments: new Null() })),
        ],
      }),
    ),
  );
  assert.deepEqual(
    [0, 1, 2].map((row) => table.read(row).tools),
    [[], undefined, []],
  );
  assert.deepEqual(
    [0, 1, 2].map((row) => table.read(row).expected),
    [[{ name: 'f', arguments: {} }], [], undefined],
  );
});

test('tools may be bare names; fields of an item may be more, or lack the one that holds JSON', () => {
  const names = openBytes(arrowBytes({ example_id: [['a'], utf8], tools: [[['f', 'g']], listOf(utf8)] }));
  const items = openBytes(
    arrowBytes({
      example_id: [['a'], utf8],
      tools: [
        [
          [
            { x: 1, name: 'f' },
            { x: 2, name: 'g' },
          ],
        ],
        listOf(structOf({ x: new Int32(), name: utf8 })),
      ],
    }),
  );
  assert.deepEqual(truthTable(names).read(0).tools, ['f', 'g']);
  assert.equal(items.version, names.version);
});

test('a reference of JSON null is none', () => {
  const table = truthTable(openBytes(arrowBytes({ example_id: [['a'], utf8], reference: [['null'], utf8] })));
  assert.equal(table.read(0).reference, undefined);
});

const written = [
  'pyarrow-lz4.arrow',
  'pyarrow-zstd.arrows',
  'pyarrow-v4.arrows',
  'pyarrow-int64-dictionaries.arrow',
  'pandas.feather',
  'polars.arrow',
  'polars-zstd.arrows',
];
for (const name of written) {
  test(`${name}, as that program writes it, says the same as the plain table`, () => {
    const [loaded, expected] = [name, 'pyarrow.arrow'].map((file) =>
      openBytes(readFileSync(`test/fixtures/truth/${file}`)),
    );
    assert.equal(loaded!.version, expected!.version);
    const [one, other] = [truthTable(loaded!), truthTable(expected!)];
    for (let i = 0; i < 60; i++) assert.deepEqual(one.read(one.find(`example é ${i}`)), other.read(i));
    assert.deepEqual(
      other.read(7).expected?.map((call) => call.name),
      ['tool 0', 'tool 1', 'tool 2'],
    );
  });
}
