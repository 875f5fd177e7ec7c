import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { snapshotStores } from '../../src/service/state-store.ts';
import { configWith } from '../support/folding.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('snapshots have a folder where one is configured, and none else', async (context) => {
  const dir = join(temporaryFolder(context), 'snapshots');
  assert.equal(await snapshotStores(configWith({})), undefined);
  assert.ok(!existsSync(dir));
  assert.ok((await snapshotStores(configWith({ 'snapshots.dir': dir })))?.scores);
  assert.ok(existsSync(dir));
});
