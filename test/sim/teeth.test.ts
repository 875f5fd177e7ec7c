import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Faults, Scenario } from './faults.ts';
import type { Plant } from './plants.ts';
import { simulate } from './simulate.ts';

/**
 * A simulation that nobody has seen fail proves nothing: here are plausible bugs, each planted, and the law by which it must be caught
 * within some seeds.
 */
type Tooth = readonly [
  bug: string,
  plant: Plant,
  law: RegExp,
  /** What makes it likely; the rest is drawn. */
  faults?: Partial<Faults>,
  scenario?: Partial<Scenario>,
];

const seedsMax = 30;
const strained: Partial<Faults> = { damage: 0, crash: 0.5, failure: 0.1 };
const damaged: Partial<Faults> = { damage: 1, crash: 1 };
const three: Partial<Scenario> = { instances: 3, records: 160, checkpointEveryMs: 100 };

const ofSteps: Partial<Scenario> = { runs: 'auto', tightLimits: 'none' };

const teeth: readonly Tooth[] = [
  ['records below the next offset are applied again', { fence: 'none' }, /\(a\)/, { redelivery: 0.3 }],
  [
    'the store keeps the last writer, not the greatest offset',
    { store: 'last writer' },
    /\(b\)/,
    { ...strained, stall: 1, rebalance: 1 },
    three,
  ],
  [
    'the store takes the greatest offset, damaged or not',
    { store: 'greatest offset, valid or not' },
    /damaged|does not fit|\(a\)/,
    damaged,
  ],
  [
    'reading goes on at the committed offset instead of the state',
    { resume: 'committed offset' },
    /\(a\)|\(c\)/,
    damaged,
  ],
  ['checkpoints do not wait for the dead letters', { deadLetters: 'not awaited' }, /\(f\)/],
  ['windows go by the wall clock', { eventTime: 'wall clock' }, /\(a\)/],
  [
    'commits are not fenced by the epoch',
    { commits: 'not fenced' },
    /\(g\)/,
    { ...strained, sleep: 1, crash: 0 },
    three,
  ],
  [
    'a checkpoint is acknowledged before it is written',
    { saves: 'acknowledged early' },
    /\(b\)/,
    { ...strained, slow: 0.3 },
  ],
  ['a journal leaves out what was removed', { journal: 'forgets what was removed' }, /\(a\)/],
  [
    'the state does not say by which version of the truth it came about',
    { truth: 'same name' },
    /\(a\)|\(c\)/,
    { truth: 4 },
    { truths: 8, truthRevised: true },
  ],
  ['a step of an open run is lost at a checkpoint', { runs: 'step lost' }, /\(a\)/, {}, ofSteps],
  ['a checkpoint holds a run that was closed, which is closed twice', { runs: 'closed twice' }, /\(a\)/, {}, ofSteps],
  ['late steps are counted', { runs: 'ends forgotten' }, /\(a\)/, {}, ofSteps],
  ['steps are in the order in which they came', { runs: 'order of arrival' }, /\(a\)/, {}, ofSteps],
];

for (const [bug, plant, law, faults, scenario] of teeth)
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
