import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';

/** A text file that is written line by line; `-` is standard output. */
export interface LineFile {
  /** Resolves when there is room for more. */
  write(line: string): Promise<void> | undefined;
  /** Resolves when all is written; rejects with what went wrong, also before. */
  close(): Promise<void>;
}

/** Opens (and empties) a file. Errors surface at `write` or `close`, naming the path. */
export function lineFile(path: string): LineFile {
  const stream: WriteStream | NodeJS.WriteStream = path === '-' ? process.stdout : createWriteStream(path);
  const failed = new Promise<never>((_, reject) => {
    stream.on('error', (error) => reject(new Error(`cannot write ${path}: ${error.message}`, { cause: error })));
  });
  failed.catch(() => undefined);
  return {
    write(line) {
      if (stream.write(`${line}\n`)) return undefined;
      return Promise.race([once(stream, 'drain').then(() => undefined), failed]);
    },
    async close() {
      if (path === '-') return;
      const closed = once(stream, 'close').then(() => undefined);
      stream.end();
      await Promise.race([closed, failed]);
    },
  };
}
