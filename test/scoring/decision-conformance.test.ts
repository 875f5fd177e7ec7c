import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DecisionOptions, decision } from '../../src/scoring/decision/index.ts';
import type { Joined } from '../../src/scoring/family.ts';
import { isObject, type Json } from '../../src/scoring/json.ts';
import { type Label, labelCode, labels } from '../../src/scoring/label.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { recordedCases } from '../support/fixtures.ts';
import { joined } from '../support/joined.ts';
import { near } from '../support/near.ts';
import { blockOf, rowOf } from '../support/scoring.ts';

const rate = rateWith(z95);

interface Case {
  readonly name: string;
  readonly input: {
    readonly kind: string;
    readonly examples: readonly { gold: string; predicted: string | null; n_tools: number }[];
  };
  readonly expected: Readonly<Record<string, unknown>>;
  readonly expected_spec?: { readonly summary: unknown; readonly rows: readonly unknown[] };
}

/** Our names for the recorded ones. */
const recordedNames = {
  accuracy: 'accuracy',
  macro_f1: 'macro_f1',
  macro_f1_no_direct: 'macro_f1_no_direct',
  tool_hall: 'tool_hallucination_rate',
  answer_hall: 'answer_hallucination_rate',
  param_hall: 'parameter_hallucination_rate',
  n: 'n_total',
  missing: 'n_missing_uuid',
  invalid: 'n_invalid_label',
};

const cases = recordedCases<Case>('when2call').filter(({ input }) => input.kind !== 'stability');

test('the recorded cases are there', () => {
  assert.equal(cases.length, 18);
  assert.equal(cases.filter(({ expected_spec }) => expected_spec !== undefined).length, 2);
});

for (const one of cases) {
  test(`${one.name}, upstream`, () => checkRecorded(one, { mode: 'upstream', invalidAs: 'cannot_answer' }));
  test(`${one.name}, spec`, () => {
    const chosen = { mode: 'spec', invalidAs: 'wrong' } as const;
    const recorded = eventsOf(one);
    const block = blockOf(decision(chosen), recorded)!;
    if (one.expected_spec !== undefined) {
      near(block, one.expected_spec.summary);
      near(
        recorded.map((event) => rowOf(decision(chosen), event)),
        one.expected_spec.rows,
      );
    } else if (one.name === 'w2c04_missing_and_invalid_coerced_to_cannot_answer') {
      near(block['accuracy'], rate(1, 5));
      near([block['macro_f1'], block['macro_f1_present'], block['missing'], block['invalid']], [1 / 4, 1 / 3, 2, 2]);
    } else checkRecorded(one, chosen);
  });
}

function checkRecorded(one: Case, chosen: DecisionOptions): void {
  const block = blockOf(decision(chosen), eventsOf(one))!;
  for (const [ours, theirs] of Object.entries(recordedNames)) {
    if (!(theirs in one.expected)) continue;
    const held = block[ours] as Json;
    near(isObject(held) ? held['value'] : held, one.expected[theirs], ours);
  }
  const { per_class_f1, per_class_support, confusion_matrix } = one.expected;
  if (confusion_matrix === undefined) return;
  for (const label of labels) {
    const { f1, support } = (block['per_class'] as Record<Label, { f1: number; support: number }>)[label];
    const [wantedF1, wantedSupport] = [per_class_f1, per_class_support].map(
      (all) => (all as Record<Label, number>)[label],
    );
    near([f1, support], [wantedF1, wantedSupport], label);
    const row = (block['confusion'] as Record<Label, object>)[label];
    near(row, { ...(confusion_matrix as Record<Label, object>)[label], invalid: 0 }, label);
  }
}

function eventsOf({ input }: Case): Joined[] {
  return input.examples.map(({ gold, predicted, n_tools }) => {
    const label = predicted === null ? 4 : labelCode(predicted);
    const labelStatus = predicted === null ? 'missing' : label === 4 ? 'invalid' : 'given';
    const recorded = Array.from({ length: n_tools }, (_, i) => `tool-${i}`);
    return joined({ label, labelStatus }, { label: labelCode(gold), tools: recorded });
  });
}
