import assert from 'node:assert/strict';
import { test } from 'node:test';
import { patience } from '../support/until.ts';
import { worstCost, worstEvents, worstFamilies } from '../support/worst-events.ts';

/** Several times what the slowest takes, and less than what takes time with the square of a size. */
const limitMs = 1_000;

for (const family of worstFamilies) {
  test(`${family}: no event within the limits holds the event loop, whatever its shape`, () => {
    for (const event of worstEvents(family)) {
      const ms = worstCost(family, event)();
      assert.ok(ms < limitMs * patience, `${event.name}: ${ms} ms of CPU`);
    }
  });
}
