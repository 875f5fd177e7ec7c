import { open, readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { AsyncBuffer } from '../../formats/files/parquet-rows.ts';
import type { RowGroup } from '../../formats/files/row-group.ts';
import { rowText } from '../../formats/files/row-text.ts';
import { TruthError } from '../../formats/truth/error.ts';

/** A request to the thread: rows of a file, or of bytes that were read already. */
export interface TableRequest {
  readonly kind: 'parquet' | 'arrow';
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
}

/** The answer of the thread to each request for more. */
export type TableAnswer =
  | RowsAnswer
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly message: string };

/** Texts of rows, one after the other, and where each ends; the first row's number, from 0. */
export interface RowsAnswer {
  readonly kind: 'rows';
  readonly first: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: Int32Array<ArrayBuffer>;
  /** Part of the file that was read for them, in [0, 1]. */
  readonly share: number;
}

const rowsAtOnce = 500;

/** The thread in which tables are read: its maker ends it where it never comes back, or takes more memory than there is. */
function serve(request: TableRequest): void {
  const answers = answersOf(request);
  parentPort!.on('message', async () => {
    const answer = await answers.next().then(
      ({ done, value }): TableAnswer => (done ? { kind: 'done' } : value),
      (error: Error): TableAnswer => ({ kind: 'refused', message: messageOf(request, error) }),
    );
    const transfer = answer.kind === 'rows' ? [answer.bytes.buffer, answer.ends.buffer] : [];
    parentPort!.postMessage(answer, transfer);
  });
}

async function* answersOf(request: TableRequest): AsyncGenerator<TableAnswer> {
  let first = 0;
  for await (const group of await groupsOf(request)) {
    for (let row = 0; row < group.rows; row += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, group.rows - row);
      yield { kind: 'rows', first, ...textsOf(group, row, rows), share: group.share };
      first += rows;
    }
  }
}

async function groupsOf({ kind, path, bytes }: TableRequest): Promise<AsyncIterable<RowGroup> | Iterable<RowGroup>> {
  if (kind === 'parquet') {
    const { parquetRowGroups } = await import('../../formats/files/parquet-rows.ts');
    return parquetRowGroups(bytes === undefined ? await fileRanges(path) : bytes.buffer);
  }
  const { arrowRowGroups } = await import('../../formats/files/arrow-rows.ts');
  const { registerArrowCodecs } = await import('../../formats/arrow/codecs.ts');
  await registerArrowCodecs();
  return arrowRowGroups(bytes ?? (await readFile(path)), path);
}

/** Parts of a file, as they are asked for. */
async function fileRanges(path: string): Promise<AsyncBuffer> {
  const file = await open(path);
  const { size } = await file.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      if (!(start >= 0 && start <= end && end <= size)) throw new RangeError(`bytes ${start} to ${end} of ${size}`);
      const bytes = new Uint8Array(end - start);
      await file.read(bytes, 0, bytes.length, start);
      return bytes.buffer;
    },
  };
}

function textsOf(group: RowGroup, from: number, rows: number): Pick<RowsAnswer, 'bytes' | 'ends'> {
  const texts = Array.from({ length: rows }, (_, at) =>
    Buffer.from(rowText(group.names, (column) => group.cellOf(from + at, column))),
  );
  const ends = new Int32Array(rows);
  const bytes = new Uint8Array(texts.reduce((sum, text) => sum + text.length, 0));
  let end = 0;
  texts.forEach((text, at) => {
    bytes.set(text, end);
    end += text.length;
    ends[at] = end;
  });
  return { bytes, ends };
}

function messageOf({ kind, path }: TableRequest, error: Error): string {
  if (error instanceof TruthError) return error.message;
  const name = kind === 'parquet' ? 'Parquet' : 'Arrow';
  return `${path}: cannot be read as ${name} (${error.message}); it is damaged, cut short or of a form that is not read: write it again`;
}

serve(workerData as TableRequest);
