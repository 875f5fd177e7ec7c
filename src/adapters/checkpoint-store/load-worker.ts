import { parentPort } from 'node:worker_threads';
import { loadFolder } from './load-folder.ts';
import type { LoadAnswer } from './load-threads.ts';
import { createRoom } from './room.ts';

const room = createRoom();

/** A thread that loads one folder after the other, as it is told. */
parentPort!.on('message', (folder: string) => void answer(folder).then((found) => parentPort!.postMessage(found)));

async function answer(folder: string): Promise<LoadAnswer> {
  try {
    return { kind: 'loaded', loaded: await loadFolder(folder, room) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error), code };
  }
}
