import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Table } from '../../src/state/containers/table.ts';
import { noInputCounts } from '../../src/state/input.ts';
import { noLimitHits } from '../../src/state/limit-hits.ts';
import { emptyNumbers } from '../../src/state/numbers.ts';
import { emptyContainers, emptyPartition } from '../../src/state/partition.ts';
import { rejectCodes } from '../../src/state/reject.ts';
import { runLayout } from '../../src/state/run-groups/layout.ts';

const settings = settingsOf(loadConfig({}).config, undefined);
const flags = [{ path: ['kafka', 'judgements_topic'], value: 'j', place: 'test' }];
const judged = settingsOf(loadConfig({ flags }).config, undefined);
const withoutRuns = { ...settings, stability: undefined };

test('before the first record nothing is counted, and event time and offset lie below all', () => {
  const { greatestTs, lastOffset, ...counts } = emptyNumbers();
  assert.deepEqual([greatestTs, lastOffset], [Number.NEGATIVE_INFINITY, -1]);
  assert.deepEqual([...new Set(Object.values(counts))], [0]);
  const { numbers, rejected, input, activations, begun, limitHits } = emptyPartition(settings);
  assert.deepEqual(numbers, emptyNumbers());
  assert.deepEqual([...rejected], new Array(rejectCodes.length).fill(0));
  assert.deepEqual([input, limitHits], [noInputCounts(), noLimitHits()]);
  assert.deepEqual([activations, begun], [[], []]);
});

test('there are containers for what the settings ask for: groups of runs, verdicts of judges', () => {
  const { form, k } = settings.stability!;
  const sizesOf = ({ groups, verdicts }: { groups: Table; verdicts?: Table | undefined }) => {
    return { groups: groups.values, verdicts: verdicts?.values };
  };
  assert.deepEqual(
    [settings, withoutRuns, judged].map((each) => sizesOf(emptyContainers(each))),
    [
      { groups: runLayout(form, k).values, verdicts: undefined },
      { groups: 0, verdicts: undefined },
      { groups: runLayout(form, k).values, verdicts: 5 },
    ],
  );
  assert.ok(!('verdicts' in emptyContainers(settings)));
  const states = [settings, withoutRuns, judged].map(emptyPartition);
  assert.deepEqual(
    states.map(({ runGroups, judgePairs }) => [runGroups !== undefined, judgePairs !== undefined]),
    [
      [true, false],
      [false, false],
      [true, true],
    ],
  );
});

test('all parts of a state count the limits that they reach in one place', () => {
  const { limitHits, slices, breakdowns, blames, runGroups, dedupe, judgePairs } = emptyPartition(judged);
  for (const part of [slices, breakdowns, blames, runGroups!, dedupe, judgePairs!])
    assert.equal(part.limitHits, limitHits);
});
