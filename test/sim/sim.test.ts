import assert from 'node:assert/strict';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import type { Scenario } from './faults.ts';
import { nothingHappened, simulate } from './simulate.ts';
import { runs } from '../support/soak.ts';

const seeds = Number(process.env['SEEDS'] ?? runs(16, 1_000));
const one = process.env['SEED'];

// SEED=n runs one seed, SEEDS=n the first n, ASSAY_SOAK=1 a thousand. What fails names its seed.
test('whatever goes wrong, the numbers are right in the end', (context) =>
  simulateAll(context, seeds, () => ({}), ofRuns));

/** What events never are that are runs each. */
const ofRuns: readonly string[] = ['runs', 'openRuns', 'lateSteps'];

/** What judgements never are: they wait for no truth. */
const ofPredictions: readonly string[] = ['pending', 'expired', ...ofRuns];

test('and so they are of a topic of judgements', (context) =>
  simulateAll(context, Math.ceil(seeds / 2), () => ({ judgements: true }), ofPredictions));

test('and so they are of steps that make runs', (context) =>
  simulateAll(context, Math.ceil(seeds / 2), (seed) => ({ runs: seed % 2 === 0 ? 'idle' : 'auto' })));

async function simulateAll(
  context: TestContext,
  count: number,
  scenarioOf: (seed: number) => Partial<Scenario>,
  never: readonly string[] = [],
): Promise<void> {
  const happened = { ...nothingHappened };
  const first = one === undefined ? 1 : Number(one);
  const last = one === undefined ? count : first;
  for (let seed = first; seed <= last; seed++) {
    const seen = await simulate(seed, { scenario: (drawn) => ({ ...drawn, ...scenarioOf(seed) }) });
    for (const name of Object.keys(happened) as (keyof typeof happened)[]) happened[name] += seen[name];
  }
  context.diagnostic(JSON.stringify(happened));
  for (const name of never) assert.equal(happened[name as keyof typeof happened], 0, name);
  if (one === undefined && seeds >= 50)
    for (const [name, times] of Object.entries(happened))
      if (!never.includes(name)) assert.ok(times > 0, `no ${name} at all`);
}
