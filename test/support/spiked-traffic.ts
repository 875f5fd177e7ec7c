import { watcherOf } from '../../src/service/watches.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { direct } from '../../src/scoring/label.ts';
import type { Cases } from '../../src/statistics/kitagawa.ts';
import type { WatchAlarm, WatchReading } from '../../src/view/summary.ts';
import { configWith, foldingOf, viewWith } from './folding.ts';

const startMs = Date.UTC(2026, 0, 1);
const perSecond = 6;

type Span = Pick<WatchAlarm, 'sinceMs' | 'untilMs'>;

export interface SpikedTraffic {
  readonly watches: readonly WatchReading[];
  /** Decisions of a model with event time in a span, and the wrong ones. */
  byModel(model: string, span: Span): Cases;
  /** How many of the wrong ones called a tool, or should have where they called none or answered. */
  wrongWith(model: string | undefined, tool: string, span: Span): number;
}

/** The demonstration's traffic through the fold; its model that goes wrong does so in the last minutes. */
export function spikedTraffic(asked: { hours: number; spikeMinutes: number; seed: number }): SpikedTraffic {
  const config = configWith({ watches: [{ metric: 'decision.accuracy' }, { metric: 'decision.tool_hall' }] });
  const traffic = createTraffic({ seed: asked.seed, examples: 200, runs: 5, duplicates: 0, malformed: 0 });
  const table = truthFromRecords(traffic.examples.map(({ record }) => record));
  const { fold, state, add } = foldingOf(config, table);
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
  for (let ms = startMs; ms < endMs; ms += 1_000) {
    const values = Array.from({ length: perSecond }, () => traffic.next(ms, ms >= spikeMs ? 'atlas-mini' : undefined));
    add(
      values.flat().map(({ value }) => value),
      ms,
    );
  }
  const watcher = watcherOf(config, state.settings);
  const { watches } = viewWith(config, [state], state.numbers.greatestTs, { withBreakdowns: false, watcher });
  return {
    watches,
    byModel(model, { sinceMs, untilMs }) {
      const of = scored.filter((one) => one.model === model && one.ts >= sinceMs && one.ts < untilMs);
      return { n: of.length, bad: of.filter(({ wrong }) => wrong).length };
    },
    wrongWith(model, tool, { sinceMs, untilMs }) {
      const of = scored.filter((one) => model === undefined || one.model === model);
      return of
        .filter(({ ts }) => ts >= sinceMs && ts < untilMs)
        .filter(({ wrong, tools }) => wrong && tools.includes(tool)).length;
    },
  };
}
