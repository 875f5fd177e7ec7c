import { type FileMetaData, parquetMetadata, parquetSchema, type SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { parquetRowGroups } from './parquet-rows.ts';

/** Text that is the same for files whose rows fit into one. */
export function parquetSchemaText(bytes: Uint8Array): string {
  return JSON.stringify(metadataOf(bytes).schema);
}

/** Names of the columns of a file. */
export function parquetNamesOf(bytes: Uint8Array): string[] {
  return parquetSchema(metadataOf(bytes)).children.map(({ element }) => element.name);
}

/** What a file says of itself. */
export function parquetMetadataOf(bytes: Uint8Array): Record<string, string> {
  const pairs = metadataOf(bytes).key_value_metadata ?? [];
  return Object.fromEntries(pairs.map(({ key, value = '' }) => [key, value]));
}

/** Rows that come into a group of rows, which is made of whole groups of the files. */
const groupRows = 100_000;

/** Parquet files of one schema as one, in large groups of rows. */
export async function mergedParquet(
  files: readonly Uint8Array[],
  metadata: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const schema: SchemaElement[] = metadataOf(files[0]!).schema;
  const writer = new ByteWriter();
  const kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
  const parquet = new ParquetWriter({ writer, schema, kvMetadata, createdBy: 'assay' });
  let columns = new Map<string, unknown[]>();
  let rows = 0;
  const flush = (): void => {
    const columnData = [...columns].map(([name, data]) => ({ name, data }));
    if (rows > 0) parquet.write({ columnData, rowGroupSize: groupRows });
    columns = new Map();
    rows = 0;
  };
  for (const bytes of files) {
    for await (const group of parquetRowGroups(bytes.slice().buffer)) {
      group.names.forEach((name, column) => {
        const cells = columns.get(name) ?? [];
        columns.set(name, cells);
        for (let row = 0; row < group.rows; row++) cells.push(group.cellOf(row, column));
      });
      rows += group.rows;
      if (rows >= groupRows) flush();
    }
  }
  flush();
  parquet.finish();
  return new Uint8Array(writer.getBuffer());
}

function metadataOf(bytes: Uint8Array): FileMetaData {
  return parquetMetadata(bytes.slice().buffer);
}
