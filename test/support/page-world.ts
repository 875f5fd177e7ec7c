import type { LiveRequest } from '../../src/adapters/http/page-routes.ts';
import { createHistory, type Circumstances } from '../../src/service/history.ts';
import { createSampler, createSamples, type Samples } from '../../src/service/samples.ts';
import { bounded, createSuspects, shownSuspects, type Suspects } from '../../src/service/suspects.ts';
import { readerOf } from '../../src/config/settings.ts';
import { watcherOf } from '../../src/service/watches.ts';
import type { Config } from '../../src/config/config.ts';
import { demoModels } from '../../src/commands/demo/catalogue.ts';
import { createTraffic, type Traffic } from '../../src/commands/demo/traffic.ts';
import { type LiveDocument, liveDocument } from '../../src/formats/summary/live-document.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { summaryDocument } from '../../src/formats/summary/summary-document.ts';
import { sliceOf } from '../../src/formats/summary/watch-document.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { zOfLevel } from '../../src/scoring/quantile.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { windowCounts } from '../../src/state/window-counts.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import type { View } from '../../src/view/summary.ts';
import { type InputRow, inputRow } from '../../src/view/input-report.ts';
import { configWith, recordAt, foldingOf, lazyViewWith } from './folding.ts';

/** Input of which some is wrong, in words that take room. */
const source = { topic: 'predictions', partition: 0, offset: 1_048_576 };
export const badInput: readonly InputRow[] = [
  inputRow('rejected.not_json', 12_345, {
    source,
    value:
      'the record is not JSON: Unexpected token \'<\', "<html><b"... is not valid JSON; send one JSON object, or an array of objects',
  }),
  inputRow('malformed_calls', 3, { source: { ...source, element: 7 }, value: `{"fn": "${'x'.repeat(70)}"}` }),
  inputRow('near_names', 1, { source, value: '<img src=x onerror=alert(1)>: meant as tool_calls?' }),
  inputRow('unknown_tools', 2, undefined),
];

export interface WorldOptions {
  /** Names of the models; they behave as those of the demonstration, in turn. */
  readonly models: readonly string[];
  /** A model goes wrong, from this time on. */
  readonly spike?: { readonly model: string; readonly fromMs: number; readonly untilMs?: number };
  readonly durationMs: number;
  /** Traffic before, of which no history is kept: watches learn from it. */
  readonly pastMs?: number;
  /** The history begins with the traffic before, as after a restart. */
  readonly isRestored?: boolean;
  /** Predictions a second. */
  readonly rate: number;
  readonly redact?: readonly string[];
  readonly samples?: number;
  readonly problems?: boolean;
  /** Time from one point of the history to the next. */
  readonly everyMs?: number;
}

/** A service that never was: traffic of the demonstration, scored by the real code, on a clock of its own. */
export interface World {
  /** Goes on for a while. */
  run(ms: number): void;
  document(request: LiveRequest): LiveDocument;
  /** Groups of one set and window; all with `*`. */
  summary(slice: string, window: string): Record<string, unknown>;
  view(): View;
  readonly slices: readonly string[];
  readonly windows: readonly string[];
}

const ring = { epoch: 'world', pointsMax: 720, groupsMax: 24 };
const startMs = Date.parse('2026-05-01T14:00:00Z');
const pastStepMs = 60_000;
/** Predictions a second. */
const pastRate = 10;
/** Enough that watches have learned. */
export const learnedMs = 90 * pastStepMs;

const pageNamed = { version: '0.1.0', mode: 'spec', config_hash: 'c0ffee' } as const;

export function createWorld(options: WorldOptions): World {
  const config = configWith();
  const { state, clock, samples, suspects, redact, view, send } = createScoring(options, config);
  const { everyMs = 5_000 } = options;
  const history = createHistory({ ...ring, everyMs, layout: state.settings.layout });
  const run = (ms: number): void => {
    const endMs = clock.ms + ms;
    while (clock.ms < endMs) {
      send(clock.ms + everyMs);
      clock.ms += everyMs;
      const now = view();
      history.add(clock.ms, now, { ...ingestOf(now, options), states: options.isRestored === true ? [state] : [] });
    }
  };
  for (; clock.ms < startMs; clock.ms += pastStepMs) send(clock.ms + pastStepMs);
  run(options.durationMs);
  const sets = config.slices.map((set) => set.join());
  const windows = config.time.windows.map(({ text }) => text);
  const frame = { ...pageNamed, z: zOfLevel(0.95), sets, windows: ['all', ...windows] };
  return {
    run,
    view,
    slices: sets,
    windows,
    document: ({ since, ...shown }) =>
      liveDocument({
        ...shown,
        frame,
        view: view(),
        input: options.problems === true ? badInput : [],
        at: new Date(clock.ms + 400).toISOString(),
        truth: { version: 'f00d'.repeat(16), rows: 188 },
        windows_counts: windowCounts([state], state.settings, clock.ms),
        service: serviceOf(options.problems === true, clock.ms),
        history: history.since(since, shown.slice),
        ...{ failures: samples.latest, keptFailures: samples.kept, ofArguments: samples.ofArguments },
        suspects: shownSuspects(suspects, redact),
      }),
    summary: (slice, window) => {
      const whole = view();
      const groups = whole.groups.filter((group) => group.dimensions.join() === slice && group.window === window);
      const named = { version: '0.1.0', configHash: 'c0ffee', mode: 'spec' };
      const context = { ...named, truth: null, partitions: [], firsts: new Map() };
      const told = { suspects: shownSuspects(suspects, redact), wrongArguments: samples.wrongArguments() };
      return summaryDocument(slice === '*' ? whole : { ...whole, groups }, context, told);
    },
  };
}

function ingestOf({ records, watches }: View, { problems }: WorldOptions): Omit<Circumstances, 'states'> {
  return {
    pending: records.pending,
    lag: problems === true ? 48_211 : 0,
    partitions: 'predictions/0',
    firing: new Set(watches.filter(({ firing }) => firing).map((watch) => sliceId(sliceOf(watch)))),
  };
}

interface Scoring {
  readonly state: PartitionState;
  /** `due`: predictions to be sent. */
  readonly clock: { ms: number; due: number };
  readonly samples: Samples;
  readonly suspects: Suspects;
  readonly redact: ReadonlySet<string>;
  view(): View;
  /** Scores what is sent until this time. */
  send(untilMs: number): void;
}

function createScoring(options: WorldOptions, config: Config): Scoring {
  // The models of the demonstration, under other names.
  const models = options.models.map((name, at) => ({ ...demoModels[at % demoModels.length]!, name }));
  const traffic = createTraffic({ models, seed: 7, examples: 200, runs: 5, duplicates: 0.01, malformed: 0.005 });
  const table = truthFromRecords(traffic.examples.map(({ record }) => record).slice(0, -12));
  const { fold, state, apply } = foldingOf(config, table, { reader: readerOf(config, false) });
  const { out } = fold;
  const clock = { ms: startMs - (options.pastMs ?? 0), due: 0 };
  const { layout, dimensions } = state.settings;
  const redact = new Set(options.redact ?? []);
  const count = options.samples ?? 20;
  const samples = createSamples(count);
  const sampling = { count, layout, dimensions, redact, trace: config.links.trace, nowMs: () => clock.ms };
  const sample = createSampler(sampling, samples.add);
  const suspects = createSuspects({ layout, models: 2, bounds: bounded });
  out.onScored = (scored) => {
    sample(scored, undefined);
    suspects.add(scored);
  };
  const watcher = watcherOf(config, state.settings);
  return {
    state,
    clock,
    samples,
    suspects,
    redact,
    view: () => lazyViewWith(config, [state], clock.ms, { watcher }),
    send(untilMs) {
      apply(recordsUntil(untilMs, options, traffic, clock, state.numbers.nextOffset));
      out.rejects.length = 0;
    },
  };
}

function recordsUntil(
  untilMs: number,
  { rate, spike }: WorldOptions,
  traffic: Traffic,
  clock: { readonly ms: number; due: number },
  firstOffset: number,
): LogRecord[] {
  const records: LogRecord[] = [];
  const elapsedMs = clock.ms - startMs;
  const isSpike = spike !== undefined && elapsedMs >= spike.fromMs && elapsedMs < (spike.untilMs ?? Infinity);
  const spiking = isSpike ? spike.model : undefined;
  const share = clock.ms < startMs ? pastRate : rate;
  for (clock.due += (share * (untilMs - clock.ms)) / 1000; clock.due >= 1; clock.due--)
    for (const { value } of traffic.next(clock.ms, spiking))
      records.push(recordAt(value, firstOffset + records.length, clock.ms));
  return records;
}

function serviceOf(problems: boolean, nowMs: number): LiveDocument['service'] {
  const partition = (number: number) => ({
    name: `predictions/${number}`,
    lag: problems ? 12_050 + number : 0,
    watermark: new Date(nowMs - 60_000).toISOString(),
  });
  return {
    has_review: false,
    takes_records: true,
    checks: [
      { name: 'truth', ok: true, detail: 'loaded' },
      { name: 'partitions', ok: true, detail: '4 held, 0 being restored' },
      problems
        ? { name: 'outages', ok: false, detail: 'writing dead letters: connect ECONNREFUSED 10.0.0.7:9092' }
        : { name: 'outages', ok: true, detail: 'none' },
    ],
    partitions: [0, 1, 2, 3].map(partition),
    partitions_of: 4,
    checkpoint_at: new Date(nowMs - 3_000).toISOString(),
    lost_records: 0,
    truth_reload_failures: problems ? 2 : 0,
    limits: problems ? { names: 14 } : {},
  };
}
