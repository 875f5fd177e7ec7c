import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readerOf, settingsOf } from '../../src/app/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import { rowText, scoreRow } from '../../src/formats/snapshot/score-row.ts';
import { failureOf } from '../../src/formats/summary/failure.ts';
import type { Prediction } from '../../src/scoring/prediction.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import { blamesNothing } from '../../src/state/blame-set.ts';
import type { RowDelta } from '../../src/state/row-delta.ts';
import { storeOf } from '../../src/state/saved.ts';
import type { EventBatch, LogRecord } from '../../src/stream/event.ts';
import { activateTruth, createFold, foldRecords } from '../../src/stream/fold.ts';
import { type RememberedResults, rememberedResults } from '../../src/stream/remembered.ts';
import type { Result } from '../../src/stream/result.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import { prng, type Random } from '../sim/prng.ts';
import { exampleId, truthVersion } from '../sim/truth.ts';
import { contentsOf } from '../support/encoded.ts';
import { mutatedRecords } from '../support/mutated-records.ts';
import { writers } from '../support/provider-forms.ts';
import { repeatingRecords } from '../support/scored-rows.ts';

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const events = 4_000;

function configOf(format: string) {
  const input = format === 'assay' ? { format } : { format, response: '/answer' };
  return loadConfig({
    flags: Object.entries(input).map(([key, value]) => ({ path: ['input', key], value, place: 'test' })),
  }).config;
}

/** Records of another form, damaged and with answers that repeat: other answers eight times, as of one set all may be refused. */
function answersOf(format: string, random: Random): LogRecord[] {
  const next = mutatedRecords(format, true, random, events / 8);
  return Array.from({ length: events }, (_, offset) => {
    const record = { ...next(), example_id: exampleId(random.int(4)), ts: 1.78e12 + 1_000 * offset };
    const bytes = Buffer.from(JSON.stringify(record));
    return { bytes, start: 0, end: bytes.length, offset, timestamp: 1.78e12 + 1_000 * offset };
  });
}

/** The state after all events, what was noted and told on the way, and how many were remembered. Another truth comes in the middle. */
function folded(records: readonly LogRecord[], remembering: boolean, telling: boolean, format = 'assay') {
  const config = configOf(format);
  const settings = settingsOf(config, undefined);
  const { layout, dimensions } = settings;
  const fold = createFold(emptyPartition(settings), readerOf(config, true));
  const rows: unknown[] = [];
  const options = { layout, dimensions, redact: new Set<string>(), trace: undefined };
  if (telling)
    fold.out.onScored = (scored) => {
      const { failed, exact, accepted } = scored;
      rows.push({ failed, exact, failure: failed ? failureOf(scored, options) : null });
      rows.push(rowText(scoreRow(scored, layout, { file: 'f', line: accepted.offset })));
    };
  let found = 0;
  for (const [at, version] of [4, 7].entries()) {
    const truth = activeTruth(truthVersion(version, true), layout.families);
    activateTruth(fold.state, truth.table);
    const [from, to] = [(at * events) / 2, ((at + 1) * events) / 2];
    foldRecords(fold, records, from, to, remembering ? truth : { ...truth, remembered: undefined });
    found += truth.remembered!.found();
  }
  const { unknownCalls, input } = fold.out;
  return { state: contentsOf(storeOf(fold.state, {})), rows, unknownCalls, input, found };
}

for (const telling of [true, false])
  test(`what is remembered is what would be scored: ${telling ? 'with' : 'without'} score rows, seed ${seed}`, () => {
    const records = repeatingRecords(prng(seed), events);
    const { found, ...remembered } = folded(records, true, telling);
    const { found: none, ...scored } = folded(records, false, telling);
    assert.deepEqual(remembered, scored);
    assert.equal(none, 0);
    assert.ok(found > events / 8, `${found} were remembered`);
  });

for (const format of [...Object.keys(writers), 'mapping', 'auto'])
  test(`what is remembered of ${format} is what would be scored: seed ${seed}`, () => {
    const records = answersOf(format, prng(seed));
    const telling = format === 'auto';
    const { found, ...remembered } = folded(records, true, telling, format);
    const { found: none, ...scored } = folded(records, false, telling, format);
    assert.deepEqual(remembered, scored);
    assert.equal(none, 0);
    // Of an answer that is damaged most events are refused, and none of those is remembered.
    assert.ok(found > events / 400, `${found} were remembered`);
  });

/** A batch of one event, whose content has the hash of a number. */
function batchOf(content: number): EventBatch {
  const words = new Uint32Array(8).fill(content);
  return { hashed: new Uint8Array([1]), content: words, outputRead: () => false } as Partial<EventBatch> as EventBatch;
}

const prediction = {
  label: 0,
  labelStatus: 'given',
  calls: [],
  output: { kind: 'absent' },
} as Partial<Prediction> as Prediction;

/** A result with an entry of a breakdown, whose key is long. */
function resultOf(number: number, characters = 1e6): Result {
  const entry = {
    breakdown: 0,
    key: `${number}`.padEnd(characters),
    subkey: '',
    column: 0,
    amount: 1,
    rows: undefined,
  };
  const none = { scored: 1, counts: 0, sums: 0, breakdowns: [entry], blames: blamesNothing() };
  const delta = { ...none, slots: new Int32Array(), amounts: new Float64Array() } as Partial<RowDelta>;
  const empty = { sumSlots: new Int32Array(), wholes: new Float64Array(), units: new Float64Array() };
  const result = { callsNotRecorded: false, gold: undefined, verdict: 0, outcomes: [], failed: true, exact: false };
  return { ...result, delta: { ...delta, ...empty } as RowDelta } as Result;
}

test('results take 128 MiB together, about: beyond, all are forgotten', () => {
  const results = rememberedResults();
  const contents = Array.from({ length: 200 }, (_, at) => at + 1);
  for (const content of contents)
    for (const _ of ['once', 'again']) results.keep(0, batchOf(content), 0, resultOf(content), prediction);
  const known = knownOf(results, contents);
  // 134 of them fit; the one after them goes with them.
  assert.deepEqual([known[0], known.length], [136, 65]);
});

function knownOf(results: RememberedResults, contents: readonly number[]): number[] {
  return contents.filter((content) => results.find(0, batchOf(content), 0) !== undefined);
}

test('up to 32 MiB, about, results are remembered the first time; beyond, the second', () => {
  const results = rememberedResults();
  const contents = Array.from({ length: 40 }, (_, at) => at + 1);
  for (const content of contents) results.keep(0, batchOf(content), 0, resultOf(content), prediction);
  assert.deepEqual(knownOf(results, contents), contents.slice(0, 34));
  results.keep(0, batchOf(40), 0, resultOf(40), prediction);
  assert.deepEqual(knownOf(results, contents), [...contents.slice(0, 34), 40]);
});

test('what comes the first time takes no place of another; what comes again takes that of one that nobody asked for', () => {
  const results = rememberedResults();
  // Of one set, which has four places for results.
  const contents = Array.from({ length: 6 }, (_, at) => 1 + 8_192 * at);
  for (const content of contents) results.keep(0, batchOf(content), 0, resultOf(content, 1), prediction);
  assert.deepEqual(knownOf(results, contents.slice(1)), contents.slice(1, 4));
  results.keep(0, batchOf(contents[5]!), 0, resultOf(6, 1), prediction);
  assert.deepEqual(knownOf(results, contents), [...contents.slice(1, 4), contents[5]]);
});
