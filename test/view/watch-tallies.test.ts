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
    // No alarm begins after the moment that is looked at.
    since: fc.nat(panes - 1),
    end: fc.nat(panes),
    fired: fc.uniqueArray(fc.nat(panes - 1), { maxLength: 3 }),
  }),
  { maxLength: 4 },
);

interface Asked {
  readonly model: string | undefined;
  readonly since: number;
  readonly end: number;
  readonly fired: readonly number[];
}

interface Added extends Cases {
  readonly pane: number;
}

function tallyOf({ model, since, end, fired }: Asked): Tally {
  return {
    isIn: (values) => model === undefined || values[0] === model,
    cells: [rate!.n, rate!.bad],
    badSlots: new Set(rate!.bad.slots),
    sinceMs: (firstPane + since) * paneMs,
    end: firstPane + end,
    fired: fired.filter((pane) => pane < end).map((pane) => firstPane + pane),
    found: new Map(),
  };
}

/** By finest slice: cases and bad cases, by definition. */
function expectedOf({ model, since, end, fired }: Asked, added: readonly Added[]) {
  const own = added.filter((event) => model === undefined || event.model === model);
  const sum = (events: readonly Added[]) => [
    events.reduce((total, { n }) => total + n, 0),
    events.reduce((total, { bad }) => total + bad, 0),
  ];
  const nameOf = (event: Cases): string => JSON.stringify([event.model, event.agent]);
  return [...new Set(own.map(nameOf))].toSorted().flatMap((name) => {
    const events = own.filter((event) => nameOf(event) === name);
    const before = sum(events.filter(({ pane }) => pane < end && !fired.includes(pane)));
    const later = sum(events.filter(({ pane }) => pane >= since));
    return before[0] === 0 && later[0] === 0 ? [] : [[name, before, later]];
  });
}

function foundIn({ found }: Tally) {
  return [...found]
    .map(([name, { before, since }]) => [name, [...before], [...since]] as const)
    .filter(([, before, later]) => before[0] !== 0 || later[0] !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

test('a tally has the cases of its group since it began, and before its end but for what fired, by finest slice', () => {
  fc.assert(
    fc.property(events, tallies, (drawn, asked) => {
      const partitions = [watchedPartition(settings), watchedPartition(settings)];
      const added = drawn
        .map((event) => ({
          ...event,
          tsMs: (firstPane + event.pane) * paneMs + event.withinMs,
          bad: 1,
          invented: { moon: 1 },
        }))
        .toSorted((a, b) => a.tsMs - b.tsMs);
      for (const event of added) partitions[event.partition]!.add(event);
      const filled = asked.map(tallyOf);
      const segments = segmentsAt(settings.windows, (firstPane + panes) * paneMs - 1);
      fillTallies(
        partitions.map(({ state }) => state),
        segments,
        filled,
      );
      for (const [index, one] of asked.entries()) assert.deepEqual(foundIn(filled[index]!), expectedOf(one, added));
      // Each bad case is blamed on the same.
      for (const { before, since, blamed } of filled.flatMap(({ found }) => [...found.values()])) {
        const cases = blamed.get('invented_tool 4 moon') ?? { before: 0, since: 0 };
        assert.deepEqual(cases, { before: before[1], since: since[1] });
      }
    }),
    { numRuns: 30 },
  );
});
