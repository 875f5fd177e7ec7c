import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '../support/until.ts';
import {
  allFamilies,
  refusalCost,
  worstCost,
  worstEvents,
  worstFamilies,
  worstRefusals,
} from '../support/worst-events.ts';

/** What one event may cost (docs/reference/security.md, "Attacks"). */
const limitMs = 50;
/** Other work on the machine makes as much CPU time take up to three times as long. */
const slack = 4;
const rounds = 3;

function holds(name: string, cost: () => number): void {
  const most = limitMs * slack * patience;
  let ms = cost();
  for (let round = 1; round < rounds && ms >= most; round++) ms = Math.min(ms, cost());
  assert.ok(ms < most, `${name}: ${ms} ms of CPU`);
}

for (const family of [...worstFamilies, allFamilies]) {
  test(`${family}: no event within the limits holds the event loop, whatever its shape`, () => {
    for (const event of worstEvents(family)) holds(event.name, worstCost(family, event));
  });
}

test('no record that is refused holds the event loop, whatever its shape', () => {
  for (const [name, text] of worstRefusals()) holds(name, () => refusalCost(text));
});
