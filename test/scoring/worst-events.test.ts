import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soak } from '../support/soak.ts';
import {
  allFamilies,
  worstEvents,
  worstFamilies,
  worstRefusal,
  worstRefusals,
  worstScore,
} from '../support/worst-events.ts';

const run = (work: () => void): void => work();

// Each family alone: npm run test:soak.
for (const family of soak ? [...worstFamilies, allFamilies] : ['structured', allFamilies]) {
  test(`${family}: an event at the limits is scored, whatever its shape`, () => {
    for (const event of worstEvents(family)) worstScore(family, event, run);
  });
}

test('a record beyond the limits is refused in few words, whatever its shape', () => {
  for (const [name, text] of worstRefusals()) {
    const details = worstRefusal(text, run);
    assert.ok(details.length > 0, name);
    for (const detail of details) assert.ok(detail.length > 0 && detail.length < 1_000, `${name}: ${detail}`);
  }
});
