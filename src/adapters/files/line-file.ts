import { output } from './output.ts';

/** A text file that is written line by line (`output`). */
export interface LineFile {
  /** Resolves when there is room for more. */
  write(line: string): Promise<void> | undefined;
  close(): Promise<void>;
  /** Leaves nothing behind, unless it is closed. */
  abandon(): Promise<void>;
}

const heldMax = 65_536;

/** Opens a file of lines; `-` is standard output. Errors name the path. */
export async function lineFile(path: string): Promise<LineFile> {
  const file = await output(path);
  const held = { text: '' };
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(held.text);
    held.text = '';
    if (bytes.length > 0) await file.write([bytes]);
  };
  return {
    write(line) {
      held.text += `${line}\n`;
      return held.text.length < heldMax ? undefined : flush();
    },
    async close() {
      await flush();
      await file.finish();
    },
    abandon: () => file.abandon(),
  };
}
