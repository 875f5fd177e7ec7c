import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { unknownName } from '../../src/state/dimension.ts';
import { alarmsOf, incidentsOf } from '../../src/view/incidents.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { prng } from '../sim/prng.ts';
import { runs } from '../support/soak.ts';
import { watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

/* Spikes of some models, planted in calm traffic: each is one incident of its model, with whatever else its cases raise. */

const settings = watchSettings(['6h'], '1m');
const minuteMs = 60_000;
const startMs = Date.UTC(2026, 0, 1);
const calmMinutes = 180;
const perMinute = 60;
const models = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5'];

/** The agents that the traffic of each model is of, in equal parts. */
const agentSets: readonly (readonly string[])[] = [[unknownName], ['a0'], ['a0', 'a1', 'a2'], ['a0', unknownName]];

interface Spike {
  readonly model: string;
  readonly from: number;
  readonly to: number;
  readonly rate: number;
}

const planted = fc
  .record({
    seed: fc.integer(),
    agents: fc.constantFrom(...agentSets),
    first: fc.nat({ max: models.length - 1 }),
    spikes: fc.array(
      fc.record({
        gap: fc.integer({ min: 0, max: 60 }),
        minutes: fc.integer({ min: 20, max: 60 }),
        rate: fc.constantFrom(0.3, 0.5, 0.8),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ seed, agents, first, spikes }) => {
    let from = calmMinutes;
    const placed = spikes.map(({ gap, minutes, rate }, index): Spike => {
      if (index > 0) from += gap;
      return { model: models[(first + index) % models.length]!, from, to: from + minutes, rate };
    });
    return { seed, agents, spikes: placed };
  });

test('each spike of a model is one incident of that model, whatever the gaps, and none has the name of a placeholder', () => {
  fc.assert(
    fc.property(planted, ({ seed, agents, spikes }) => {
      const random = prng(seed);
      const partition = watchedPartition(settings);
      const watcher = watcherWith(settings, { sets: [[], ['model'], ['agent']], falseAlarm: { cases: 1e8 } });
      const incidentsAt = (tsMs: number) => incidentsOf(alarmsOf(watchReadings(watcher, [partition.state], tsMs)));
      const end = Math.max(...spikes.map(({ to }) => to)) + 5;
      for (let minute = 0; minute < end; minute++) {
        const tsMs = startMs + minute * minuteMs;
        for (const model of models) {
          const spike = spikes.find((one) => one.model === model && minute >= one.from && minute < one.to);
          for (const agent of agents) {
            const n = perMinute / agents.length;
            const bad = Array.from({ length: n }, () => random.chance(spike?.rate ?? 0.02)).filter(Boolean).length;
            partition.add({ model, agent, tsMs, n, bad });
          }
        }
        if (minute < calmMinutes || minute % 5 !== 0) continue;
        for (const { values } of incidentsAt(tsMs)) assert.ok(!values.includes(unknownName), `minute ${minute}`);
      }
      assert.deepEqual(
        incidentsAt(startMs + end * minuteMs)
          .map(({ values }) => values.join())
          .sort(),
        spikes.map(({ model }) => model).sort(),
      );
    }),
    { numRuns: runs(10) },
  );
});
