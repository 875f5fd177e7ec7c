import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../../src/statistics/random.ts';
import { bench, bestId, groupFolder, saveMany, saveNext } from '../../support/checkpoint-bench.ts';
import { createCounting } from '../../support/counting-store.ts';
import { seed } from '../../support/seed.ts';
import { runs } from '../../support/soak.ts';
import { until } from '../../support/until.ts';

const places = runs(80, 300);
const random = seeded(seed);

test('a file cut anywhere, or with any bit flipped, or gone: the checkpoint before is restored', async (context) => {
  const made = bench(context);
  await saveMany(made, createCounting(), ['a', 'b', 'c', 'd', 'e']);
  const before = ['e', 'a', 'b', 'c', 'd'];
  for (const [number, name] of made.names().entries()) {
    const path = join(made.folder, name);
    const whole = readFileSync(path);
    const isFound = async (what: string) => {
      const saved = await made.saved();
      assert.equal(saved?.id, before[number], `${name} ${what}`);
    };
    // The head, byte by byte; then some places.
    const step = Math.ceil(whole.length / places);
    for (let length = 0; length < whole.length; length += length < 64 ? 1 : step) {
      writeFileSync(path, whole.subarray(0, length));
      await isFound(`cut to ${length}`);
    }
    for (let i = 0; i < places; i++) {
      const flipped = Buffer.from(whole);
      const bit = Math.floor(8 * whole.length * random());
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(path, flipped);
      await isFound(`with bit ${bit} flipped`);
    }
    rmSync(path);
    await isFound('gone');
    assert.equal(await bestId(made), before[number]);
    mkdirSync(path);
    await isFound('a folder');
    rmSync(path, { recursive: true });
    writeFileSync(path, Buffer.concat([whole, whole]));
    await isFound('twice as long');
    writeFileSync(path, whole);
  }
  assert.equal(await bestId(made), 'e');
  assert.ok(made.logged.includes('checkpoint is damaged: skipped'));
});

test('a file under the name or in the folder of another is not believed', async (context) => {
  const made = bench(context);
  await saveMany(made, createCounting(), ['a', 'b']);
  const [own, other] = ['0000000000000006.b.snapshot', '0000000000000900.b.snapshot'].map((name) =>
    join(made.folder, name),
  );
  renameSync(own!, other!);
  assert.equal(await bestId(made), 'a');
  renameSync(other!, own!);
  assert.equal(await bestId(made), 'b');
  renameSync(made.folder, join(made.dir, groupFolder, 'predictions', '5'));
  assert.equal(await made.saved({ topic: 'predictions', partition: 5 }), undefined);
});

test('compaction writes what the chain says, and no damaged file, whichever, leaves nothing', async (context) => {
  const made = bench(context, 3);
  const counting = createCounting();
  let compacted = 0;
  for (let number = 0; number < 24; number++) {
    await saveNext(made, counting, `i${number}`);
    // Snapshots i0 and i1; the fourth delta after the newest snapshot starts a compaction.
    if (number >= 5 && number % 4 === 1) {
      compacted++;
      await until(
        'all is compacted',
        () => made.logged.filter((line) => line === 'checkpoints compacted').length === compacted,
      );
      assert.ok(made.names().some((name) => name.endsWith(`.i${number}.snapshot`)));
    }
    if (number === 0) continue;
    for (const name of made.names()) {
      const path = join(made.folder, name);
      const whole = readFileSync(path);
      const torn = Buffer.from(whole);
      torn[whole.length >> 1]! ^= 1;
      writeFileSync(path, torn);
      assert.notEqual(await bestId(bench(context, 3, made.dir)), undefined, `after i${number} without ${name}`);
      writeFileSync(path, whole);
    }
    assert.equal(await bestId(bench(context, 3, made.dir)), `i${number}`);
    assert.ok(made.names().length <= 12, `${made.names().length} files`);
  }
  assert.equal(compacted, 5);
  const snapshots = made.names().filter((name) => name.endsWith('.snapshot'));
  assert.deepEqual(
    snapshots.map((name) => name.split('.')[1]),
    ['i17', 'i21'],
  );
});
