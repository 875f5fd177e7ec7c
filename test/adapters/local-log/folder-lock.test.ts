import assert from 'node:assert/strict';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockFolder } from '../../../src/adapters/local-log/folder-lock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const staleMs = 300;
const unexpected = (error: Error): never => assert.fail(error.message);

/** The lock that this process would write, changed. */
async function leaveLock(folder: string, changes: object): Promise<void> {
  const lock = await lockFolder(folder, unexpected);
  const holder = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as object;
  await lock.release();
  writeFileSync(join(folder, 'lock'), JSON.stringify({ ...holder, token: 'other', ...changes }));
}

test('the lock of a process on this machine holds while it runs, whoever has its id later', async (context) => {
  const folder = temporaryFolder(context);
  await leaveLock(folder, {});
  await assert.rejects(lockFolder(folder, unexpected), { name: 'UsageError' });
  await leaveTaken(folder, { start: '1' });
  await leaveTaken(folder, { pid: 2 ** 22 + 1 });
});

async function leaveTaken(folder: string, changes: object): Promise<void> {
  writeFileSync(join(folder, 'lock'), '');
  const lock = await lockFolder(folder, unexpected, staleMs);
  await lock.release();
  await leaveLock(folder, changes);
  await (await lockFolder(folder, unexpected)).release();
  assert.deepEqual(readdirSync(folder), []);
}

test('the lock of another machine holds as long as it is touched', async (context) => {
  const folder = temporaryFolder(context);
  await leaveLock(folder, { machine: 'elsewhere 1', pid: 77 });
  const path = join(folder, 'lock');
  const touching = setInterval(() => utimesSync(path, new Date(), new Date()), staleMs / 3);
  const refused = `${folder} is in use by process 77 on elsewhere: stop it, or name another folder with state.dir`;
  await assert.rejects(lockFolder(folder, unexpected, staleMs), { message: refused });
  clearInterval(touching);
  await (await lockFolder(folder, unexpected, staleMs)).release();
});

test('a process whose lock was taken is told', async (context) => {
  const folder = temporaryFolder(context);
  const lost: Error[] = [];
  const lock = await lockFolder(folder, (error) => lost.push(error), 30);
  writeFileSync(join(folder, 'lock'), JSON.stringify({ token: 'other', machine: 'elsewhere', pid: 78 }));
  await until('it is told', () => lost.length > 0);
  assert.match(lost[0]!.message, /lock was taken by process 78/);
  await lock.release();
  assert.deepEqual(readdirSync(folder), ['lock']);
});
