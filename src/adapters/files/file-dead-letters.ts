import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { deadLetterLine } from '../../formats/prediction/dead-letter-line.ts';
import type { DeadLetters, OnOutage } from '../../ports.ts';
import { makeFolder } from '../object-store/make-folder.ts';

/**
 * Dead letters as NDJSON in a folder, one file a process: `<name>.ndjson`. Written through to the disk before `write` resolves. An
 * outage (a full disk) is retried by `retry`.
 */
export function fileDeadLetters(
  folder: string,
  name: string,
  retry: (operation: () => Promise<void>, onOutage: OnOutage) => Promise<void>,
): DeadLetters {
  const path = join(folder, `${name}.ndjson`);
  let opened: { readonly file: FileHandle; size: number } | undefined;
  return {
    async write(letters, onOutage) {
      if (letters.length === 0) return;
      const lines = Buffer.from(letters.map((letter) => `${deadLetterLine(letter)}\n`).join(''));
      await retry(async () => {
        if (opened === undefined) await makeFolder(folder);
        opened ??= { file: await open(path, 'w'), size: 0 };
        const { file, size } = opened;
        // A write that failed halfway leaves part of a line: the next try starts where the last whole one ended.
        await file.write(lines, 0, lines.length, size);
        await file.datasync();
        opened.size += lines.length;
      }, onOutage);
    },
    async close() {
      await opened?.file.close();
      opened = undefined;
    },
  };
}
