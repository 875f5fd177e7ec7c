import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { loadTruth } from '../../../src/adapters/truth-files/truth-loader.ts';
import { buildTruthTable } from '../../../src/formats/truth/builder.ts';
import { TruthError } from '../../../src/formats/truth/error.ts';
import { prng, type Random } from '../../sim/prng.ts';
import { arrowBytes, listOf, openBytes, structOf, utf8 } from '../../support/arrow-tables.ts';
import { soak } from '../../support/soak.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { patience } from '../../support/until.ts';

const ids = Array.from({ length: 30 }, (_, i) => `example ${i}`);
const built = buildTruthTable(
  ids.map((id, i) => ({
    example_id: id,
    label: 'tool_call',
    tools: [{ name: `f${i % 3}`, parameters: { type: 'object' } }],
    expected_tool_calls: [{ name: 'f', arguments: { i } }],
    reference: { i },
  })),
);
const foreign = arrowBytes(
  {
    example_id: [ids, utf8],
    label: [ids.map(() => 'direct'), utf8],
    tools: [
      ids.map((_, i) => [{ name: `f${i % 3}`, parameters: '{}' }]),
      listOf(structOf({ name: utf8, parameters: utf8 })),
    ],
    reference: [ids.map((_, i) => `{"i":${i}}`), utf8],
  },
  'stream',
);

const seed = Number(process.env['SEED'] ?? 20260501);
const deadlineMs = patience * 10_000;
const atOnce = 4;
/** A thousand in the soak. */
const loads = soak ? { flipped: 400, cut: 100 } : { flipped: 12, cut: 3 };

type Damage = (copy: Uint8Array, random: Random) => Uint8Array;

/** Loads damaged copies through the thread; each must end in a table or in a TruthError that names its file. Returns how they ended. */
async function endings(context: TestContext, bytes: Uint8Array, copies: number, damage: Damage): Promise<string[]> {
  const folder = temporaryFolder(context);
  const random = prng(seed);
  const paths = Array.from({ length: copies }, (_, i) => {
    const path = join(folder, `${i}.arrow`);
    writeFileSync(path, damage(Uint8Array.from(bytes), random));
    return path;
  });
  const ended: string[] = [];
  const next = async (): Promise<void> => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) ended.push(await endingOf(path));
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  const counts = Object.fromEntries(
    [...new Set(ended)].map((one) => [one, ended.filter((other) => other === one).length]),
  );
  context.diagnostic(`seed ${seed}: ${JSON.stringify(counts)}`);
  return ended;
}

async function endingOf(path: string): Promise<string> {
  try {
    return `table ${(await loadTruth([path], { deadlineMs })).version}`;
  } catch (error) {
    assert.ok(error instanceof TruthError, `seed ${seed}, ${path}: ${error}`);
    assert.ok(error.message.startsWith(path), error.message);
    return error.message.includes('not loaded within') ? 'ended at the deadline' : 'refused';
  }
}

const flipped: Damage = (copy, random) => {
  copy[random.int(copy.length)]! ^= 1 << random.int(8);
  return copy;
};

const cut: Damage = (copy, random) => copy.subarray(0, random.int(copy.length));

test('a built table with one bit flipped says what it said, or is refused', async (context) => {
  const whole = `table ${openBytes(built).version}`;
  const ended = await endings(context, built, loads.flipped, flipped);
  assert.ok(ended.includes('refused'));
  assert.deepEqual(
    ended.filter((one) => one.startsWith('table') && one !== whole),
    [],
  );
});

test('a table of another program with one bit flipped: no hang, no crash', async (context) => {
  assert.ok((await endings(context, foreign, loads.flipped, flipped)).includes('refused'));
});

test('a table that is cut is refused', async (context) => {
  for (const bytes of [built, foreign]) {
    assert.deepEqual(new Set(await endings(context, bytes, loads.cut, cut)), new Set(['refused']));
  }
});
