import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTraffic } from '../../src/commands/demo/traffic.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { getOrPut } from '../../src/state/containers/get-or-put.ts';
import { clearAddition, createAdditionWriter } from '../../src/state/addition.ts';
import { pick, type Random, seeded } from '../../src/statistics/random.ts';
import { causeText } from '../../src/view/cause-text.ts';
import type { Cause } from '../../src/view/summary.ts';
import { readCells, watchableRates } from '../../src/view/watched-rates.ts';
import { configWith, foldingOf } from '../support/folding.ts';
import { runs } from '../support/soak.ts';
import { causes } from '../support/worked-causes.ts';

/* Laws of causes: parts of the bad cases, with shares of the change, and none of a change that is the same everywhere. */

test('whatever a rate attributes an event to, the event is a bad case of the rate', () => {
  const traffic = createTraffic({ seed: 11, examples: 120, runs: 2, duplicates: 0, malformed: 0 });
  const truth = truthFromRecords(traffic.examples.map(({ record }) => record));
  const { fold, state, add } = foldingOf(configWith(), truth);
  const { layout } = state.settings;
  const rates = watchableRates(layout).filter(({ unit }) => unit === 'event');
  const writer = createAdditionWriter(layout);
  const attributing = new Set<string>();
  fold.out.onScored = ({ outcomes }) => {
    clearAddition(writer.addition, 1);
    for (const [at, outcome] of outcomes.entries())
      if (outcome !== undefined) layout.families[at]!.tally(outcome, writer.tallies[at]!);
    const { row, attributions } = writer.addition;
    for (const { path, bad } of rates) {
      const names = attributions.names.filter(({ slots }) => slots.some((slot) => bad.slots.includes(slot)));
      if (names.length === 0) continue;
      attributing.add(path);
      assert.ok(readCells(bad, row, 0) >= 1, `${path}: ${JSON.stringify(names)}`);
    }
  };
  const startMs = Date.UTC(2026, 0, 1);
  for (let at = 0; at < 3_000; at++)
    add(
      traffic.next(startMs + 1_000 * at, at > 1_500 ? 'atlas-mini' : undefined).map(({ value }) => value),
      startMs + 1_000 * at,
    );
  for (const path of ['decision.tool_hall', 'decision.unknown_tool', 'match.correct', 'trajectory.strict.success'])
    assert.ok(attributing.has(path), path);
});

const shareOf = ({ byRate, byMix }: Cause): number => byRate + byMix;

/** Parts of one kind exclude each other: values of a dimension, outcomes, and tools where each case has one. */
function kindOf({ part }: Cause): string {
  return 'dimension' in part ? part.dimension : 'gold' in part ? 'outcome' : 'tool';
}

const few = fc.oneof(fc.constant(0), fc.nat(5), fc.nat(80));
const spansOf = (names: readonly [string, string, string], kind: 'tools' | 'outcomes') => {
  const cell = fc
    .record({
      of: fc.tuple(fc.constantFrom('m', 'n', 'o'), fc.constantFrom('x', 'y')),
      good: few,
      counts: fc.tuple(few, few, few),
    })
    .map(({ of, good, counts }) => ({
      of,
      // As many cases of each outcome's gold label, of which none has more wrong ones than cases.
      n: 3 * (good + Math.max(...counts) + 1),
      bad: counts.reduce((sum, one) => sum + one, 0),
      [kind]: Object.fromEntries(names.map((name, at) => [name, counts[at]!])),
    }));
  return fc.record({
    before: fc.array(cell, { maxLength: 5 }),
    since: fc.array(cell, { minLength: 1, maxLength: 6 }),
  });
};

for (const [watch, spans] of [
  ['decision.unknown_tool', spansOf(['find', 'book', 'send'], 'tools')],
  [
    'decision.answer_hall',
    spansOf(['tool_call → direct', 'request_for_info → direct', 'cannot_answer → direct'], 'outcomes'),
  ],
] as const)
  test(`a cause is a part of the bad cases since, and disjoint ones have at most all of the change: ${watch}`, () => {
    fc.assert(
      fc.property(spans, ({ before, since }) => {
        const bad = since.reduce((total, one) => total + one.bad, 0);
        // An alarm has a rate above its baseline.
        fc.pre(bad / since.reduce((total, one) => total + one.n, 0) > 0.02);
        const byKind = new Map<string, number>();
        for (const cause of causes(watch, { before, since })) {
          assert.ok(cause.since.bad <= bad && cause.since.bad > 0, causeText(cause));
          assert.ok(shareOf(cause) > 0, causeText(cause));
          byKind.set(kindOf(cause), (byKind.get(kindOf(cause)) ?? 0) + shareOf(cause));
        }
        for (const [kind, share] of byKind) assert.ok(share <= 1 + 1e-9, `${kind}: ${share}`);
      }),
      { numRuns: runs(300) },
    );
  });

interface One {
  readonly model: string;
  readonly gold: string;
  readonly tool: string;
}

interface Cell {
  readonly of: string[];
  n: number;
  bad: number;
  readonly counts: Record<string, number>;
}

/** A name, as often as its number says. */
function among(random: Random, weighted: Readonly<Record<string, number>>): string {
  return pick(
    random,
    Object.entries(weighted).flatMap(([name, weight]) => new Array<string>(weight).fill(name)),
  );
}

/** Cases of three models and two agents, with three gold labels and the tools of their calls; no two are as frequent. */
function drawn(random: Random, n: number, isBad: (one: One) => boolean) {
  const cells = new Map<string, Cell>();
  for (let at = 0; at < n; at++) {
    const one = { model: among(random, { m: 6, n: 3, o: 1 }), gold: among(random, golds), tool: among(random, tools) };
    const of = [one.model, among(random, { x: 3, y: 1 })];
    const cell = getOrPut(cells, of.join(), (): Cell => ({ of, n: 0, bad: 0, counts: {} }));
    const isWrong = isBad(one);
    cell.n++;
    cell.bad += Number(isWrong);
    for (const name of isWrong ? [one.gold, one.tool, `${one.gold} → direct`] : [one.gold])
      cell.counts[name] = (cell.counts[name] ?? 0) + 1;
  }
  return [...cells.values()].map(({ counts, ...cell }) => {
    const count = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, counts[name] ?? 0]));
    const all = Object.keys(golds);
    const outcomes = count(all.map((gold) => `${gold} → direct`));
    const ofGold = Object.fromEntries(all.map((gold) => [gold, counts[gold] ?? 0]));
    return { outcomes: { ...cell, golds: ofGold, outcomes }, tools: { ...cell, tools: count(Object.keys(tools)) } };
  });
}

const golds = { tool_call: 52, request_for_info: 30, cannot_answer: 18 };
const tools = { find: 5, book: 3, send: 2 };

/** The causes of simulated changes, each of a reference and a spike of some hundred cases. */
function simulated(number: number, chance: (one: One) => number): string[][] {
  return Array.from({ length: number }, (_, seed) => {
    const random = seeded(seed);
    const before = drawn(random, 424 + Math.floor(2_000 * random()), () => random() < 0.04);
    const since = drawn(random, 100 + Math.floor(600 * random()), (one) => random() < chance(one));
    const told = (watch: string, kind: 'outcomes' | 'tools') =>
      causes(watch, { before: before.map((cell) => cell[kind]), since: since.map((cell) => cell[kind]) }).map(
        causeText,
      );
    return [...told('decision.unknown_tool', 'tools'), ...told('decision.answer_hall', 'outcomes')];
  });
}

test('a spike that is the same everywhere has no cause, but for one in a hundred by chance; one that is not has', () => {
  const number = runs(100);
  const uniform = simulated(number, () => 0.4).filter((found) => found.length > 0);
  assert.ok(uniform.length <= number / 100, `${uniform.length} of ${number}: ${uniform.join('; ')}`);
  const model = simulated(10, ({ model: one }) => (one === 'n' ? 0.7 : 0.04));
  for (const found of model) assert.ok(found.includes('model n'), found.join());
  const gold = simulated(10, ({ gold: one }) => (one === 'cannot_answer' ? 0.8 : 0.04));
  for (const found of gold) assert.ok(found.includes('cannot_answer → direct'), found.join());
  const tool = simulated(10, ({ tool: one }) => (one === 'send' ? 0.8 : 0.04));
  assert.ok(tool.filter((found) => found.includes('tool send')).length >= 9, tool.join('; '));
});
