import { fileCheckpoints, newCheckpointId } from '../../src/adapters/checkpoint-store/file-checkpoints.ts';
import { advance, createCounting, group, resume, takeCheckpoint } from './counting-store.ts';
import { storeIn } from './folder-store.ts';
import { savedState } from './saved-state.ts';

// Saves checkpoints of t/0 under the folder given without end, and prints the next offset of each once it is durable.

const [dir] = process.argv.slice(2);
const partition = { topic: 't', partition: 0 };
const write = (_fields: object, message: string) => void process.stderr.write(`${message}\n`);
const log = { debug: write, info: write, warn: write, error: write };
const checkpoints = fileCheckpoints(storeIn(dir!), group, { log, compactAfterFiles: 3 });
const saved = savedState(await checkpoints.load(partition));
const counting = saved === undefined ? createCounting() : resume(saved);
for (;;) {
  advance(counting, counting.nextOffset + 1 + (counting.nextOffset % 3));
  await checkpoints.save(
    partition,
    takeCheckpoint(counting, partition, newCheckpointId(), checkpoints.wantsSnapshot(partition)),
  );
  process.stdout.write(`${counting.nextOffset}\n`);
}
