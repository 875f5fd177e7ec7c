import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readerOf, settingsOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import { feedbackReader } from '../../src/formats/feedback/record.ts';
import { labels } from '../../src/scoring/label.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import { emptyBook, type Feedback, type FeedbackBook, withFeedback } from '../../src/stream/feedback-book.ts';
import { activateTruth, createFold, type Fold, foldRecords } from '../../src/stream/fold.ts';
import { createRevising, keptNumbers, reviseSome, type Revising } from '../../src/stream/revise.ts';
import { type ActiveTruth, activeTruth, withBook } from '../../src/stream/truth-cache.ts';
import { callForms, type EventSpec, eventJson, outputForms, toolForms } from '../sim/event.ts';
import { exampleCount, exampleId, truthVersion, versionCount } from '../sim/truth.ts';
import { configWith, recordAt, viewWith } from '../support/folding.ts';
import { resolveAll } from '../support/resolve-all.ts';
import { runs, soak } from '../support/soak.ts';

const baseMs = Date.UTC(2026, 5, 1);
const hourMs = 3_600_000;
const versions = Array.from({ length: versionCount }, (_, version) => truthVersion(version, true));

/** By itself fast-check draws about ten of a list at most. */
const size: { size?: 'max' } = soak ? { size: 'max' } : {};

const predictions = fc
  .uniqueArray(
    fc.record({
      example: fc.nat(exampleCount - 1),
      tsMs: fc.integer({ min: baseMs, max: baseMs + hourMs }),
      tsForm: fc.constant<'number'>('number'),
      model: fc.constantFrom('m1', 'm2'),
      agent: fc.constant('a1'),
      env: fc.constantFrom('prod', undefined),
      run: fc.constantFrom(undefined, 0, 1, 2, 3),
      label: fc.constantFrom(...labels, undefined),
      calls: fc.constantFrom(...callForms),
      output: fc.constantFrom(...outputForms),
      tools: fc.constantFrom(...toolForms),
      error: fc.constantFrom(false, false, true),
      success: fc.constantFrom(true, undefined),
    }),
    { selector: ({ example, model, run }) => `${example} ${model} ${run}`, minLength: 1, maxLength: 40, ...size },
  )
  .map((specs) => specs.map((spec, at): EventSpec => ({ ...spec, eventId: `event-${at}` })));

/** Feedback on the event at an index, when its turn comes; its own time decides which expectation holds. */
const feedback = fc.array(
  fc.record({
    on: fc.nat(39),
    by: fc.constantFrom('event_id', 'run', 'example_id'),
    tsMs: fc.integer({ min: baseMs, max: baseMs + 2 * hourMs }),
    from: fc.constantFrom('human:ann', 'shadow:m9', 'system:tickets', 'me', undefined),
    correct: fc.constantFrom(true, false, undefined),
    expected: fc.constantFrom(
      undefined,
      undefined,
      { tool_calls: [{ name: 'search', arguments: { query: 'q1' } }] },
      { label: 'cannot_answer', tool_calls: [] },
      { label: 'direct' },
      { reference: { answer: 1 } },
    ),
    outcome: fc.constantFrom(undefined, { resolved: true }, { resolved: false, refund: 12.5 }),
  }),
  { maxLength: 30, ...size },
);

const scenario = fc.record({
  specs: predictions,
  feedback,
  /** At each event: versions of the truth, and feedback, that have come by then. */
  truths: fc.array(fc.nat(versionCount - 1), { minLength: 1, maxLength: 5 }),
  turns: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
  stability: fc.constantFrom('off', 'closed', 'rolling'),
  restarts: fc.boolean(),
  truthWait: fc.constantFrom('10m', '30d'),
});

test('events, truth and feedback in any order: the numbers are those of a replay with the last truth', () => {
  const property = fc.property(
    scenario,
    ({ specs, feedback: drawn, truths, turns, stability, restarts, truthWait }) => {
      const config = configOf(stability, truthWait);
      const records = drawn.flatMap((each) => feedbackOf(each, specs));
      const versionsUsed = [...truths].sort((a, b) => a - b);
      const at = versionsUsed
        .map((_, turn) => Math.floor(turns[turn % turns.length]! * specs.length))
        .sort((a, b) => a - b);
      const changes = versionsUsed.map((version, turn) => ({
        at: turn === 0 ? 0 : at[turn]!,
        version,
        book: Math.floor((records.length * (turn + 1)) / versionsUsed.length),
      }));
      const live = scored(config, specs, changes, records, restarts);
      const last = changes.at(-1)!;
      const again = scored(config, specs, [{ ...last, at: 0 }], records, false);
      const allOnly = stability === 'rolling';
      assert.deepEqual(numbersOf(config, live, allOnly), numbersOf(config, again, allOnly));
      assert.ok(storeOf(live, {}));
    },
  );
  fc.assert(property, { numRuns: runs(60) });
});

for (const form of ['closed', 'rolling'])
  test(`${form} groups: a run whose truth loses its label leaves its group, and comes back with one`, () => {
    const config = configOf(form, '30d');
    // No version of the truth knows the example.
    const specs = [0, 1, 2].map(
      (run): EventSpec => ({
        ...{
          example: 7,
          tsMs: baseMs,
          tsForm: 'number',
          model: 'm1',
          agent: 'a1',
          env: 'prod',
          run,
          eventId: `event-${run}`,
        },
        ...{ label: 'direct', calls: 'absent', output: 'absent', tools: 'absent', error: false, success: undefined },
      }),
    );
    const said = (round: number, expected: object): Feedback[] =>
      specs.flatMap((_, on) => feedbackOf({ on, by: 'event_id', tsMs: baseMs + round, from: 'me', expected }, specs));
    const records = [
      ...said(0, { label: 'direct' }),
      ...said(1, { reference: { answer: 1 } }),
      ...said(2, { label: 'direct' }),
    ];
    const groupsOf = (state: PartitionState) => numbersOf(config, state, false).groups[0]!.blocks['stability'];
    for (const books of [
      [3, 6],
      [3, 6, 9],
    ]) {
      const changes = books.map((book, at): Change => ({ at: at === 0 ? 0 : 3, version: 0, book }));
      const [live, again] = [changes, [{ ...changes.at(-1)!, at: 0 }]].map((given) =>
        scored(config, specs, given, records, false),
      );
      assert.deepEqual(numbersOf(config, live!, false), numbersOf(config, again!, false));
      assert.equal(groupsOf(live!) === null, books.length === 2, 'the runs are in a group if they have a label');
    }
  });

interface Change {
  /** Index of the event before which it comes. */
  readonly at: number;
  readonly version: number;
  /** Number of feedback records that came by then. */
  readonly book: number;
}

function scored(
  config: Config,
  specs: readonly EventSpec[],
  changes: readonly Change[],
  records: readonly Feedback[],
  restarts: boolean,
): PartitionState {
  const settings = settingsOf(config, undefined);
  const reader = readerOf(config, true);
  let fold = createFold(emptyPartition(settings), reader);
  let revising = createRevising(fold);
  const log = specs.map((spec, offset) => recordAt(eventJson(spec, true), offset, baseMs + hourMs));
  let at = 0;
  let truth: ActiveTruth | undefined;
  for (const change of changes) {
    if (truth !== undefined) foldRecords(fold, log, at, change.at, truth);
    at = change.at;
    if (restarts) {
      fold = createFold(finish(restoredPartition(settings, storeOf(fold.state, {}))), reader);
      revising = createRevising(fold);
    }
    truth = put(fold, revising, versions[change.version]!, bookOf(records.slice(0, change.book)));
  }
  foldRecords(fold, log, at, log.length, truth!);
  return fold.state;
}

/** Puts a version of the truth in use, as the pipeline does. */
function put(fold: Fold, revising: Revising, table: (typeof versions)[number], book: FeedbackBook): ActiveTruth {
  const { layout, toolNaming } = fold.state.settings;
  const truth = activeTruth(withBook(table, book), layout.families, toolNaming, book);
  activateTruth(fold.state, truth.table);
  resolveAll(fold, truth);
  const numbers = keptNumbers(revising, truth);
  while (!reviseSome(revising, truth, numbers, 3));
  return truth;
}

function bookOf(records: readonly Feedback[]): FeedbackBook {
  return records.reduce(withFeedback, emptyBook);
}

/** Rolling groups of runs count in the windows at each run that changes them: of these only the last is moved. */
function numbersOf(config: Config, state: PartitionState, allOnly: boolean) {
  const { groups, records } = viewWith(config, [state], state.numbers.greatestTs);
  return { groups: allOnly ? groups.filter(({ window }) => window === 'all') : groups, records };
}

const reader = feedbackReader();

function feedbackOf(
  { on, by, tsMs, from, correct, expected, outcome }: Record<string, unknown> & { on: number; by: string },
  specs: readonly EventSpec[],
): Feedback[] {
  const spec = specs[on % specs.length]!;
  if (correct === undefined && expected === undefined && outcome === undefined) return [];
  const example = exampleId(spec.example);
  const about =
    by === 'event_id' ? { event_id: spec.eventId } : { example_id: example, ...(by === 'run' && { run: spec.run }) };
  const given = { about, ts: tsMs, by: from, correct, expected, outcome };
  const read = reader.read(JSON.stringify(given), Number.NaN);
  assert.ok(!('problem' in read), JSON.stringify(read));
  return [read];
}

function configOf(stability: string, truthWait: string): Config {
  return configWith({
    'kafka.feedback_topic': 'feedback',
    'feedback.wait': '30d',
    'join.truth_wait': truthWait,
    'dedupe.window': '30d',
    // A group of runs counts in the windows at the run that was scored last.
    'time.windows': stability === 'off' ? ['10m', '30d'] : ['30d'],
    slices: [['model'], ['model', 'tags.env']],
    'metrics.stability.enabled': stability !== 'off',
    'metrics.stability.form': stability === 'rolling' ? 'rolling' : 'closed',
    'metrics.stability.k': 3,
  });
}
