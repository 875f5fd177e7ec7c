import { AsyncByteQueue, type Data, RecordBatch, RecordBatchFileWriter, type Schema, type Struct } from 'apache-arrow';
import { programName } from '../../name.ts';

/** Key of the schema metadata that holds the number of rows. */
export const rowsKey = `${programName}.rows`;

/** An uncompressed Arrow file that grows batch by batch. */
export interface ArrowFile {
  readonly rows: number;
  /** Adds rows of the schema's fields. The dictionary of a `category` is the same in all batches of a file. */
  write(batches: readonly Data<Struct>[]): void;
  /** Bytes since the last call, in pieces. */
  take(): Uint8Array[];
  /** Ends the file; its schema then says how many rows there are. The last bytes are to be taken after it. */
  finish(): void;
}

/** Begins a file. The schema is the file's own: its metadata change. */
export function arrowFile(schema: Schema): ArrowFile {
  const pieces: Uint8Array[] = [];
  const sink = new AsyncByteQueue();
  sink.write = (piece) => void pieces.push(bytesOf(piece));
  const writer = new RecordBatchFileWriter();
  writer.reset(sink, schema);
  const file = {
    rows: 0,
    write(batches: readonly Data<Struct>[]): void {
      for (const batch of batches) {
        writer.write(new RecordBatch(schema, batch));
        file.rows += batch.length;
      }
    },
    take: () => pieces.splice(0),
    finish(): void {
      // The schema is written last, into the footer.
      schema.metadata.set(rowsKey, String(file.rows));
      writer.finish();
    },
  };
  return file;
}

/** A whole file, in pieces. */
export function arrowFileOf(schema: Schema, batches: readonly Data<Struct>[]): Uint8Array[] {
  const file = arrowFile(schema);
  file.write(batches);
  file.finish();
  return file.take();
}

function bytesOf(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  const { buffer, byteOffset, byteLength } = piece as ArrayBufferView;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
