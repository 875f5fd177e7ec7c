import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { causeText } from '../../src/view/cause-text.ts';
import type { Cause } from '../../src/view/summary.ts';
import { type Candidate, strongest } from '../../src/view/cause-parts.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

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

describe('an alarm names the tools that bad cases are attributed to', () => {
  const usual = (at: number) =>
    ['a', 'b'].flatMap((model) =>
      ['x', 'y'].map((agent) => ({ ...minute(at, model, agent, 0.03), invented: { find: 2, book: 1 } })),
    );
  /** Hours with a little of it all, and a spike of five minutes in which a model attributions so many of 50 cases a minute on each tool. */
  const causesOf = (
    invented: Readonly<Record<string, number>>,
    before: (at: number) => readonly Cases[] = usual,
    kept: readonly number[] = [settings.limits.attributions],
  ) => {
    const states = kept.map((attributions) => spiked(invented, before, attributions));
    const watches = watchReadings(watcherWith(settings, {}), states, startMs + 244 * minuteMs);
    return new Map(watches.filter(({ firing }) => firing).map((reading) => [reading.values.join(), reading]));
  };
  const spiked = (
    invented: Readonly<Record<string, number>>,
    before: (at: number) => readonly Cases[],
    attributions: number,
  ) => {
    const partition = watchedPartition({ ...settings, limits: { ...settings.limits, attributions } });
    for (let at = 0; at < 240; at++) for (const cases of before(at)) partition.add(cases);
    for (let at = 240; at < 245; at++)
      for (const cases of usual(at))
        partition.add(cases.model === 'a' ? { ...minute(at, 'a', cases.agent!, 0.5), invented } : cases);
    return partition.state;
  };

  test('the one that grew, with its counts, beside the model; within the model alone', () => {
    const found = causesOf({ moon: 47, find: 2, book: 1 });
    assert.deepEqual([...found.keys()], ['', 'a']);
    const total = found.get('')!;
    assert.deepEqual(texts(total.causes), ['invented tool moon', 'model a']);
    const [moon] = total.causes;
    const before = { n: total.before!.n, bad: 0 };
    // From five minutes of two models with two agents each, the one of which is attributed to it 47 times an agent and minute.
    assert.deepEqual([moon!.before, moon!.since], [before, { n: 2_000, bad: 5 * 2 * 47 }]);
    assert.ok(Math.abs(moon!.byRate - 1) < 1e-9 && moon!.byMix === 0);
    assert.deepEqual(texts(found.get('a')!.causes), ['invented tool moon']);
  });

  test('of what was there before by the growth, counted up to where the reference ends', () => {
    const { causes, before } = causesOf({ moon: 0, find: 2, book: 48 }).get('')!;
    assert.deepEqual(texts(causes), ['invented tool book', 'model a']);
    assert.deepEqual(causes[0]!.before, { n: before!.n, bad: before!.n / 100 });
    // 47 more a minute and agent of 200 cases, where the rate grew by that much.
    assert.deepEqual(causes[0]!.since, { n: 2_000, bad: 5 * 2 * (48 + 1) });
    assert.ok(Math.abs(causes[0]!.byRate - 1) < 1e-9);
  });

  test('where the panes of the reference have forgotten theirs, as where nothing was before', () => {
    const tool = (kept: readonly number[]) => {
      const total = causesOf({ moon: 47, find: 2, book: 1 }, usual, kept).get('')!;
      return { total, cause: total.causes.find(({ part }) => 'tool' in part)! };
    };
    const each = settings.windows.tiers.length;
    const { cause } = tool([80 * each]);
    assert.equal(causeText(cause), 'invented tool moon');
    assert.deepEqual([cause.before, cause.since], [undefined, { n: 2_000, bad: 470 }]);
    // Of two partitions one has forgotten.
    const two = tool([80 * each, settings.limits.attributions]);
    assert.deepEqual(two.cause.before, { n: two.total.before!.n / 2, bad: 0 });
    assert.deepEqual(two.cause.since, { n: 4_000, bad: 940 });
    // One knows part of the time since, and nothing of the time before.
    const part = tool([80 * each, 30 * each]);
    assert.ok(part.cause.since.n > 2_000 && part.cause.since.n < 4_000, `${part.cause.since.n}`);
    assert.ok(Math.abs(part.cause.since.bad / part.cause.since.n - 0.235) < 1e-9);
  });

  test('none where all grew alike, or each name is another', () => {
    assert.deepEqual(texts(causesOf({ find: 33, book: 17 }).get('')!.causes), ['model a']);
    // 0.075 of the change more than the two thirds that it had before, and not by chance.
    assert.deepEqual(texts(causesOf({ find: 37, book: 13 }).get('')!.causes), ['model a']);
    const others = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`moon ${at}`, 1]));
    assert.deepEqual(texts(causesOf(others).get('')!.causes), ['model a']);
  });

  test('where nothing was attributed before, a first one alone', () => {
    const nothing = (at: number) => usual(at).map(({ invented: _, ...cases }) => cases);
    assert.deepEqual(texts(causesOf({ moon: 50 }, nothing).get('a')!.causes), ['invented tool moon']);
  });
});

test('what is attributed has a text by its kind', () => {
  const textOf = (part: Cause['part']): string =>
    causeText({ part, byRate: 1, byMix: 0, before: undefined, since: { n: 1, bad: 1 } });
  assert.equal(textOf({ kind: 'tool', tool: 'book_flight', argument: '' }), 'tool book_flight');
  assert.equal(textOf({ kind: 'missing_tool', tool: '', argument: '' }), 'missing tool (none)');
  assert.equal(textOf({ kind: 'argument', tool: 'book', argument: 'date' }), 'argument book.date');
  assert.equal(textOf({ kind: 'wrong_value', tool: 'book', argument: 'to[*].id' }), 'wrong value book.to[*].id');
});

test('three wrong outcomes do not crowd out the value that they come from', () => {
  const candidate = (excess: number, part: Cause['part']): Candidate => ({
    excess,
    cause: { part, byRate: excess, byMix: 0, before: undefined, since: { n: 1, bad: 1 } },
  });
  const outcomes = [0.3, 0.25, 0.2].map((excess, index) =>
    candidate(excess, { gold: 'direct', predicted: `wrong ${index}` }),
  );
  const agents = [0.15, 0.12].map((excess, index) => candidate(excess, { dimension: 'agent', value: `${index}` }));
  assert.deepEqual(texts(strongest([agents, outcomes])), ['direct → wrong 0', 'agent 0', 'direct → wrong 1']);
  assert.deepEqual(texts(strongest([agents, []])), ['agent 0', 'agent 1']);
});
