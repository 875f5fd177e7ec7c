import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { WatchedAlarm } from '../../src/view/group-incidents.ts';
import { type Incident, incidentsOf } from '../../src/view/incidents.ts';
import { incidentText } from '../../src/formats/summary/incident-text.ts';
import type { Cause, WatchAlarm, WatchReading } from '../../src/view/summary.ts';
import { runs } from '../support/soak.ts';

const startMs = Date.UTC(2026, 4, 1, 12);
const minuteMs = 60_000;

type Carried = readonly (readonly [
  slice: Readonly<Record<string, string>>,
  share: number,
  size?: number,
  deviation?: number,
])[];

interface Asked {
  /** Of a thousand cases, which were 2 % bad before; from minute to minute, without an end while it goes on. */
  readonly rate?: number;
  readonly from?: number;
  readonly to?: number | undefined;
  readonly watch?: string;
  /** Groups with their share of the change and of the cases, and the deviation of the first, 0 unless told. */
  readonly carriers?: Carried;
  readonly causes?: readonly Cause[];
}

type Slice = Readonly<Record<string, string>>;

/** An alarm that began a minute after the rate went up. */
function alarmOf(slice: Slice, asked: Asked = {}): WatchedAlarm {
  const { rate = 0.5, from = 0, to, watch = 'decision.tool_hall', carriers = [], causes = [] } = asked;
  const [dimensions, values] = [Object.keys(slice), Object.values(slice)];
  const alarm: WatchAlarm = {
    sinceMs: startMs + from * minuteMs,
    beginMs: startMs + (from + 1) * minuteMs,
    untilMs: startMs + (to ?? from + 10) * minuteMs,
    endMs: to === undefined ? undefined : startMs + (to + 1) * minuteMs,
    ...{ n: 1_000, bad: 1_000 * rate, causes },
    carriers: carriers.map(([of, share, size = 0, deviation = 0]) => ({
      ...{ dimensions: Object.keys(of), values: Object.values(of) },
      ...{ share, deviation, size },
    })),
  };
  const before = { n: 1_000, bad: 20 };
  const reading = { watch, dimensions, values, before, design: { baseline: 0.02 }, firing: to === undefined };
  return { reading: { ...reading, incidents: [alarm] } as unknown as WatchReading, alarm };
}

const nameOf = ({ values }: Pick<Incident, 'values'>): string => values.join('/') || 'total';
const told = (alarms: readonly WatchedAlarm[]): Record<string, string[]> =>
  Object.fromEntries(incidentsOf(alarms).map((incident) => [nameOf(incident), incident.also.map(nameOf)]));

const [m, a] = [{ model: 'm' }, { agent: 'a' }];
const byModel: Carried = [[m, 0.9]];

describe('an incident', () => {
  test('has the rates of a group as its alarms, the greatest change first, and is known by the first', () => {
    const [incident, ...others] = incidentsOf([
      alarmOf(m, { rate: 0.3, watch: 'match.correct' }),
      alarmOf(m, { rate: 0.6, from: 20 }),
    ]);
    assert.equal(others.length, 0);
    assert.deepEqual(
      incident!.alarms.map(({ reading: { watch } }) => watch),
      ['decision.tool_hall', 'match.correct'],
    );
    assert.deepEqual([incident!.first, incident!.endMs], ['match.correct', undefined]);
  });

  test('takes up groups of whose change the group carries 0.8, whichever changed more', () => {
    const total = alarmOf({}, { rate: 0.2, carriers: byModel });
    const agent = alarmOf(a, { rate: 0.7, carriers: byModel });
    assert.deepEqual(told([total, alarmOf(m), agent]), { m: ['a', 'total'] });
    assert.deepEqual(told([alarmOf(m), alarmOf(a, { carriers: [[m, 0.79]] })]), { m: [], a: [] });
    assert.deepEqual(told([alarmOf(m), alarmOf(a, { carriers: [[{ model: 'other' }, 0.9]] })]), { m: [], a: [] });
  });

  test('takes up a group of whose change it carries less by chance: of few cases, 0.8 within two standard deviations', () => {
    const agent = (share: number, deviation: number) => alarmOf(a, { carriers: [[m, share, 0, deviation]] });
    assert.deepEqual(told([alarmOf(m), agent(0.7, 0.06)]), { m: ['a'] });
    assert.deepEqual(told([alarmOf(m), agent(0.7, 0.04)]), { m: [], a: [] });
    assert.deepEqual(told([alarmOf(m), agent(0.49, 0.2)]), { m: [], a: [] });
  });

  test('takes up all rates of such a group, if it carries half of each', () => {
    const second = (share: number) => alarmOf(a, { watch: 'match.correct', carriers: [[m, share]] });
    const first = alarmOf(a, { carriers: byModel });
    assert.deepEqual(told([alarmOf(m), first, second(0.5)]), { m: ['a'] });
    assert.deepEqual(told([alarmOf(m), first, second(0.4)]), { m: [], a: [] });
  });

  test('of two groups that carry each other is that of the greater change', () => {
    const both = (ofModel: number, ofAgent: number) =>
      told([
        alarmOf(m, { rate: ofModel, carriers: [[a, 0.9]] }),
        alarmOf(a, { rate: ofAgent, carriers: byModel }),
        alarmOf(
          {},
          {
            rate: 0.1,
            carriers: [
              [m, 0.9],
              [a, 0.9],
            ],
          },
        ),
      ]);
    assert.deepEqual(both(0.6, 0.5), { m: ['a', 'total'] });
    assert.deepEqual(both(0.5, 0.6), { a: ['m', 'total'] });
  });

  test('of a group explains parts of it that are no worse than the whole, but none that is', () => {
    const part = (rate: number) => alarmOf({ model: 'm', agent: 'a' }, { rate });
    assert.deepEqual(told([alarmOf(m), part(0.52)]), { m: ['m/a'] });
    // By chance at most 0.547 of a thousand cases; beyond that 0.6 of the whole and 0.5 of it are 0.8.
    assert.deepEqual(told([alarmOf(m), part(0.62)]), { m: ['m/a'] });
    assert.deepEqual(told([alarmOf(m), part(0.63)]), { 'm/a': [], m: [] });
    assert.deepEqual(told([alarmOf({}), alarmOf(m, { rate: 0.51 })]), { total: ['m'] });
    assert.deepEqual(told([alarmOf({}, { watch: 'match.correct' }), alarmOf(m)]), { total: [], m: [] });
  });

  test('is not of a group that carries the change only since it has the cases', () => {
    const ofAgent = (size: number): Carried => [[a, 0.9, size]];
    const model = (size: number) => alarmOf(m, { carriers: ofAgent(size) });
    assert.deepEqual(
      told([model(0.75), alarmOf(a, { rate: 0.3 })]),
      { a: ['m'] },
      'more than half of what others have',
    );
    assert.deepEqual(told([model(0.85), alarmOf(a, { rate: 0.3 })]), { m: [], a: [] });
    assert.deepEqual(told([model(0.85), alarmOf(a, { rate: 0.7 })]), { a: ['m'] }, 'no worse than all of it');
  });

  test('takes up what several groups explain together, that of the greatest change', () => {
    const [n, unnamed] = [{ model: 'n' }, { agent: 'unknown' }];
    const both: Carried = [
      [n, 0.4, 0.2],
      [m, 0.5, 0.2],
    ];
    const all = (carriers: Carried) =>
      told([
        alarmOf({}, { rate: 0.2, carriers: [...carriers, [unnamed, 1, 1]] }),
        alarmOf(unnamed, { rate: 0.2, carriers }),
        alarmOf(m, { carriers: [[unnamed, 1, 1]] }),
        alarmOf(n, { rate: 0.25, carriers: [[unnamed, 1, 1]] }),
      ]);
    assert.deepEqual(all(both), { m: ['total', 'unknown'], n: [] });
    assert.deepEqual(all(both.map(([of, share]) => [of, share - 0.06, 0.2])), { m: [], n: [], total: ['unknown'] });
  });

  test('of a group explains nothing that is not due to what carries its change', () => {
    const total = alarmOf({}, { rate: 0.2, carriers: [[m, 0.9, 0.3]] });
    assert.deepEqual(told([alarmOf(m), total, alarmOf({ model: 'n' }, { rate: 0.15 })]), { m: ['total'], n: [] });
    assert.deepEqual(told([alarmOf(m), total, alarmOf({ model: 'm', agent: 'a' }, { rate: 0.2 })]), {
      m: ['m/a', 'total'],
    });
  });

  test('of all traffic is told by what has a name', () => {
    const unnamed = { agent: 'unknown' };
    const named = (slice: Slice) =>
      told([alarmOf(unnamed), alarmOf({}, { carriers: [[unnamed, 1, 1]] }), alarmOf(slice)]);
    assert.deepEqual(told([alarmOf(unnamed), alarmOf({}, { carriers: [[unnamed, 1, 1]] })]), { total: ['unknown'] });
    assert.deepEqual(Object.keys(named(m)), ['total']);
    assert.match(incidentText(incidentsOf([alarmOf(unnamed)])[0]!), /^agent unknown is worse since/);
  });

  test('is another one where the rates went up and the alarms began more than half an hour later', () => {
    const later = (from: number, watch: string) => alarmOf(m, { watch, from });
    assert.equal(incidentsOf([alarmOf(m), later(30, 'match.correct')]).length, 1);
    assert.equal(incidentsOf([alarmOf(m), later(31, 'match.correct')]).length, 2);
  });

  test('takes up groups that are worse meanwhile, of the incident that began with them if there is one', () => {
    const total = alarmOf({}, { rate: 0.2, from: 50, carriers: byModel });
    assert.deepEqual(told([alarmOf(m), total]), { m: [], total: [] }, 'the rate of m was up for 10 minutes');
    assert.deepEqual(told([alarmOf(m, { to: 55 }), total]), { m: ['total'] });
    const incidents = incidentsOf([alarmOf(m, { to: 55 }), alarmOf(m, { watch: 'match.correct', from: 50 }), total]);
    assert.deepEqual(
      incidents.map(({ also }) => also.map(nameOf)),
      [[], ['total']],
    );
  });

  test('says in a sentence who, what from what to what, since when, due to what, and who else', () => {
    const cause = { part: { kind: 'tool', tool: 'book', argument: '' }, byRate: 0.9, byMix: 0 } as unknown as Cause;
    const [incident] = incidentsOf([
      alarmOf(m, { causes: [cause] }),
      alarmOf(m, { watch: 'match.correct', rate: 0.3 }),
      alarmOf({}, { carriers: byModel }),
    ]);
    assert.equal(
      incidentText(incident!),
      'm is worse since 2026-05-01 12:00 UTC: decision.tool_hall 2.0 % → 50.0 %, match.correct 98.0 % → 70.0 %, due to tool book (90 % of the change). Also worse because of m: all traffic.',
    );
  });
});

test('every alarm is in one incident, whichever explain each other', () => {
  const slices: readonly Slice[] = [m, a, { model: 'm', agent: 'a' }, { model: 'n' }, {}];
  const alarm = fc
    .record({
      slice: fc.constantFrom(...slices),
      rate: fc.constantFrom(0.2, 0.4, 0.6),
      from: fc.constantFrom(0, 20, 45, 90),
      to: fc.constantFrom(undefined, 100),
      watch: fc.constantFrom('decision.tool_hall', 'match.correct'),
      carriers: fc.array(fc.tuple(fc.constantFrom(...slices.slice(0, 4)), fc.constantFrom(0.6, 0.9)), { maxLength: 2 }),
    })
    .map(({ slice, ...asked }) => alarmOf(slice, asked));
  const all = ({ alarms, also }: Incident): WatchedAlarm[] => [...alarms, ...also.flatMap((group) => group.alarms)];
  fc.assert(
    fc.property(fc.array(alarm, { maxLength: 12 }), (alarms) => {
      const found = incidentsOf(alarms).flatMap(all);
      assert.equal(found.length, alarms.length);
      assert.equal(new Set(found).size, alarms.length);
    }),
    { numRuns: runs(400) },
  );
});
