import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordBatch, Table, tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { arrowFileOf } from '../../src/formats/arrow/file.ts';
import { rowColumns } from '../../src/formats/arrow/row-columns.ts';
import { arrowSchema, type Columns } from '../../src/formats/arrow/schema.ts';

const columns: Columns = {
  text: { kind: 'utf8' },
  category: { kind: 'category' },
  flag: { kind: 'bool' },
  int32: { kind: 'int32' },
  int64: { kind: 'int64' },
  float64: { kind: 'float64' },
  list: { kind: { list: 'utf8' } },
  family: {
    kind: {
      struct: {
        skipped: { kind: 'bool', absent: false },
        count: { kind: 'int32' },
        pairs: { kind: { list: { struct: { tool: { kind: 'utf8' } } } } },
      },
    },
  },
};

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const text = fc.string({ unit: 'grapheme', maxLength: 80 });
const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const row = fc.record({
  text: maybe(text),
  category: maybe(fc.constantFrom('a', 'b', 'ü')),
  flag: maybe(fc.boolean()),
  int32: maybe(int32),
  int64: maybe(fc.maxSafeInteger()),
  float64: maybe(fc.double({ noNaN: true })),
  list: maybe(fc.array(text, { maxLength: 3 })),
  family: maybe(
    fc.record({
      skipped: fc.boolean(),
      count: maybe(int32),
      pairs: maybe(fc.array(fc.record({ tool: maybe(text) }), { maxLength: 2 })),
    }),
  ),
});

test('rows of every kind of column come back as they were, from one batch after the other', () => {
  const schema = arrowSchema(columns);
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 700 }), { maxLength: 2, size: 'max' }), (batches) => {
      const built = rowColumns(columns, schema);
      for (const rows of batches) {
        for (const one of rows) built.add(one);
        const table = new Table(new RecordBatch(schema, built.finish()[0]));
        assert.deepEqual(
          table.toArray().map((found) => plain(found)),
          rows.map((one) => plain(one)),
        );
      }
    }),
    { numRuns: 15 },
  );
});

test('a field of a struct that a value does not name is null, or what its column says', () => {
  const schema = arrowSchema(columns);
  const built = rowColumns(columns, schema);
  built.add({ family: { count: 1 } });
  built.add({});
  const table = new Table(new RecordBatch(schema, built.finish()[0]));
  assert.deepEqual(
    table.toArray().map((found) => JSON.parse(JSON.stringify(found)).family),
    [{ skipped: false, count: 1, pairs: null }, null],
  );
});

test('the batches of a file share the dictionary of a category, also within lists', () => {
  const shared: Columns = { category: { kind: 'category' }, list: { kind: { list: 'label' } } };
  const schema = arrowSchema(shared);
  const built = rowColumns(shared, schema);
  const rows = ['a', 'b', 'a', 'c'].map((name) => ({ category: name, list: [name, 'd'] }));
  for (const one of rows) {
    built.add(one);
    built.endBatch();
  }
  const table = tableFromIPC(Buffer.concat(arrowFileOf(schema, built.finish())));
  assert.equal(table.batches.length, rows.length);
  assert.deepEqual(
    table.toArray().map((found) => plain(found)),
    rows,
  );
});

/** In a form that both sides have. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each)));
}
