import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Faults, Scenario } from './faults.ts';
import type { Plant } from './plants.ts';
import { simulate } from './simulate.ts';

/**
 * A simulation that nobody has seen fail proves nothing: here are plausible bugs, each planted, and the law by which it must be caught
 * within some seeds.
 */
interface Tooth {
  readonly bug: string;
  readonly plant: Plant;
  readonly law: RegExp;
  /** What makes it likely; the rest is drawn. */
  readonly faults?: Partial<Faults>;
  readonly scenario?: Partial<Scenario>;
}

const seedsMax = 30;
const strained: Partial<Faults> = { damage: 0, crash: 0.5, failure: 0.1 };

const teeth: readonly Tooth[] = [
  {
    bug: 'records below the next offset are applied again',
    plant: { fence: 'none' },
    law: /\(a\)/,
    faults: { redelivery: 0.3 },
  },
  {
    bug: 'the store keeps the last writer, not the greatest offset',
    plant: { store: 'last writer' },
    law: /\(b\)/,
    faults: { ...strained, stall: 1, rebalance: 1 },
    scenario: { instances: 3, records: 160, checkpointEveryMs: 100 },
  },
  {
    bug: 'the store takes the greatest offset, damaged or not',
    plant: { store: 'greatest offset, valid or not' },
    law: /damaged|does not fit|\(a\)/,
    faults: { damage: 1, crash: 1 },
  },
  {
    bug: 'reading goes on at the committed offset instead of the state',
    plant: { resume: 'committed offset' },
    law: /\(a\)|\(c\)/,
    faults: { damage: 1, crash: 1 },
  },
  {
    bug: 'checkpoints do not wait for the dead letters',
    plant: { deadLetters: 'not awaited' },
    law: /\(f\)/,
  },
  {
    bug: 'windows go by the wall clock',
    plant: { eventTime: 'wall clock' },
    law: /\(a\)/,
  },
  {
    bug: 'commits are not fenced by the epoch',
    plant: { commits: 'not fenced' },
    law: /\(g\)/,
    faults: { ...strained, sleep: 1, crash: 0 },
    scenario: { instances: 3, records: 160, checkpointEveryMs: 100 },
  },
  {
    bug: 'a checkpoint is acknowledged before it is written',
    plant: { saves: 'acknowledged early' },
    law: /\(b\)/,
    faults: { ...strained, slow: 0.3 },
  },
  {
    bug: 'a journal leaves out what was removed',
    plant: { journal: 'forgets what was removed' },
    law: /\(a\)/,
  },
  {
    bug: 'the state does not say by which version of the truth it came about',
    plant: { truth: 'same name' },
    law: /\(a\)|\(c\)/,
    faults: { truth: 4 },
    scenario: { truths: 8, truthRevised: true },
  },
];

for (const { bug, plant, law, faults, scenario } of teeth)
  test(`is caught: ${bug}`, async (context) => {
    for (let seed = 1; seed <= seedsMax; seed++) {
      const caught = await simulate(seed, {
        plant,
        scenario: (drawn) => ({ ...drawn, ...scenario, faults: { ...drawn.faults, ...faults } }),
      }).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (caught === undefined) continue;
      assert.match(caught, law);
      context.diagnostic(`by seed ${seed}: ${caught.split('\n')[0]}`);
      return;
    }
    assert.fail(`not caught by ${seedsMax} seeds`);
  });
