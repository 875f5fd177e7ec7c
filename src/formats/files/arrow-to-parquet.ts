import { type Data, DataType, type Field, type Schema, type Table, tableFromIPC, Vector } from 'apache-arrow';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';

/** Rows that are made into columns at once. */
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
  for (const some of inGroups(tables)) {
    const columnData = schema.fields.map(({ name }) => ({ name, data: some.flatMap((table) => cells(table, name)) }));
    parquet.write({ columnData, rowGroupSize: groupRows });
  }
  parquet.finish();
  return new Uint8Array(writer.getBuffer());
}

/** Tables that come to one group of rows, or one that is larger. */
function* inGroups(tables: readonly Table[]): Generator<Table[]> {
  let group: Table[] = [];
  let rows = 0;
  for (const table of tables) {
    if (rows > 0 && rows + table.numRows > groupRows) {
      yield group;
      group = [];
      rows = 0;
    }
    group.push(table);
    rows += table.numRows;
  }
  if (group.length > 0) yield group;
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

function cells(table: Table, name: string): unknown[] {
  return table.getChild(name)!.data.flatMap((data) => valuesOf(data));
}

/** Column by column down to the leaves: the rows that Arrow gives for structs and lists cost ten times as much. */
function valuesOf(data: Data): unknown[] {
  const { type, length, children } = data;
  const eachValid = (value: (row: number) => unknown): unknown[] =>
    Array.from({ length }, (_, row) => (data.getValid(row) ? value(row) : null));
  if (DataType.isStruct(type)) {
    const columns = type.children.map(({ name }, at) => [name, valuesOf(children[at]!)] as const);
    return eachValid((row) => objectOf(columns, row));
  }
  if (DataType.isList(type) || DataType.isMap(type)) {
    const offsets = data.valueOffsets as Int32Array;
    const items = valuesOf(children[0]!);
    const some = (row: number): unknown[] => items.slice(offsets[row], offsets[row + 1]);
    if (DataType.isList(type)) return eachValid(some);
    const [key, value] = type.children[0]!.type.children.map(({ name }) => name) as [string, string];
    return eachValid((row) =>
      Object.fromEntries((some(row) as Record<string, unknown>[]).map((entry) => [entry[key], entry[value]])),
    );
  }
  const leaves = Array.from(new Vector([data]));
  return DataType.isTimestamp(type) ? leaves.map((time) => (time === null ? null : new Date(time as number))) : leaves;
}

function objectOf(columns: readonly (readonly [name: string, values: unknown[]])[], row: number): object {
  const object: Record<string, unknown> = {};
  for (const [name, values] of columns) object[name] = values[row];
  return object;
}
