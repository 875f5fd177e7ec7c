import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadata,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
} from 'hyparquet';
import { compressors as plainCompressors } from 'hyparquet-compressors';
import type { RowGroup } from './row-group.ts';

export type { AsyncBuffer };

/** A column of nulls alone has pages without a byte, which the decompressor of LZ4 takes for damage. */
const compressors: typeof plainCompressors = {
  ...plainCompressors,
  LZ4: (input, length) => (length === 0 ? new Uint8Array(0) : plainCompressors.LZ4!(input, length)),
  LZ4_RAW: (input, length) => (length === 0 ? new Uint8Array(0) : plainCompressors.LZ4_RAW!(input, length)),
};

const decoder = new TextDecoder();
/** JSON stays text, as in any other column. */
const parsers = { jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes) };

/** Names of the columns of a file, and the texts of its metadata by key. */
export function parquetHead(bytes: Uint8Array): {
  readonly names: readonly string[];
  readonly metadata: ReadonlyMap<string, string>;
} {
  const metadata = parquetMetadata(bytes.slice().buffer);
  const pairs = (metadata.key_value_metadata ?? []).map(({ key, value = '' }) => [key, value] as const);
  return { names: columnNames(metadata), metadata: new Map(pairs) };
}

function columnNames(metadata: FileMetaData): string[] {
  return parquetSchema(metadata).children.map(({ element }) => element.name);
}

/** The row groups of a Parquet file, or of its bytes, one after the other, each held whole. Throws where the file contradicts itself. */
export async function* parquetRowGroups(file: AsyncBuffer | ArrayBuffer): AsyncGenerator<RowGroup> {
  const metadata = await parquetMetadataAsync(file);
  checkSizes(metadata, file.byteLength);
  const names = columnNames(metadata);
  let first = 0;
  for (const { num_rows } of metadata.row_groups) {
    const rows = Number(num_rows);
    const columns: unknown[][] = [];
    for (const name of names) {
      const cells: unknown[] = [];
      await parquetRead({
        file,
        metadata,
        columns: [name],
        rowStart: first,
        rowEnd: first + rows,
        compressors,
        parsers,
        onChunk: ({ columnData }) => {
          for (const cell of columnData) cells.push(cell);
        },
      });
      if (cells.length < rows) throw new Error(`column ${name} has ${cells.length} cells for ${rows} rows`);
      columns.push(cells);
    }
    first += rows;
    yield { names, rows, cellOf: (row, column) => columns[column]![row], share: first / Number(metadata.num_rows) };
  }
}

/** A group of more rows than JavaScript can hold is damage, or has to be written in smaller ones. */
const groupRowsMax = 2 ** 24;

function checkSizes({ num_rows, row_groups }: FileMetaData, bytes: number): void {
  let rows = 0;
  for (const group of row_groups) {
    const own = Number(group.num_rows);
    if (!(own >= 0 && own <= groupRowsMax))
      throw new Error(`a row group of ${own} rows; at most ${groupRowsMax} are read`);
    rows += own;
    for (const { meta_data } of group.columns) {
      const start = Number(meta_data?.dictionary_page_offset || meta_data?.data_page_offset);
      const end = start + Number(meta_data?.total_compressed_size);
      if (!(start >= 0 && end >= start && end <= bytes)) throw new Error('a column runs beyond the end of the file');
    }
  }
  if (rows !== Number(num_rows)) throw new Error(`${num_rows} rows, but ${rows} in its row groups`);
}
