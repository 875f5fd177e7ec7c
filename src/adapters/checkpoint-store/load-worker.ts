import { parentPort, workerData } from 'node:worker_threads';
import { loadFolder } from './load-folder.ts';

/** A thread that loads one folder. An error of it is that of the load. */
parentPort!.postMessage(await loadFolder(workerData as string));
