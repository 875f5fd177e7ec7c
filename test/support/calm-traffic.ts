import { chunkOf, findRow, valuesAt } from '../../src/state/containers/table.ts';
import type { Config } from '../../src/config/config.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { dropAttributions } from '../../src/state/attributions.ts';
import { evictionTimeOf } from '../../src/state/event-time.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import type { Settings } from '../../src/state/settings.ts';
import { sliceCode } from '../../src/state/slices.ts';
import { evictPanes, tallyEvent } from '../../src/state/window-sums.ts';
import { pick, type Random, weighted } from '../../src/statistics/random.ts';
import { foldingOf } from './folding.ts';

/*
 * Sparse traffic of models whose rates never change, put into panes as the rows that the families make of some events: scored once, added many
 * times.
 */

const find = {
  name: 'find',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const call = (name: string, city: string | number) => ({ tool_calls: [{ name, arguments: { city } }] });
const called = call('find', 'Oslo');

/** What is asked, as share of the traffic: the right answer, and the wrong ones by the rates that they are bad for. */
const asked = {
  tool_call: {
    share: 0.6,
    tools: [find],
    right: called,
    wrong: [
      call('find', 'Rome'),
      call('find', 5),
      call('fly', 'Oslo'),
      { ...called, results: [{ call: 0, ok: false }] },
      { label: 'direct', tool_calls: [] },
    ],
  },
  request_for_info: { share: 0.15, tools: [find], right: { tool_calls: [] }, wrong: [called] },
  cannot_answer: { share: 0.1, tools: [], right: { tool_calls: [] }, wrong: [called] },
  direct: { share: 0.15, tools: [find], right: { tool_calls: [] }, wrong: [] },
} as const;

const golds = Object.keys(asked) as (keyof typeof asked)[];
const shares = golds.map((gold) => asked[gold].share);

/** By what is asked: the row of the right answer, then those of the wrong ones. */
function rowsOf(config: Config): readonly (readonly Float64Array[])[] {
  const truth = truthFromRecords(
    golds.map((gold) => {
      const expected = gold === 'tool_call' ? called.tool_calls : [];
      const tools = asked[gold].tools.map((tool) => ({ name: tool.name, parameters: tool.parameters }));
      return { example_id: gold, label: gold, tools, expected_tool_calls: [...expected], reference: null };
    }),
  );
  const tsMs = Date.UTC(2026, 0, 1);
  return golds.map((gold) =>
    [asked[gold].right, ...asked[gold].wrong].map((answer) => {
      const { state, add } = foldingOf(config, truth);
      const label = answer.tool_calls.length > 0 ? 'tool_call' : gold;
      const ok = { results: answer.tool_calls.map((_, at) => ({ call: at, ok: true })) };
      add([{ example_id: gold, ts: tsMs, model: 'm', tools: [find], label, ...ok, ...answer }], tsMs);
      const { table } = state.panes;
      const row = findRow(table, 0, 0, 0, 0);
      const from = valuesAt(table, row);
      return chunkOf(table, row).slice(from, from + table.values);
    }),
  );
}

/** A model: its events a minute, and by what is asked the chance of each wrong answer. */
interface CalmModel {
  readonly name: string;
  readonly perMinute: number;
  readonly wrong: readonly (readonly number[])[];
}

/** A model of 0.2 to 2 events a minute, of which few in a hundred are wrong in each way. */
function drawnModel(random: Random, name: string): CalmModel {
  const chance = (): number => 0.002 * 15 ** random();
  return { name, perMinute: 0.2 * 10 ** random(), wrong: golds.map((gold) => asked[gold].wrong.map(chance)) };
}

const agents = ['booking', 'support', 'research', 'billing'];

/** Calm traffic of some models: events come at random, each minute as likely as any other. */
export interface CalmTraffic {
  readonly state: PartitionState;
  /** Puts the events of the next minute into the panes. */
  next(): number;
}

/** Traffic from a time on. */
export function calmTraffic(
  config: Config,
  settings: Settings,
  { random, models: count, startMs }: { readonly random: Random; readonly models: number; readonly startMs: number },
): CalmTraffic {
  const rows = rowsOf(config);
  const models = Array.from({ length: count }, (_, at) => drawnModel(random, `m${at}`));
  const weights = models.map(({ perMinute }) => perMinute);
  const perMs = weights.reduce((sum, weight) => sum + weight, 0) / 60_000;
  const gapMs = (): number => -Math.log1p(-random()) / perMs;
  const state = emptyPartition(settings);
  const slices = models.map(({ name }) => agents.map((agent) => sliceCode(state.slices, [name, agent])));
  let nextMs = startMs + gapMs();
  let untilMs = startMs;
  return {
    state,
    next() {
      for (untilMs += 60_000; nextMs < untilMs; nextMs += gapMs()) {
        const model = weighted(random, weights);
        const gold = weighted(random, shares);
        const row = rows[gold]![wrongOf(random, models[model]!.wrong[gold]!)]!;
        addRow(state, row, pick(random, slices[model]!), Math.floor(nextMs));
      }
      return untilMs;
    },
  };
}

/** 0 where the answer is right, else the number of the wrong one. */
function wrongOf(random: Random, chances: readonly number[]): number {
  let left = random();
  return chances.findIndex((chance) => (left -= chance) < 0) + 1;
}

function addRow(state: PartitionState, row: Float64Array, slice: number, tsMs: number): void {
  const { numbers, sums, attributions } = state;
  numbers.read++;
  numbers.scored++;
  numbers.greatestTs = tsMs;
  evictPanes(sums, evictionTimeOf(tsMs));
  dropAttributions(attributions);
  tallyEvent(sums, row, slice, tsMs, tsMs);
}
