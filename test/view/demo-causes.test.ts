import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { causeText } from '../../src/view/cause-text.ts';
import type { WatchReading } from '../../src/view/summary.ts';
import { spikedTraffic } from '../support/spiked-traffic.ts';

/* Apart from the tests of made-up cases: hours of traffic go through the fold. */

describe('a model of the demonstration that calls whatever it is asked', () => {
  const { watches, byModel, wrongWith } = spikedTraffic({ hours: 3, spikeMinutes: 10, seed: 7 });
  const find = (watch: string, ...values: string[]): WatchReading =>
    watches.find((one) => one.watch === watch && one.values.join() === values.join())!;

  test('is the cause of the total, with its counts', () => {
    const { causes, incidents } = find('decision.accuracy');
    const cause = causes.find(({ part }) => 'dimension' in part)!;
    assert.equal(causeText(cause), 'model atlas-mini');
    assert.deepEqual(cause.since, byModel('atlas-mini', incidents.at(-1)!));
    assert.ok(cause.byRate > 0.9);
  });

  test('the tools that its wrong decisions are attributed to have their counts, whoever counts', () => {
    const attributed = watches
      .filter(({ watch, values }) => watch === 'decision.accuracy' && values.length <= 1)
      .flatMap(({ dimensions, values, incidents, causes }) =>
        dimensions.join() === 'agent'
          ? []
          : causes.map((cause) => ({ model: values[0], alarm: incidents.at(-1)!, cause })),
      );
    assert.ok(attributed.some(({ cause }) => 'tool' in cause.part));
    for (const { model, alarm, cause } of attributed)
      if ('tool' in cause.part) assert.equal(cause.since.bad, wrongWith(model, cause.part.tool, alarm));
  });

  test('its wrong outcomes are calls; a rate that has no outcomes names none', () => {
    const outcomes = (watch: string) =>
      find(watch, 'atlas-mini').causes.flatMap(({ part }) => ('gold' in part ? [part.predicted] : []));
    assert.deepEqual([...new Set(outcomes('decision.accuracy'))], ['tool_call']);
    assert.deepEqual(outcomes('decision.tool_hall'), []);
  });
});
