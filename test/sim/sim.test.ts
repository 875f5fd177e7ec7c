import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

const seeds = Number(process.env['SEEDS'] ?? (process.env['ASSAY_SOAK'] === '1' ? 1_000 : 50));
const one = process.env['SEED'];

test('whatever goes wrong, the numbers are right in the end', async (context) => {
  const happened = { steps: 0, crashes: 0, rebalances: 0, sleeps: 0, damage: 0, processes: 0 };
  const first = one === undefined ? 1 : Number(one);
  const last = one === undefined ? seeds : first;
  for (let seed = first; seed <= last; seed++) {
    const seen = await simulate(seed);
    for (const name of Object.keys(happened) as (keyof typeof happened)[]) happened[name] += seen[name];
  }
  context.diagnostic(JSON.stringify(happened));
  if (one === undefined)
    for (const [name, count] of Object.entries(happened)) assert.ok(count > 0, `no ${name} at all`);
});
