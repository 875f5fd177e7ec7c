import { settingsOf, rateOf, readerOf } from '../../src/config/settings.ts';
import { watcherOf } from '../../src/service/watches.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { direct } from '../../src/scoring/label.ts';
import { emptyPartition } from '../../src/state/partition.ts';
import type { Cases } from '../../src/statistics/kitagawa.ts';
import { activateTruth, createFold, foldRecords } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import type { WatchReading } from '../../src/view/summary.ts';
import { viewOf } from '../../src/view/view.ts';

const startMs = Date.UTC(2026, 0, 1);
const perSecond = 6;

export interface SpikedTraffic {
  readonly watches: readonly WatchReading[];
  /** Decisions of a model with event time from then on, and the wrong ones. */
  byModel(model: string, sinceMs: number): Cases;
  /** How many of the wrong ones called a tool, or should have where they called none or answered. */
  wrongWith(model: string | undefined, tool: string, sinceMs: number): number;
}

/** The demonstration's traffic through the fold; its model that goes wrong does so in the last minutes. */
export function spikedTraffic(asked: { hours: number; spikeMinutes: number; seed: number }): SpikedTraffic {
  const { config } = loadConfig({ flags: [] });
  const settings = settingsOf(config, undefined);
  const traffic = createTraffic({ seed: asked.seed, examples: 200, runs: 5, duplicates: 0, malformed: 0 });
  const table = truthFromRecords(traffic.examples.map(({ record }) => record));
  const state = emptyPartition(settings);
  activateTruth(state, table);
  const fold = createFold(state, readerOf(config, false));
  const scored: {
    readonly model: string;
    readonly ts: number;
    readonly wrong: boolean;
    readonly tools: readonly (string | undefined)[];
  }[] = [];
  fold.out.onScored = ({ event: { model }, ts, joined: { prediction, truth } }) => {
    const { label, calls = [] } = prediction;
    const tools = (calls.length === 0 || label === direct ? (truth.expected ?? []) : calls).map(({ name }) => name);
    scored.push({ model, ts, wrong: label !== truth.label, tools });
  };
  const endMs = startMs + asked.hours * 3_600_000;
  const spikeMs = endMs - asked.spikeMinutes * 60_000;
  const active = activeTruth(table, settings.layout.families);
  for (let ms = startMs; ms < endMs; ms += 1_000) {
    const values = Array.from({ length: perSecond }, () => traffic.next(ms, ms >= spikeMs ? 'atlas-mini' : undefined));
    const records = values.flat().map(({ value }, index) => {
      const bytes = Buffer.from(value);
      const offset = state.numbers.nextOffset + index;
      return { bytes, start: 0, end: bytes.length, offset, timestamp: ms };
    });
    foldRecords(fold, records, 0, records.length, active);
  }
  const { watches } = viewOf([state], settings, state.numbers.greatestTs, {
    ...{ sets: config.slices, rate: rateOf(config), withWindows: true, withBreakdowns: false, groupsMax: undefined },
    watcher: watcherOf(config, settings),
  });
  return {
    watches,
    byModel(model, sinceMs) {
      const of = scored.filter((one) => one.model === model && one.ts >= sinceMs);
      return { n: of.length, bad: of.filter(({ wrong }) => wrong).length };
    },
    wrongWith(model, tool, sinceMs) {
      const of = scored.filter((one) => (model === undefined || one.model === model) && one.ts >= sinceMs);
      return of.filter(({ wrong, tools }) => wrong && tools.includes(tool)).length;
    },
  };
}
