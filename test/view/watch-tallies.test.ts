import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { segmentsAt } from '../../src/view/watch-segments.ts';
import { fillTallies, type Tally } from '../../src/view/watch-tallies.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

const settings = watchSettings(['5m', '1h', '24h']);
const [rate] = watcherWith(settings).panes.rates;
const { paneMs } = settings.windows.tiers.at(-1)!;
/** The first of the panes of the longest window that are told of. */
const firstPane = Date.UTC(2026, 0, 1) / paneMs;
const panes = 40;

const events = fc.array(
  fc.record({
    partition: fc.nat(1),
    model: fc.constantFrom('a', 'b'),
    agent: fc.constantFrom('x', 'y'),
    pane: fc.nat(panes - 1),
    withinMs: fc.nat(paneMs - 1),
    n: fc.integer({ min: 1, max: 9 }),
  }),
  { maxLength: 40 },
);
const tallies = fc.array(
  fc.record({
    model: fc.constantFrom(undefined, 'a', 'b', 'none'),
    since: fc.nat(panes),
    end: fc.nat(panes),
    fired: fc.uniqueArray(fc.nat(panes - 1), { maxLength: 3 }),
  }),
  { maxLength: 4 },
);

test('a tally has the cases of its group since it began, and before its end but for what fired, by finest slice', () => {
  fc.assert(
    fc.property(events, tallies, (drawn, asked) => {
      const partitions = [watchedPartition(settings), watchedPartition(settings)];
      const added = drawn
        .map(({ pane, withinMs, ...event }) => ({
          ...event,
          pane,
          tsMs: (firstPane + pane) * paneMs + withinMs,
          bad: 1,
        }))
        .toSorted((a, b) => a.tsMs - b.tsMs);
      for (const event of added) partitions[event.partition]!.add(event satisfies Cases);
      const filled = asked.map(({ model, since, end, fired }): Tally => {
        const early = fired.filter((pane) => pane < end).map((pane) => firstPane + pane);
        return {
          isIn: (values) => model === undefined || values[0] === model,
          cells: [rate!.n, rate!.bad],
          sinceMs: (firstPane + since) * paneMs,
          end: firstPane + end,
          fired: early,
          found: new Map(),
        };
      });
      const asOfMs = (firstPane + panes) * paneMs - 1;
      fillTallies(
        partitions.map(({ state }) => state),
        segmentsAt(settings.windows, asOfMs),
        filled,
      );
      for (const [index, { model, since, end, fired }] of asked.entries()) {
        const own = added.filter((event) => model === undefined || event.model === model);
        const expected = new Map<string, { before: number[]; since: number[] }>();
        const add = (to: 'before' | 'since', { model: name, agent, n, bad }: Cases) => {
          const key = JSON.stringify([name, agent]);
          const into = expected.get(key) ?? { before: [0, 0], since: [0, 0] };
          into[to] = [into[to][0]! + n, into[to][1]! + bad];
          expected.set(key, into);
        };
        for (const event of own) {
          if (event.pane >= since) add('since', event);
          if (event.pane < end && !fired.includes(event.pane)) add('before', event);
        }
        for (const [key, { values, before, since: later }] of filled[index]!.found) {
          assert.equal(JSON.stringify(values), key);
          const none = { before: [0, 0], since: [0, 0] };
          assert.deepEqual({ before: [...before], since: [...later] }, expected.get(key) ?? none, key);
        }
        for (const key of expected.keys()) assert.ok(filled[index]!.found.has(key), key);
      }
    }),
    { numRuns: 30 },
  );
});
