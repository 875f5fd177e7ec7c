import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrowFileOf } from '../../src/formats/arrow/file.ts';
import { rowColumns } from '../../src/formats/arrow/row-columns.ts';
import { arrowSchema, type Columns } from '../../src/formats/arrow/schema.ts';
import { parquetOfArrow } from '../../src/formats/files/arrow-to-parquet.ts';
import { parquetRowGroups } from '../../src/formats/files/parquet-rows.ts';

const columns: Columns = {
  id: { kind: 'utf8', required: true },
  at: { kind: 'time', required: true },
  kind: { kind: 'category' },
  place: { kind: { struct: { offset: { kind: 'int64' }, line: { kind: 'int32' } } } },
  names: { kind: { list: 'utf8' } },
  tags: { kind: { map: 'utf8' }, required: true },
  errors: { kind: { list: { struct: { tool: { kind: 'utf8' }, wrong: { kind: 'bool' }, by: { kind: 'float64' } } } } },
};

const errors = [
  { tool: 't', wrong: true, by: 0.5 },
  { tool: null, wrong: false, by: null },
];
const rows = [
  {
    id: 'a',
    at: 1_777_600_000_123,
    kind: 'x',
    place: { offset: 2 ** 52, line: 3 },
    names: ['p', 'é'],
    tags: { a: '1', é: '' },
    errors: [],
  },
  { id: 'b', at: 0, kind: null, place: null, names: null, tags: {}, errors: null },
  { id: 'c', at: 1, kind: 'y', place: { offset: null, line: 1 }, names: [], tags: { b: '2' }, errors },
  { id: 'd', at: 2, kind: 'x', place: { offset: 1, line: null }, names: [null], tags: {}, errors: errors.slice(1) },
];

test('a Parquet file holds what the Arrow files hold, in order, and says what it is told', async () => {
  const files = [rows.slice(0, 2), rows.slice(2)].map((some) => {
    const schema = arrowSchema(columns);
    const open = rowColumns(columns, schema);
    for (const row of some) open.add(row);
    return Buffer.concat(arrowFileOf(schema, open.finish()));
  });
  const bytes = parquetOfArrow(files, { 'assay.rows': '4' });
  const found: unknown[] = [];
  for await (const group of parquetRowGroups(bytes.slice().buffer))
    for (let row = 0; row < group.rows; row++)
      found.push(Object.fromEntries(group.names.map((name, column) => [name, plain(group.cellOf(row, column))])));
  assert.deepEqual(found, rows);
  assert.ok(Buffer.from(bytes).includes('assay.rows'));
});

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.getTime();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]));
}
