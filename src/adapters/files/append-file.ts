import { type FileHandle, open } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A text file that grows line by line: the lines of a killed process stay. */
export interface AppendFile {
  /** Resolves when the line is written. */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file to append to, and calls `each` with the lines in it. Text after the last line break is half a line, and is dropped. */
export async function appendFile(path: string, each: (line: string) => void): Promise<AppendFile> {
  const file = await open(path, 'a+');
  await file.truncate(await wholeLines(file));
  const input = createReadStream(path, { encoding: 'utf8' });
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) if (line !== '') each(line);
  let last = Promise.resolve();
  return {
    append(line) {
      last = last.then(() => file.appendFile(`${line}\n`));
      return last;
    },
    async close() {
      await last.catch(() => undefined);
      await file.close();
    },
  };
}

/** Bytes up to the last line break. */
async function wholeLines(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const block = Buffer.alloc(65_536);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const at = block.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}
