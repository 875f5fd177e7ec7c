import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fileCheckpoints } from '../../../src/adapters/checkpoint-store/file-checkpoints.ts';
import { listFolder } from '../../../src/adapters/checkpoint-store/state-folder.ts';
import { seeded } from '../../../src/statistics/random.ts';
import { group, isRight, resume } from '../../support/counting-store.ts';
import { storeIn } from '../../support/folder-store.ts';
import { savedState } from '../../support/saved-state.ts';
import { seed } from '../../support/seed.ts';
import { soak } from '../../support/soak.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const saver = fileURLToPath(new URL('../../support/checkpoint-saver.js', import.meta.url));
const partition = { topic: 't', partition: 0 };
const folder = 'a%20group%2Fof%20%22one%22/t/0';
const [rounds, savesMost] = soak ? [10, 250] : [5, 80];

test('kill -9 at any moment: what was acknowledged is there, whole', async (context) => {
  const dir = temporaryFolder(context);
  const none = () => undefined;
  const log = { debug: none, info: none, warn: none, error: none };
  const random = seeded(seed);
  let reached = 0;
  for (let round = 0; round < rounds; round++) {
    const acknowledged = await runAndKill(dir, 1 + Math.floor(savesMost * random()));
    const checkpoints = fileCheckpoints(storeIn(dir), group, { log });
    const saved = savedState(await checkpoints.load(partition));
    assert.ok(saved !== undefined && isRight(saved));
    const { nextOffset } = resume(saved);
    assert.ok(
      nextOffset >= acknowledged && acknowledged > reached,
      `${nextOffset} of ${acknowledged}, before ${reached}`,
    );
    reached = acknowledged;
    const [first, ...others] = await listFolder(storeIn(dir), folder);
    assert.ok(
      first !== undefined && [first, ...others].every(({ valid }) => valid),
      'a file under a final name is whole',
    );
  }
  const left = readdirSync(join(dir, folder));
  assert.deepEqual(
    left.filter((name) => name.startsWith('.')),
    [],
    'nothing half written stays',
  );
  assert.ok(left.filter((name) => name.endsWith('.snapshot')).length >= 2);
});

/** Runs the saver until some saves are acknowledged, kills it in the middle of the next; resolves with the last acknowledged offset. */
async function runAndKill(dir: string, saves: number): Promise<number> {
  const child = spawn(process.execPath, [saver, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let last = 0;
  let seen = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    // By the time that the line is here, the child is at an arbitrary point of a later save.
    if (++seen === saves) child.kill('SIGKILL');
  }
  await closed;
  assert.equal(child.signalCode, 'SIGKILL', 'the saver ended by itself');
  return last;
}
