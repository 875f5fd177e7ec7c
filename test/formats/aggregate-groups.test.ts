import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAggregates } from '../../src/formats/snapshot/aggregate-groups.ts';
import { aggregateSnapshot } from '../../src/formats/snapshot/aggregates.ts';
import { plainGroup } from '../../src/formats/summary/summary-document.ts';
import { metricPoints } from '../../src/view/metric-points.ts';
import type { Blocks } from '../../src/view/summary.ts';
import { createWorld } from '../support/page-world.ts';

test('the groups of a snapshot come back with every number that it holds', async () => {
  const world = createWorld({ models: ['a', 'b', 'constructor', '__proto__'], durationMs: 20_000, rate: 40 });
  const view = world.view();
  const bytes = Buffer.concat(aggregateSnapshot(view, 1_777_000_000_000, [['model'], ['agent']]));
  const read = await openAggregates(bytes)!.read();
  assert.equal(read.asOfMs, 1_777_000_000_000);
  const expected = view.groups.map(plainGroup);
  assert.deepEqual(
    read.groups.map(({ slice, window }) => [slice, window]),
    expected.map(({ slice, window }) => [slice, window]),
  );
  read.groups.forEach((group, index) => {
    const { slice: _slice, window: _window, ...blocks } = group;
    const { slice: _, window: __, ...wanted } = expected[index]!;
    assert.deepEqual(metricPoints(blocks as Blocks), metricPoints(wanted as Blocks));
  });
});

test('what is no snapshot is none', () => {
  for (const text of ['', 'ARROW1', 'PAR1', 'PAR1\0\0PAR1', '{"format": "assay.summary/1"}'])
    assert.equal(openAggregates(Buffer.from(text)), undefined, text);
});
