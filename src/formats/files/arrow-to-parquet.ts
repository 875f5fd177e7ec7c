import { DataType, type Field, type RecordBatch, type Schema, tableFromIPC } from 'apache-arrow';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { rowsOf } from './arrow-rows.ts';

/** Rows of a group, about: as many batches as come to no more, or one batch that is larger. */
const groupRows = 20_000;

/**
 * Arrow files of one schema as one Parquet file, compressed with Snappy: the same columns, structs and lists. Texts of dictionaries are texts.
 * Throws where a column has a type that is not one of ours.
 */
export function parquetOfArrow(files: readonly Uint8Array[], metadata: Readonly<Record<string, string>>): Uint8Array {
  const tables = files.map((bytes) => tableFromIPC(bytes));
  const { schema } = tables[0]!;
  const writer = new ByteWriter();
  const kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  const parquet = new ParquetWriter({ writer, schema: parquetSchema(schema), kvMetadata, createdBy: 'assay' });
  for (const batches of inGroups(tables.flatMap((table) => table.batches))) {
    const columnData = schema.fields.map(({ name }, column) => ({
      name,
      data: batches.flatMap((batch) => cells(batch, column)),
    }));
    parquet.write({ columnData, rowGroupSize: groupRows });
  }
  parquet.finish();
  return new Uint8Array(writer.getBuffer());
}

/** Batches that come to one group of rows. */
function* inGroups(batches: readonly RecordBatch[]): Generator<RecordBatch[]> {
  let group: RecordBatch[] = [];
  let rows = 0;
  for (const batch of batches) {
    if (rows > 0 && rows + batch.numRows > groupRows) {
      yield group;
      group = [];
      rows = 0;
    }
    group.push(batch);
    rows += batch.numRows;
  }
  if (group.length > 0) yield group;
}

function cells(batch: RecordBatch, column: number): unknown[] {
  const { cellOf } = rowsOf(batch, 1);
  return Array.from({ length: batch.numRows }, (_, row) => cellOf(row, column));
}

function parquetSchema({ fields }: Schema): SchemaElement[] {
  return [{ name: 'root', num_children: fields.length }, ...fields.flatMap((field) => elementsOf(field))];
}

type Leaf = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

function elementsOf({ name, type, nullable }: Field, as: string = name): SchemaElement[] {
  const place = { name: as, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' } as const;
  if (DataType.isStruct(type)) {
    const { children } = type;
    return [{ ...place, num_children: children.length }, ...children.flatMap((child: Field) => elementsOf(child))];
  }
  if (DataType.isList(type)) {
    const items = { name: 'list', repetition_type: 'REPEATED', num_children: 1 } as const;
    const item = elementsOf(type.children[0]!, 'element');
    return [{ ...place, num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } }, items, ...item];
  }
  if (DataType.isMap(type)) {
    const map = { num_children: 1, converted_type: 'MAP', logical_type: { type: 'MAP' } } as const;
    const entries = { name: 'key_value', repetition_type: 'REPEATED', num_children: 2 } as const;
    const [key, value] = type.children[0]!.type.children as unknown as [Field, Field];
    return [{ ...place, ...map }, entries, ...elementsOf(key), ...elementsOf(value)];
  }
  return [{ ...place, ...leafOf(name, DataType.isDictionary(type) ? type.dictionary : type) }];
}

function leafOf(name: string, type: DataType): Leaf {
  if (DataType.isUtf8(type)) return { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };
  if (DataType.isBool(type)) return { type: 'BOOLEAN' };
  if (DataType.isInt(type)) return { type: type.bitWidth === 64 ? 'INT64' : 'INT32' };
  if (DataType.isFloat(type)) return { type: 'DOUBLE' };
  if (DataType.isTimestamp(type))
    return {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' },
    };
  throw new Error(`column ${name}: ${type} has no Parquet type here`);
}
