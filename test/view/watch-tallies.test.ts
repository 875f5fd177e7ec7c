import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addAttribution, noAttributions } from '../../src/state/attribution-set.ts';
import { addAttributions } from '../../src/state/attributions.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { type Segment, segmentsAt } from '../../src/view/watch-segments.ts';
import {
  createAttributedNames,
  fillBefore,
  fillSince,
  noSums,
  type Sums,
  type Tally,
} from '../../src/view/watch-tallies.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';
import { runs } from '../support/soak.ts';

const settings = watchSettings(['5m', '1h', '24h']);
/** Each tier forgets what is attributed in all but the newest panes. */
const forgetful = { ...settings, limits: { ...settings.limits, attributions: 5 * settings.windows.tiers.length } };
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
    // Borders of panes are those of segments.
    withinMs: fc.oneof(fc.constant(0), fc.nat(paneMs - 1)),
    n: fc.integer({ min: 1, max: 9 }),
  }),
  { minLength: 10, maxLength: 40 },
);
/** Panes of which some follow each other. */
const firedPanes = fc
  .array(fc.tuple(fc.nat(panes - 1), fc.integer({ min: 1, max: 3 })), { maxLength: 3 })
  .map((runs) => [...new Set(runs.flatMap(([first, length]) => Array.from({ length }, (_, at) => first + at)))]);

const tallies = fc.array(
  fc.record({
    model: fc.constantFrom(undefined, 'a', 'b', 'none'),
    // No alarm begins after the moment that is looked at.
    since: fc.nat(panes - 1),
    lasts: fc.integer({ min: 1, max: panes }),
    end: fc.nat(panes),
    fired: firedPanes,
  }),
  { maxLength: 4 },
);

interface Asked {
  readonly model: string | undefined;
  readonly since: number;
  readonly lasts: number;
  readonly end: number;
  readonly fired: readonly number[];
}

interface Added extends Cases {
  readonly pane: number;
}

function tallyOf({ model, since, lasts, end, fired }: Asked): Tally {
  return {
    places: model === undefined ? [] : [0],
    values: model === undefined ? [] : [model],
    cells: [rate!.n, rate!.bad],
    badSlots: [...rate!.bad.slots],
    sinceMs: (firstPane + since) * paneMs,
    untilMs: (firstPane + since + lasts) * paneMs,
    end: firstPane + end,
    fired: fired
      .filter((pane) => pane < end)
      .map((pane) => firstPane + pane)
      .toSorted((a, b) => a - b),
    before: noSums(2),
    since: noSums(2),
  };
}

/** By finest slice: cases and bad cases, by definition. */
function expectedOf({ model, since, lasts, end, fired }: Asked, added: readonly Added[]) {
  const own = added.filter((event) => model === undefined || event.model === model);
  const sum = (events: readonly Added[]) => [
    events.reduce((total, { n }) => total + n, 0),
    events.reduce((total, { bad }) => total + bad, 0),
  ];
  const nameOf = (event: Cases): string => JSON.stringify([event.model, event.agent]);
  return [...new Set(own.map(nameOf))].toSorted().flatMap((name) => {
    const events = own.filter((event) => nameOf(event) === name);
    const before = sum(events.filter(({ pane }) => pane < end && !fired.includes(pane)));
    const later = sum(events.filter(({ pane }) => pane >= since && pane < since + lasts));
    return before[0] === 0 && later[0] === 0 ? [] : [[name, before, later]];
  });
}

function foundIn({ before, since }: Tally) {
  const of = ({ slices }: Sums, name: string) => [...(slices.get(name)?.cells ?? [0, 0])];
  return [...new Set([...before.slices.keys(), ...since.slices.keys()])]
    .map((name) => [name, of(before, name), of(since, name)] as const)
    .filter(([, early, later]) => early[0] !== 0 || later[0] !== 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function isIn({ paneMs: width, first, last }: Segment, tsMs: number): boolean {
  const pane = Math.floor(tsMs / width);
  return pane >= first && pane <= last;
}

function summed(rows: readonly (readonly number[])[]): number[] {
  return [0, 1].map((cell) => rows.reduce((sum, row) => sum + row[cell]!, 0));
}

test('a tally has the cases of its group from since to until, and before its end but for what fired, by finest slice', () => {
  fc.assert(
    fc.property(events, tallies, (drawn, asked) => {
      const partitions = [settings, forgetful].map((of) => watchedPartition(of));
      const added = drawn.map((event) => ({
        ...event,
        tsMs: (firstPane + event.pane) * paneMs + event.withinMs,
        bad: 1,
        invented: { moon: 1 },
      }));
      for (const event of added) partitions[event.partition]!.add(event);
      const filled = asked.map(tallyOf);
      const segments = segmentsAt(settings.windows, (firstPane + panes) * paneMs - 1);
      const states = partitions.map(({ state }) => state);
      const names = createAttributedNames();
      fillSince(states, segments, filled, names);
      fillBefore(states, filled, names);
      for (const [index, one] of asked.entries()) assert.deepEqual(foundIn(filled[index]!), expectedOf(one, added));
      // Each bad case is attributed to the same.
      for (const { covered, attributed } of filled.flatMap(({ before, since }) => [before, since]))
        assert.equal(attributed[0] ?? 0, covered[1]);
      const isKnown = ({ partition, tsMs }: Cases & { partition: number }, tier: number): boolean =>
        Math.floor(tsMs / settings.windows.tiers[tier]!.paneMs) >=
        partitions[partition]!.state.attributions.floors[tier]!;
      const isKnownSince = (event: Cases & { partition: number }): boolean =>
        segments.some((segment) => isIn(segment, event.tsMs) && isKnown(event, segment.tier));
      const last = settings.windows.tiers.length - 1;
      for (const [index, one] of asked.entries()) {
        const sums = (to: 'before' | 'since') => [...filled[index]![to].covered];
        const before = expectedOf(
          one,
          added.filter((event) => isKnown(event, last)),
        );
        const since = expectedOf(one, added.filter(isKnownSince));
        assert.deepEqual(sums('before'), summed(before.map((row) => row[1] as number[])));
        assert.deepEqual(sums('since'), summed(since.map((row) => row[2] as number[])));
      }
    }),
    { numRuns: runs(10) },
  );
});

test('a name is counted where one of the cells that it is attributed by makes a case bad', () => {
  const { state, add } = watchedPartition(settings);
  const tsMs = firstPane * paneMs;
  add({ model: 'a', tsMs, n: 5, bad: 5 });
  const tally = tallyOf({ model: 'a', since: 0, lasts: panes, end: 0, fired: [] });
  const [bad] = tally.badSlots;
  const set = noAttributions();
  for (const [slot, tool] of [
    [bad! + 1, 'other'],
    [bad! + 1, 'both'],
    [bad!, 'both'],
  ] as const)
    addAttribution(set, slot, 'tool', tool, '');
  addAttributions(state.attributions, set, sliceCode(state.slices, ['a', 'agent']), tsMs);
  const names = createAttributedNames();
  fillSince([state], segmentsAt(settings.windows, tsMs), [tally], names);
  assert.deepEqual([names.list.map(({ part }) => part.tool), tally.since.attributed], [['both'], [1]]);
});
