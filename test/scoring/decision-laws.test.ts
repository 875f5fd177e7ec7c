import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DecisionOptions, decision } from '../../src/scoring/decision/index.ts';
import type { Joined } from '../../src/scoring/family.ts';
import { isObject, type Json } from '../../src/scoring/json.ts';
import { type Label, type LabelCode, type LabelStatus, labels } from '../../src/scoring/label.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { testFamilyLaws } from '../support/family-laws.ts';
import { joined } from '../support/joined.ts';
import { blockOf, isPerfect, rowOf } from '../support/scoring.ts';
import { runs } from '../support/soak.ts';

const rate = rateWith(z95);

const said: fc.Arbitrary<{ label: LabelCode; labelStatus: LabelStatus }> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .constantFrom(0, 1, 2, 3)
      .map((label) => ({ label: label as LabelCode, labelStatus: 'given' as const })),
  },
  { weight: 1, arbitrary: fc.constant({ label: 1 as const, labelStatus: 'derived' as const }) },
  { weight: 1, arbitrary: fc.constant({ label: 3 as const, labelStatus: 'inferred' as const }) },
  { weight: 1, arbitrary: fc.constant({ label: 4 as const, labelStatus: 'missing' as const }) },
  { weight: 1, arbitrary: fc.constant({ label: 4 as const, labelStatus: 'invalid' as const }) },
);
const names = fc.constantFrom('a', 'b', 'A', '', '__proto__', 'constructor');
const tool = fc.oneof(
  names,
  names.map((name): Json => ({ name, parameters: {} })),
  names.map((name): Json => ({ type: 'function', function: { name } })),
  fc.constantFrom<Json>(null, 5, {}, { name: null }, { function: 'a' }),
);
const tools = fc.option(fc.array(tool, { maxLength: 3 }), { nil: undefined, freq: 2 });
const calls = fc.option(
  fc.array(fc.record({ name: fc.option(names, { nil: undefined }), arguments: fc.constant({}) }), { maxLength: 3 }),
  { nil: undefined },
);
const events: fc.Arbitrary<Joined> = fc
  .record({ said, gold: fc.constantFrom(0, 1, 2, 3, undefined), truthTools: tools, tools, calls })
  .map(({ said, gold, truthTools, tools, calls }) =>
    joined({ ...said, tools, calls }, { label: gold as LabelCode | undefined, tools: truthTools }),
  );
const options: fc.Arbitrary<DecisionOptions> = fc.record({
  mode: fc.constantFrom('spec', 'upstream'),
  invalidAs: fc.constantFrom('wrong', 'cannot_answer'),
});

testFamilyLaws({ family: decision, options, events, oracle: definition, oracleRuns: 100 });

interface Decided {
  readonly gold: Label;
  /** As scored: one of the four, or `invalid`. */
  readonly predicted: string;
  readonly event: Joined;
}

/** The definition (docs/reference/scoring.md, "decision") over a list of pairs of names, without a matrix. */
function definition(all: readonly Joined[], { mode, invalidAs }: DecisionOptions): unknown {
  const decided = all
    .filter(({ truth }) => truth.label !== undefined)
    .map((event): Decided => {
      const predicted = nameOfLabel(event.prediction.label);
      const coerced = predicted === 'invalid' && invalidAs === 'cannot_answer' ? 'cannot_answer' : predicted;
      return { gold: nameOfLabel(event.truth.label!) as Label, predicted: coerced, event };
    });
  const n = decided.length;
  if (n === 0) return null;
  const count = (test: (one: Decided) => boolean): number => decided.filter(test).length;
  const perClass = labels.map((label) => [label, classOf(label, decided)] as const);
  const mean = (some: typeof perClass, of: number) => some.reduce((sum, [, { f1 }]) => sum + f1, 0) / of;
  const present = perClass.filter(([label]) => decided.some((one) => one.gold === label || one.predicted === label));
  const cannot = decided.filter(({ gold }) => gold === 'cannot_answer');
  const without = cannot.filter(({ event }) => available(event)?.length === 0);
  const ask = decided.filter(({ gold }) => gold === 'request_for_info');
  const called = (some: readonly Decided[]) => some.filter(({ predicted }) => predicted === 'tool_call').length;
  const made = decided.flatMap(({ event }) => callsKnown(event));
  const status = (one: LabelStatus) => count(({ event }) => event.prediction.labelStatus === one);
  return {
    n,
    accuracy: rate(
      count(({ gold, predicted }) => gold === predicted),
      n,
    ),
    macro_f1: mean(perClass, 4),
    macro_f1_no_direct: mean(perClass.slice(1), 3),
    macro_f1_present: mean(present, present.length),
    confusion: Object.fromEntries(labels.map((gold) => [gold, predictionsOf(gold, decided)])),
    per_class: Object.fromEntries(perClass),
    tool_hall: rate(called(without), without.length),
    answer_hall: rate(
      count(({ gold, predicted }) => predicted === 'direct' && gold !== 'direct'),
      n,
    ),
    param_hall: rate(called(ask), ask.length),
    tool_hall_any: rate(called(cannot), cannot.length),
    unknown_tool: rate(made.filter((known) => !known).length, made.length),
    missing: status('missing'),
    invalid: status('invalid') + (mode === 'upstream' ? status('missing') : 0),
    inferred: status('inferred'),
  };
}

function classOf(
  label: Label,
  decided: readonly Decided[],
): Readonly<Record<'precision' | 'recall' | 'f1' | 'support', number>> {
  const count = (gold: boolean, predicted: boolean) =>
    decided.filter((one) => (one.gold === label) === gold && (one.predicted === label) === predicted).length;
  const [tp, fp, fn] = [count(true, true), count(false, true), count(true, false)];
  const over = (x: number, y: number) => (y === 0 ? 0 : x / y);
  const [precision, recall, f1] = [over(tp, tp + fp), over(tp, tp + fn), over(2 * tp, 2 * tp + fp + fn)];
  return { precision, recall, f1, support: tp + fn };
}

function predictionsOf(gold: Label, decided: readonly Decided[]): Record<string, number> {
  const count = (name: string) => decided.filter((one) => one.gold === gold && one.predicted === name).length;
  return Object.fromEntries([...labels, 'invalid'].map((name) => [name, count(name)]));
}

/** Whether each call is to an available tool; empty where no tools are recorded. */
function callsKnown(event: Joined): boolean[] {
  const names = available(event)?.map(nameOf);
  if (names === undefined) return [];
  return (event.prediction.calls ?? []).map(({ name }) => name !== undefined && names.includes(name));
}

function nameOfLabel(code: LabelCode): string {
  return [...labels, 'invalid'][code]!;
}

function available({ truth, prediction }: Joined): readonly Json[] | undefined {
  return truth.tools ?? prediction.tools;
}

function nameOf(tool: Json): Json | undefined {
  if (!isObject(tool)) return typeof tool === 'string' ? tool : undefined;
  const { function: wrapped, name } = tool as { readonly function?: Json; readonly name?: Json };
  return wrapped === undefined ? name : isObject(wrapped) ? wrapped['name'] : undefined;
}

test('law: the row agrees with the block over the event alone', () => {
  fc.assert(
    fc.property(events, options, (event, chosen) => {
      const row = rowOf(decision(chosen), event);
      const block = blockOf(decision(chosen), [event]);
      if (row === undefined || block === null) return assert.equal(row ?? null, block);
      const numerator = (name: string) => (block[name] as { numerator: number }).numerator;
      const halls = { tool: 'tool_hall', param: 'param_hall', answer: 'answer_hall', unknown_tool: 'unknown_tool' };
      const wanted = Object.entries(halls).flatMap(([name, hall]) => (numerator(hall) > 0 ? [name] : []));
      assert.deepEqual(row['hallucinations'], wanted);
      assert.equal(row['correct'], numerator('accuracy') === 1);
      assert.equal(isPerfect(decision(chosen), event), row['correct']);
    }),
    { numRuns: runs(100) },
  );
});
