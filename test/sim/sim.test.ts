import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { nothingHappened, simulate } from './simulate.ts';

const seeds = Number(process.env['SEEDS'] ?? (process.env['ASSAY_SOAK'] === '1' ? 1_000 : 50));
const one = process.env['SEED'];

// SEED=n runs one seed, SEEDS=n the first n, ASSAY_SOAK=1 a thousand. What fails names its seed.
test('whatever goes wrong, the numbers are right in the end', async (context) => {
  const happened = { ...nothingHappened };
  const first = one === undefined ? 1 : Number(one);
  const last = one === undefined ? seeds : first;
  for (let seed = first; seed <= last; seed++) {
    const seen = await simulate(seed);
    for (const name of Object.keys(happened) as (keyof typeof happened)[]) happened[name] += seen[name];
  }
  context.diagnostic(JSON.stringify(happened));
  if (one === undefined && seeds >= 50)
    for (const [name, count] of Object.entries(happened)) assert.ok(count > 0, `no ${name} at all`);
});
