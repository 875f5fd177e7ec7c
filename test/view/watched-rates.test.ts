import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { AnyFamily, TallyReader } from '../../src/scoring/family.ts';
import type { Metrics } from '../../src/scoring/metric.ts';
import { layoutOf } from '../../src/state/row-layout.ts';
import { ratesOf, readCells, watchableRates } from '../../src/view/watched-rates.ts';
import { viewConfig, viewedTraffic } from '../support/viewed-traffic.ts';
import { configWith, viewWith } from '../support/folding.ts';

const lowerIsBetter =
  /\.(tool_hall|answer_hall|param_hall|tool_hall_any|unknown_tool|forbidden_events|loop_events|stable_wrong|malformed|invalid_arguments|failed|unanswered|not_recovered|loops)$/;

/** Those of the decision that are no rates of a label. */
const ofDecision = ['accuracy', 'tool_hall', 'answer_hall', 'param_hall', 'tool_hall_any', 'unknown_tool'];

test('every rate with a direction can be watched, in the order of every report', () => {
  const { layout } = settingsOf(loadConfig({}).config, undefined);
  const rates = watchableRates(layout);
  const labels = ['direct', 'tool_call', 'request_for_info', 'cannot_answer'];
  const perClass = labels.flatMap((label) => [`per_class.${label}.precision`, `per_class.${label}.recall`]);
  const [accuracy, ...others] = ofDecision;
  assert.deepEqual(
    rates.map(({ path }) => path),
    [
      ...[accuracy, ...perClass, ...others].map((name) => `decision.${name}`),
      ...['stability', 'stable_correct', 'stable_wrong', 'mode_correct'].map((name) => `stability.${name}`),
      ...['trajectory.strict.success', 'trajectory.flexible.success'],
      ...['tool_selection_accuracy', 'parameter_accuracy', 'execution_success_rate'].map((name) => `schema.${name}`),
      ...['valid_call_rate', 'name_match_rate', 'args_exact_rate', 'call_exact_rate'].map(
        (name) => `arguments.${name}`,
      ),
      ...['structured.json_valid_rate', 'structured.exact_match_rate'],
      ...['match.correct', 'match.forbidden_events', 'match.loop_events'],
      ...['unknown_tool', 'malformed', 'invalid_arguments', 'failed', 'unanswered', 'not_recovered', 'loops'].map(
        (name) => `tool_use.${name}`,
      ),
    ],
  );
  for (const { path, unit } of rates) assert.equal(unit, path.startsWith('stability.') ? 'runs' : 'event', path);
  const usual = [
    ...['tool_hall', 'answer_hall', 'param_hall'].map((name) => `decision.${name}`),
    'match.correct',
    ...['unknown_tool', 'invalid_arguments', 'failed'].map((name) => `tool_use.${name}`),
  ];
  assert.deepEqual(
    rates.flatMap(({ path, watched }) => (watched ? [path] : [])),
    usual,
  );
  const { runs: _, ...withoutRuns } = layout;
  const left = watchableRates({ ...withoutRuns, runs: undefined });
  assert.deepEqual(
    left.map(({ path }) => path),
    rates.filter(({ unit }) => unit === 'event').map(({ path }) => path),
  );
});

test('the outcomes of a rate are the wrong cells that its bad cases consist of, where they are several', () => {
  const { layout } = settingsOf(loadConfig({}).config, undefined);
  const rates = new Map(watchableRates(layout).map((rate) => [rate.path, rate]));
  const told = (path: string): string[] =>
    rates.get(path)!.outcomes.map(({ gold, predicted }) => `${gold} > ${predicted}`);
  const all = told('decision.accuracy');
  assert.equal(new Set(all).size, 16);
  for (const one of all) assert.notEqual(one.split(' > ')[0], one.split(' > ')[1]);
  for (const kind of ['param_hall', 'tool_hall', 'unknown_tool']) assert.deepEqual(told(`decision.${kind}`), [], kind);
  const answered = ['tool_call > direct', 'request_for_info > direct', 'cannot_answer > direct'];
  assert.deepEqual(told('decision.answer_hall'), answered);
  assert.deepEqual(told('decision.per_class.direct.precision'), answered);
  for (const { path, n, outcomes } of rates.values()) {
    if (!path.startsWith('decision.')) assert.equal(outcomes.length, 0, path);
    for (const { possible } of outcomes) for (const slot of possible.slots) assert.ok(n.slots.includes(slot), path);
  }
  const [call] = rates.get('decision.answer_hall')!.outcomes;
  assert.equal(call!.possible.slots.length, 5, 'all predictions where a call was due');
  const { n, outcomes } = rates.get('decision.per_class.direct.precision')!;
  for (const { possible } of outcomes) assert.equal(possible, n, 'none of these golds has a good case');
});

test('cases and bad cases of every rate are those of its block, in both modes', () => {
  for (const mode of ['spec', 'upstream']) {
    assert.ok(watchableRates(settingsOf(configWith({ 'metrics.mode': mode }), undefined).layout).length > 10);
  }
  const { states } = viewedTraffic(viewConfig());
  const { settings } = states[0]!;
  const [group] = viewWith(viewConfig(), states, undefined, { sets: [] }).groups;
  const seen = new Set<string>();
  for (const { path, n, bad } of watchableRates(settings.layout)) {
    const read = path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], group!.blocks);
    const cases = readCells(n, group!.row, 0);
    const wrong = readCells(bad, group!.row, 0);
    // Of a label the block has the share alone.
    if (typeof read === 'number') assert.ok(Math.abs((cases - wrong) / Math.max(1, cases) - read) < 1e-12, path);
    else {
      const { numerator, denominator } = read as { numerator: number; denominator: number };
      assert.equal(cases, denominator, path);
      assert.equal(wrong, lowerIsBetter.test(path) ? numerator : denominator - numerator, path);
    }
    if (cases > 0) seen.add(path);
  }
  assert.ok(seen.size > 18);
  for (const path of ['trajectory.strict.success', 'structured.exact_match_rate', 'decision.per_class.direct.recall'])
    assert.ok(seen.has(path), path);
});

/** A family of two counts with metrics of theirs. */
function madeUp(metrics: object): AnyFamily {
  const sums = (from: TallyReader) => ({ x: from.count(0), y: from.count(1) });
  return { name: 'made', metrics, unit: 'event', breakdowns: [], cells: ['x', 'y'], sums } as unknown as AnyFamily;
}

test('a rate without a direction, or a number that is no share, cannot be watched', () => {
  const of = () => [0, 0];
  const metrics = {
    better: { kind: 'rate', better: 'higher', of },
    neither: { kind: 'rate', of },
    share: { kind: 'number', better: 'lower', share: of },
    neitherShare: { kind: 'number', share: of },
    number: { kind: 'number', better: 'lower' },
  } as unknown as Metrics<unknown>;
  const rates = ratesOf({ name: 'made', metrics, unit: 'event' });
  assert.deepEqual(
    rates.map(({ keys }) => keys.join('.')),
    ['made.better', 'made.share'],
  );
});

test('a rate that is no sum of counts is refused by its path', () => {
  const ratesWith = (of: (sums: { readonly x: number; readonly y: number }) => readonly number[]) =>
    watchableRates(layoutOf([madeUp({ rate: { kind: 'rate', better: 'lower', of } })]));
  assert.equal(ratesWith(({ x, y }) => [x, x + y]).length, 1);
  assert.throws(() => ratesWith(({ x, y }) => [x * y, x + y]), /made\.rate: a rate must be of sums of counts/);
});
