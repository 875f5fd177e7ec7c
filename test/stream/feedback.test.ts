import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { feedbackReader } from '../../src/formats/feedback/record.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import { entryAt } from '../../src/state/revisable.ts';
import { watcherOf } from '../../src/service/watches.ts';
import { emptyBook, type FeedbackBook, withFeedback } from '../../src/stream/feedback-book.ts';
import { activateTruth } from '../../src/stream/fold.ts';
import { createRevising, keptNumbers, reviseSome } from '../../src/stream/revise.ts';
import { activeTruth, withBook } from '../../src/stream/truth-cache.ts';
import { withoutTruth } from '../../src/stream/truth-overlay.ts';
import { metricsPlan } from '../../src/adapters/prometheus/metrics-plan.ts';
import { aggregateSnapshot } from '../../src/formats/snapshot/aggregates.ts';
import { openAggregates } from '../../src/formats/snapshot/aggregate-groups.ts';
import { metricPoints, type PointPlan, summaryPath } from '../../src/view/metric-points.ts';
import type { Blocks } from '../../src/view/summary.ts';
import { plannedSettings } from '../../src/view/planned.ts';
import { configWith, type Folding, foldingOf, lazyViewWith, viewWith } from '../support/folding.ts';
import { resolveAll } from '../support/resolve-all.ts';

const baseMs = Date.UTC(2026, 4, 1);
const reader = feedbackReader();

function bookOf(...records: readonly object[]): FeedbackBook {
  return records.reduce<FeedbackBook>((book, record) => {
    const read = reader.read(JSON.stringify({ ts: baseMs, ...record }), Number.NaN);
    assert.ok(!('problem' in read), JSON.stringify(read));
    return withFeedback(book, read);
  }, emptyBook);
}

const event = (id: string, more: object = {}): object => ({
  ...{ example_id: id, event_id: `${id}-event`, ts: baseMs, model: 'm' },
  tool_calls: [{ name: 'f', arguments: { a: 1 } }],
  ...more,
});

function foldedWith(values: Readonly<Record<string, unknown>> = {}, table: TruthTable = withoutTruth): Scene {
  const config = configWith({ 'kafka.feedback_topic': 'feedback', 'time.windows': ['1h'], ...values });
  const folding = foldingOf(config, table);
  const revising = createRevising(folding.fold);
  return {
    ...folding,
    /** Puts feedback in use over a table. */
    use(book, over = table) {
      const { layout, toolNaming } = folding.state.settings;
      const truth = activeTruth(withBook(over, book), layout.families, toolNaming, book);
      activateTruth(folding.state, truth.table);
      resolveAll(folding.fold, truth);
      const numbers = keptNumbers(revising, truth);
      while (!reviseSome(revising, truth, numbers, 2));
    },
    block(family, window = 'all') {
      const { groups } = viewWith(config, [folding.state], folding.state.numbers.greatestTs);
      return groups.find((group) => group.dimensions.length === 0 && group.window === window)!.blocks[family] as Block;
    },
  };
}

type Block = Readonly<Record<string, { numerator: number; denominator: number }>> | null;

interface Scene extends Folding {
  use(book: FeedbackBook, over?: TruthTable): void;
  block(family: string, window?: string): Block;
}

/** Examples of the events that are kept, oldest first. */
const keptIn = ({ state: { revisable } }: Scene): string[] =>
  [...revisable.log.texts.keys()].map((number) => entryAt(revisable, number)!.exampleId);

const share = (block: Block, name: string): string | undefined =>
  block?.[name] && `${block[name]!.numerator}/${block[name]!.denominator}`;

describe('feedback reaches the events that it is about', () => {
  const spanId = `${'0123456789abcdef'.repeat(2)}-span`;
  const events = [
    event('a'),
    event('b', { run: 0 }),
    event('b', { event_id: 'b1', run: 1, ts: baseMs + 1 }),
    event('c', { trace_id: 'tr' }),
    event('d', { tags: { trace_id: 'tr' } }),
    event('e', { event_id: spanId }),
  ];
  const cases: readonly (readonly [string, object, number])[] = [
    ['an event', { event_id: 'a-event' }, 1],
    ['an event of an example', { event_id: 'a-event', example_id: 'a' }, 1],
    ['an event of another example', { event_id: 'a-event', example_id: 'b' }, 0],
    ['an event of its trace', { event_id: 'c-event', trace_id: 'tr' }, 1],
    ['an event of another trace', { event_id: 'c-event', trace_id: 'other' }, 0],
    ['an event of another trace than its tags say', { event_id: 'd-event', trace_id: 'other' }, 0],
    ['an event of another trace than its id begins with', { event_id: spanId, trace_id: 'other' }, 0],
    ['an event that says nothing of its trace', { event_id: 'a-event', trace_id: 'tr' }, 1],
    ['an event of another run', { event_id: 'b1', run: 0 }, 0],
    ['an event of its run', { event_id: 'b1', example_id: 'b', run: 1 }, 1],
    ['an event that says nothing of its run', { event_id: 'a-event', run: 3 }, 1],
    ['a trace, and one example in it', { trace_id: 'tr', example_id: 'c' }, 1],
    ['an example', { example_id: 'b' }, 2],
    ['a run of an example', { example_id: 'b', run: 1 }, 1],
    ['a trace, named beside the event or in its tags', { trace_id: 'tr' }, 2],
    ['a trace of which a run begins with its id', { trace_id: '0123456789abcdef'.repeat(2) }, 1],
    ['nothing', { event_id: 'none' }, 0],
  ];
  for (const [name, about, reached] of cases)
    test(name, () => {
      const [before, after] = [foldedWith(), foldedWith()];
      const book = bookOf({ about, correct: true });
      before.add(events);
      before.use(book);
      after.use(book);
      after.add(events);
      // The truth that a fold was made with has no feedback: what comes before its event is looked at with the next version.
      after.use(bookOf({ about, correct: true }, { about: { event_id: 'never' }, correct: true }));
      assert.deepEqual(
        [before, after].map(({ state }) => state.numbers.feedback),
        [reached, reached],
      );
      assert.equal(share(before.block('feedback'), 'correct') ?? '0/0', `${reached}/${reached}`);
    });
});

test('feedback counts once, however often it is looked at, and at the time of its event', () => {
  const scene = foldedWith();
  scene.add([event('a'), event('b', { ts: baseMs + 3 * 3_600_000 })]);
  const records = ['a', 'b'].map((id) => ({
    about: { event_id: `${id}-event` },
    by: 'human:ann',
    correct: id === 'a',
  }));
  scene.use(bookOf(records[0]!));
  scene.use(bookOf(...records, records[0]!));
  scene.use(bookOf(...records));
  assert.equal(share(scene.block('feedback'), 'correct'), '1/2');
  assert.equal(share(scene.block('feedback', '1h'), 'correct'), '0/1');
});

test('an expectation scores an event that had no truth, and the newest of several holds', () => {
  const scene = foldedWith();
  scene.add([event('a')]);
  assert.deepEqual([scene.state.numbers.expired, scene.state.numbers.scored], [1, 0]);
  const about = { event_id: 'a-event' };
  const wrong = { about, ts: baseMs + 1, expected: { tool_calls: [{ name: 'g', arguments: {} }] } };
  scene.use(bookOf(wrong));
  assert.deepEqual([scene.state.numbers.expired, scene.state.numbers.scored], [0, 1]);
  assert.equal(share(scene.block('match'), 'correct'), '0/1');
  const right = { about, ts: baseMs + 2, expected: { tool_calls: [{ name: 'f', arguments: { a: 1 } }] } };
  scene.use(bookOf(wrong, right));
  assert.equal(share(scene.block('match'), 'correct'), '1/1');
  assert.equal(scene.state.input.truth_conflicts, 1);
  const older = { about, ts: baseMs, expected: { tool_calls: [] } };
  scene.use(bookOf(older, wrong, right));
  assert.equal(share(scene.block('match'), 'correct'), '1/1');
  assert.equal(scene.state.input.truth_conflicts, 1, 'an event is contested once');
});

test('an expectation takes the place of fields of the truth row, and leaves the others', () => {
  const tools = [{ name: 'f', parameters: undefined }];
  const record = { example_id: 'a', label: 'direct', tools, expected_tool_calls: [], reference: null } as const;
  const scene = foldedWith({}, truthFromRecords([record]));
  scene.add([event('a')]);
  assert.equal(share(scene.block('decision'), 'accuracy'), '0/1');
  scene.use(bookOf({ about: { example_id: 'a' }, expected: { label: 'tool_call' } }));
  assert.equal(share(scene.block('decision'), 'accuracy'), '1/1');
  assert.equal(share(scene.block('match'), 'correct'), '0/1', 'the row still expects no call');
});

test('another version of the truth moves what was scored by the one before', () => {
  const tableOf = (label: 'direct' | 'tool_call'): TruthTable =>
    truthFromRecords([{ example_id: 'a', label, tools: null, expected_tool_calls: null, reference: null }]);
  const scene = foldedWith({}, tableOf('direct'));
  scene.add([event('a')]);
  assert.equal(share(scene.block('decision', '1h'), 'accuracy'), '0/1');
  scene.use(emptyBook, tableOf('tool_call'));
  assert.equal(share(scene.block('decision', '1h'), 'accuracy'), '1/1');
  assert.equal(scene.state.numbers.scored, 1);
});

test('where no feedback is read, nothing is kept and nothing moves', () => {
  const scene = foldedWith({ 'kafka.feedback_topic': undefined });
  scene.add([event('a')]);
  scene.use(bookOf({ about: { event_id: 'a-event' }, correct: true }));
  assert.deepEqual([scene.state.revisable.log.texts.size, scene.state.numbers.feedback], [0, 0]);
});

test('events are kept for feedback.wait, and at most limits.revisable of them, which is counted', () => {
  const scene = foldedWith({ 'feedback.wait': '1h', 'limits.revisable': 2 });
  const at = (id: string, minutes: number): object => event(id, { ts: baseMs + 60_000 * minutes });
  scene.add([at('a', 0), at('b', 1)]);
  assert.equal(scene.state.revisable.log.texts.size, 2);
  scene.add([at('c', 2)]);
  assert.deepEqual(keptIn(scene), ['b', 'c']);
  assert.equal(scene.state.limitHits.revisable, 1);
  scene.add([at('d', 90)]);
  assert.deepEqual(keptIn(scene), ['d']);
  scene.use(bookOf({ about: { example_id: 'a' }, correct: true }));
  assert.equal(scene.state.numbers.feedback, 0);
});

describe('a named outcome', () => {
  const watch = (metric: string): object => ({ metric, by: [], baseline: 0.02 });
  const values = {
    'feedback.outcomes.good': ['resolved'],
    'feedback.outcomes.bad': ['reopened', 'escalated'],
    watches: ['good.resolved', 'bad.reopened', 'bad.escalated'].map((name) => watch(`outcome.${name}.rate`)),
  };
  const scene = foldedWith(values);
  const ids = Array.from({ length: 100 }, (_, at) => `e${at}`);
  scene.add(ids.map((id, at) => event(id, { ts: baseMs + 60_000 * at })));
  // Every one is resolved, none escalated; of the first half none is reopened, of the second every other one.
  const outcomeOf = (at: number): object => ({
    ...{ resolved: true, escalated: false, other: true },
    reopened: at >= 50 && at % 2 === 0,
  });
  scene.use(bookOf(...ids.map((id, at) => ({ about: { event_id: `${id}-event` }, outcome: outcomeOf(at) }))));
  const { settings, numbers } = scene.state;
  const config = configWith({ ...values, 'kafka.feedback_topic': 'feedback', 'time.windows': ['1h'] });
  const ofModel = <Of extends { readonly window: string; readonly dimensions: readonly string[] }>(
    groups: readonly Of[],
  ) => groups.find(({ dimensions, window }) => dimensions.join() === 'model' && window === '1h')!;
  const expected = [
    ['outcome_good_resolved_rate', 'good.resolved.rate', 60, 60],
    ['outcome_good_resolved_mean', 'good.resolved.mean', null, 0],
    ['outcome_bad_reopened_rate', 'bad.reopened.rate', 25, 60],
    ['outcome_bad_escalated_rate', 'bad.escalated.rate', 0, 60],
    ['outcome_bad_reopened_mean', 'bad.reopened.mean', null, 0],
    ['outcome_bad_escalated_mean', 'bad.escalated.mean', null, 0],
  ];
  const pointsOf = (blocks: Blocks, plan?: PointPlan): unknown =>
    metricPoints(blocks, plan)
      .filter(({ family }) => family === 'outcome')
      .map((point) => [point.name, summaryPath(point), point.numerator, point.denominator]);

  test('is in its windows and slices', () => {
    const rates = (window: string): unknown => {
      const { good, bad } = scene.block('outcome', window) as unknown as Record<string, Record<string, Block>>;
      return [share(good!['resolved']!, 'rate'), share(bad!['reopened']!, 'rate'), Object.keys(bad!)];
    };
    assert.deepEqual(rates('all'), ['100/100', '25/100', ['reopened', 'escalated']]);
    assert.deepEqual(rates('1h'), ['60/60', '25/60', ['reopened', 'escalated']]);
    const { groups } = viewWith(config, [scene.state], numbers.greatestTs);
    assert.deepEqual(pointsOf(ofModel(groups).blocks), expected);
  });

  test('is in the metrics by default, and in Arrow snapshots', async () => {
    const plan = metricsPlan([]);
    const state = { ...scene.state, settings: plannedSettings(settings, plan) };
    assert.deepEqual(pointsOf(ofModel(viewWith(config, [state], numbers.greatestTs).groups).blocks, plan), expected);
    const view = lazyViewWith(config, [scene.state], numbers.greatestTs);
    const bytes = Buffer.concat(aggregateSnapshot(view, numbers.greatestTs, config.slices, new Map()));
    const { groups } = await openAggregates(bytes)!.read();
    const { outcome } = groups.find(({ slice, window }) => 'model' in slice && window === '1h')!;
    const { good, bad } = outcome as Record<string, Record<string, Block>>;
    assert.deepEqual([share(good!['resolved']!, 'rate'), share(bad!['reopened']!, 'rate')], ['60/60', '25/60']);
  });

  test('is watched: more than usual of what is bad, not what is good, is an alarm', () => {
    const watcher = watcherOf(config, settings);
    const { watches } = viewWith(config, [scene.state], numbers.greatestTs, { watcher });
    assert.deepEqual(
      watches.map(({ watch: metric, firing }) => [metric, firing]),
      [
        ['outcome.good.resolved.rate', false],
        ['outcome.bad.reopened.rate', true],
        ['outcome.bad.escalated.rate', false],
      ],
    );
  });
});
