import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { causeText } from '../../src/view/cause-text.ts';
import type { Cause, WatchReading } from '../../src/view/summary.ts';
import { type Candidate, strongest } from '../../src/view/watch-causes.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';
import { spikedTraffic } from '../support/spiked-traffic.ts';

const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const settings = watchSettings(['5m', '1h', '24h']);

const minute = (at: number, model: string, agent: string, share: number, n: number = 100): Cases => ({
  model,
  agent,
  tsMs: startMs + at * minuteMs,
  n,
  bad: Math.round(n * share),
});

/** Hours of two models and two agents, and then some minutes of something else. */
function causesAfter(minutes: (at: number) => readonly Cases[]): ReadonlyMap<string, readonly Cause[]> {
  const partition = watchedPartition(settings);
  for (let at = 0; at < 240; at++)
    for (const model of ['a', 'b']) for (const agent of ['x', 'y']) partition.add(minute(at, model, agent, 0.02));
  for (let at = 240; at < 245; at++) for (const cases of minutes(at)) partition.add(cases);
  const watches = watchReadings(watcherWith(settings, {}), [partition.state], startMs + 244 * minuteMs);
  return new Map(watches.filter(({ firing }) => firing).map(({ values, causes }) => [values.join(), causes]));
}

const texts = (causes: readonly Cause[] | undefined) => causes?.map(causeText);

describe('an alarm says why', () => {
  test('the value of another dimension that carries it, with its counts; what is spread evenly is none', () => {
    const found = causesAfter((at) =>
      ['a', 'b'].flatMap((model) => ['x', 'y'].map((agent) => minute(at, model, agent, model === 'a' ? 0.5 : 0.02))),
    );
    assert.deepEqual([...found.keys()], ['', 'a']);
    assert.deepEqual(texts(found.get('')), ['model a']);
    const [cause] = found.get('')!;
    assert.ok(Math.abs(cause!.byRate - 1) < 1e-9 && Math.abs(cause!.byMix) < 1e-9);
    assert.equal(cause!.before!.bad / cause!.before!.n, 0.02);
    assert.deepEqual(cause!.since, { n: 1_000, bad: 500 });
    assert.deepEqual(found.get('a'), [], 'both agents alike');
  });

  test('within a model, the agent', () => {
    const found = causesAfter((at) => [
      ...['x', 'y'].map((agent) => minute(at, 'b', agent, 0.02)),
      minute(at, 'a', 'x', 0.02),
      minute(at, 'a', 'y', 0.6),
    ]);
    assert.deepEqual(texts(found.get('a')), ['agent y']);
    assert.deepEqual(texts(found.get('')), ['model a', 'agent y']);
  });

  test('not the agent that is worse by chance', () => {
    const ofAgents = (share: (agent: string) => number, n: number) =>
      causesAfter((at) => [
        ...['x', 'y'].map((agent) => minute(at, 'b', agent, 0.02)),
        ...['x', 'y'].map((agent) => minute(at, 'a', agent, share(agent), n)),
      ]).get('a')!;
    const uneven = (agent: string) => (agent === 'y' ? 0.8 : 0.5);
    // 15 and 10 of 20 cases each are 1.6 deviations from 12.5; of 25 times as many they are eight.
    assert.deepEqual(texts(ofAgents(() => 0.75, 10)), []);
    assert.deepEqual(texts(ofAgents(uneven, 4)), []);
    assert.deepEqual(texts(ofAgents(uneven, 100)), ['agent y']);
  });

  test('a bad newcomer is a cause by mix', () => {
    const found = causesAfter((at) => [
      ...['a', 'b'].flatMap((model) => ['x', 'y'].map((agent) => minute(at, model, agent, 0.02))),
      minute(at, 'new', 'x', 0.7),
    ]);
    const [cause] = found.get('')!;
    assert.equal(causeText(cause!), 'model new');
    assert.deepEqual([cause!.byRate, cause!.before], [0, { n: 0, bad: 0 }]);
    assert.ok(cause!.byMix > 0.8);
  });

  test('against the baseline where there was nothing before', () => {
    const partition = watchedPartition(settings);
    for (const agent of ['x', 'y']) partition.add(minute(0, 'a', agent, agent === 'y' ? 0.6 : 0.02));
    const watcher = watcherWith(settings, { baseline: 0.02, falseAlarm: { cases: 1_000 } });
    // The rate of cases is known once a pane of the longest window is over.
    partition.add(minute(5, 'a', 'x', 0.02));
    partition.add(minute(5, 'a', 'y', 0.6));
    const [total] = watchReadings(watcher, [partition.state], startMs + 5 * minuteMs);
    assert.ok(total!.firing);
    assert.deepEqual([total!.before, texts(total!.causes)], [undefined, ['agent y']]);
    assert.equal(total!.causes[0]!.before, undefined);
  });
});

test('three wrong outcomes do not crowd out the value that they come from', () => {
  const candidate = (excess: number, part: Cause['part']): Candidate => ({
    excess,
    cause: { part, byRate: excess, byMix: 0, before: undefined, since: { n: 1, bad: 1 } },
  });
  const outcomes = [0.3, 0.25, 0.2].map((excess, index) =>
    candidate(excess, { gold: 'direct', predicted: `wrong ${index}` }),
  );
  const agents = [0.15, 0.12, 0.05].map((excess, index) =>
    candidate(excess, { dimension: 'agent', value: `${index}` }),
  );
  assert.deepEqual(texts(strongest([agents, outcomes])), ['direct → wrong 0', 'agent 0', 'direct → wrong 1']);
  assert.deepEqual(texts(strongest([agents, []])), ['agent 0', 'agent 1']);
});

describe('a model of the demonstration that calls whatever it is asked', () => {
  const { watches, byModel } = spikedTraffic({ hours: 3, spikeMinutes: 10, seed: 7 });
  const find = (watch: string, ...values: string[]): WatchReading =>
    watches.find((one) => one.watch === watch && one.values.join() === values.join())!;

  test('is the cause of the total, with its counts', () => {
    const { causes, span } = find('decision.accuracy');
    const cause = causes.find(({ part }) => 'dimension' in part)!;
    assert.equal(causeText(cause), 'model atlas-mini');
    assert.deepEqual(cause.since, byModel('atlas-mini', span!.sinceMs));
    assert.ok(cause.byRate > 0.9);
  });

  test('its wrong outcomes are calls', () => {
    for (const watch of ['decision.accuracy', 'decision.tool_hall']) {
      const causes = find(watch, 'atlas-mini').causes.filter(({ part }) => 'gold' in part);
      assert.ok(causes.length > 0, watch);
      for (const { part } of causes) assert.equal('predicted' in part && part.predicted, 'tool_call');
    }
  });
});
