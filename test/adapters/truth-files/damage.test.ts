import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadTruth } from '../../../src/adapters/truth-files/truth-loader.ts';
import { TruthError } from '../../../src/formats/truth/error.ts';
import { prng } from '../../sim/prng.ts';
import { runs } from '../../support/soak.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { patience } from '../../support/until.ts';

/* What damage comes to is tested in test/formats/truth/damage.test.ts; here, that it reaches the caller through the thread. */

const seed = Number(process.env['SEED'] ?? 20260501);

test('a table of another program with one bit flipped: no hang, no crash', async (context) => {
  const folder = temporaryFolder(context);
  const random = prng(seed);
  const ended = new Set<string>();
  for (let copy = 0; copy < runs(12, 400); copy++) {
    const bytes = readFileSync('test/fixtures/truth/pyarrow.arrow');
    bytes[random.int(bytes.length)]! ^= 1 << random.int(8);
    const path = join(folder, `${copy}.arrow`);
    writeFileSync(path, bytes);
    try {
      await loadTruth([path], { deadlineMs: patience * 10_000 });
      ended.add('a table');
    } catch (error) {
      assert.ok(error instanceof TruthError && error.message.startsWith(path), `seed ${seed}, ${path}: ${error}`);
      ended.add('refused');
    }
  }
  assert.ok(ended.has('refused'));
});

test('a table that is damaged where its rows are read is refused by name, as truth', async (context) => {
  const bytes = readFileSync('test/fixtures/truth/pyarrow.arrow');
  // In the footer: a column begins outside of the file.
  bytes[20505]! ^= 1 << 4;
  const path = join(temporaryFolder(context), 'bent.arrow');
  writeFileSync(path, bytes);
  const message = new RegExp(`^${path}: the file is damaged \\(.*\\); write it again$`);
  await assert.rejects(loadTruth([path], { deadlineMs: patience * 10_000 }), { name: 'TruthError', message });
});
