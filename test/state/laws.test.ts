import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readerOf, settingsOf } from '../../src/config/settings.ts';
import type { Config } from '../../src/config/config.ts';
import { labels } from '../../src/scoring/label.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { storeOf } from '../../src/state/saved.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { activateTruth, createFold, type Fold, foldRecords } from '../../src/stream/fold.ts';
import { type ActiveTruth, activeTruth } from '../../src/stream/truth-cache.ts';
import { callForms, type EventSpec, eventJson, outputForms, toolForms } from '../sim/event.ts';
import { append, appendGap, createLog, type SimPartition } from '../sim/log.ts';
import { prng } from '../sim/prng.ts';
import { asLogRecord, createReferences } from '../sim/reference.ts';
import { createTraffic } from '../sim/traffic.ts';
import { exampleCount, truthOf, truthVersion, versionCount } from '../sim/truth.ts';
import { simConfig } from '../sim/world.ts';
import { contentsOf } from '../support/encoded.ts';
import { plans, readByPlan } from '../support/reading-plans.ts';
import { resolveAll } from '../support/resolve-all.ts';
import { runs } from '../support/soak.ts';
import { configWith, type ReadView, recordAt, viewWith } from '../support/folding.ts';

const versions = Array.from({ length: versionCount }, (_, version) => truthVersion(version, true));
const forms = {
  mode: fc.constantFrom('spec', 'upstream'),
  stabilityForm: fc.constantFrom('closed', 'rolling'),
} as const;

test('same log, same state: batches, checkpoints and restarts leave no trace', () => {
  const scenario = fc.record({
    ...forms,
    seed: fc.integer(),
    records: fc.nat(120),
    tightLimits: fc.constantFrom('none', 'pending', 'all'),
    stepMs: fc.constantFrom(1, 1_000, 5_000),
    plan: plans,
  });
  const property = fc.property(scenario, ({ seed, records: count, plan, stepMs, ...settings }) => {
    const config = simConfig(settings as Parameters<typeof simConfig>[0]);
    const partition = madeLog(seed, count, stepMs);
    const records = partition.records.map(asLogRecord);
    const state = readByPlan({ config, reader: readerOf(config, true), records, versions }, plan);
    const naive = createReferences(config, versions).at(partition, state.activations, state.numbers.nextOffset);
    assert.deepEqual(state.numbers, naive.state.numbers);
    assert.deepEqual(contentsOf(storeOf(state, {})), contentsOf(storeOf(naive.state, {})));
  });
  fc.assert(property, { numRuns: runs(15) });
});

test('other order, same numbers: neither order, nor truth before or after, nor packing, nor partitions, nor duplicates show', () => {
  const scenario = fc.record({
    ...forms,
    specs: predictions,
    seed: fc.integer(),
    truthAt: fc.double({ min: 0, max: 1, noNaN: true }),
    partitions: fc.integer({ min: 1, max: 3 }),
  });
  const property = fc.property(scenario, ({ mode, stabilityForm, specs, seed, truthAt, partitions }) => {
    const config = wideConfig(mode, stabilityForm);
    const inOrder = scored(
      config,
      specs.map((spec) => [spec]),
      0,
    );
    const other = Array.from({ length: partitions }, (_, partition) => {
      const own = specs.filter(({ example }) => example % partitions === partition);
      return scored(config, disorder(own, seed), truthAt);
    });
    const [expected, view] = [[inOrder], other].map((states) => viewWith(config, states, undefined)) as [
      ReadView,
      ReadView,
    ];
    const { read, duplicates, ...records } = view.records;
    const { read: readInOrder, duplicates: none, ...recordsInOrder } = expected.records;
    assert.deepEqual({ records, groups: view.groups }, { records: recordsInOrder, groups: expected.groups });
    assert.equal(none, 0);
    assert.equal(read - duplicates, readInOrder);
  });
  fc.assert(property, { numRuns: runs(15) });
});

function madeLog(seed: number, records: number, stepMs: number): SimPartition {
  const random = prng(seed);
  const rates = {
    duplicates: 0.2,
    conflicts: 0,
    malformed: 0.1,
    arrays: 0.3,
    late: 0.2,
    future: 0.03,
    identified: 0.8,
  };
  const options = { ...rates, models: 4, stepMs };
  const traffic = createTraffic(random, options, 1);
  const [partition] = createLog(1);
  for (let i = 0; i < records; i++) {
    if (random.chance(0.05)) appendGap(partition!, random.between(1, 3));
    append(partition!, traffic.next(0));
  }
  return partition!;
}

const baseMs = Date.UTC(2026, 5, 1);

/** Predictions of which no two share an event id, or a run of a group. */
const predictions: fc.Arbitrary<EventSpec[]> = fc
  .uniqueArray(
    fc.record({
      example: fc.nat(exampleCount - 1),
      tsMs: fc.integer({ min: baseMs, max: baseMs + 3_600_000 }),
      tsForm: fc.constantFrom('text', 'number'),
      model: fc.constantFrom('m1', 'm2', undefined),
      agent: fc.constantFrom('a1', undefined),
      env: fc.constantFrom('prod', '__proto__', undefined),
      run: fc.nat(5),
      label: fc.constantFrom(...labels, ...labels, 'nonsense', undefined),
      calls: fc.constantFrom(...callForms),
      output: fc.constantFrom(...outputForms),
      tools: fc.constantFrom(...toolForms),
      error: fc.constantFrom(false, false, true),
      success: fc.constantFrom(true, false, undefined, undefined),
      identified: fc.boolean(),
    }),
    { selector: ({ example, model, agent, run }) => `${example} ${model} ${agent} ${run}`, maxLength: 60 },
  )
  .map((specs) =>
    specs.map(
      ({ identified, ...spec }, at): EventSpec => ({ ...spec, eventId: identified ? `event-${at}` : undefined }),
    ),
  );

/** Another order, some of them twice, packed into arrays of any length. */
function disorder(specs: readonly EventSpec[], seed: number): EventSpec[][] {
  const random = prng(seed);
  const again = specs.filter(({ eventId }) => eventId !== undefined && random.chance(0.3));
  const records: EventSpec[][] = [];
  for (const spec of random.shuffled([...specs, ...again]))
    if (records.length > 0 && random.chance(0.4)) records.at(-1)!.push(spec);
    else records.push([spec]);
  return records;
}

/** The state after some records; the whole truth comes after a part of them, until then some of it is there. */
function scored(config: Config, records: readonly EventSpec[][], truthAt: number): PartitionState {
  const settings = settingsOf(config, undefined);
  const state = emptyPartition(settings);
  const fold = createFold(state, readerOf(config, true));
  const examples = Array.from({ length: exampleCount }, (_, example) => example);
  const some = activeTruth(
    truthOf(
      examples.filter((example) => example % 3 === 0),
      0,
      false,
    ),
    settings.layout.families,
  );
  const whole = activeTruth(truthOf(examples, 0, false), settings.layout.families);
  const change = Math.floor(truthAt * records.length);
  const log = records.map((specs, offset) => {
    const events = specs.map((spec) => eventJson(spec, true));
    return recordAt(events.length === 1 ? events[0] : events, offset, baseMs + 3_600_000);
  });
  foldAll(fold, log.slice(0, change), some);
  activateTruth(state, whole.table);
  resolveAll(fold, whole);
  foldAll(fold, log.slice(change), whole);
  return state;
}

function foldAll(fold: Fold, records: readonly LogRecord[], truth: ActiveTruth): void {
  activateTruth(fold.state, truth.table);
  foldRecords(fold, records, 0, records.length, truth);
}

/** Nothing crosses a horizon, and no limit is reached. */
function wideConfig(mode: string, form: string): Config {
  const values = {
    'join.truth_wait': '30d',
    'dedupe.window': '30d',
    'time.windows': ['30d'],
    slices: [['model'], ['agent'], ['model', 'agent', 'tags.env']],
    'metrics.mode': mode,
    'metrics.stability.k': 3,
    'metrics.stability.form': form,
  };
  return configWith(values);
}
