import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentsFamily } from '../../src/scoring/arguments.ts';
import type { Family, Joined, Mode } from '../../src/scoring/family.ts';
import { isObject, type Json, type JsonObject } from '../../src/scoring/json.ts';
import type { Rate } from '../../src/scoring/reading.ts';
import { structured } from '../../src/scoring/structured.ts';
import type { ExpectedCall } from '../../src/scoring/truth.ts';
import { recordedCases } from '../support/fixtures.ts';
import { joined } from '../support/joined.ts';
import { near } from '../support/near.ts';
import { blockOf, rowOf } from '../support/scoring.ts';

interface Pair {
  readonly pred: string;
  readonly ref: string;
}

interface Case {
  readonly name: string;
  readonly input: { readonly track?: 'structured' | 'toolcall'; readonly pairs: Pair[] };
  readonly expected: {
    readonly per_example: { valid: boolean; exact_match: boolean; issues: string[]; metrics: Record<string, number> }[];
    readonly summary: Record<string, number>;
  };
  readonly expected_spec?: { readonly summary: unknown; readonly rows: unknown[] };
}

test('the recorded cases of Fledgling', (t) => {
  const cases = recordedCases<Case>('fledgling').filter((one) => one.input.track !== undefined);
  assert.ok(cases.length > 20);
  for (const one of cases) {
    for (const mode of ['spec', 'upstream'] as const) {
      if (one.input.track === 'structured') {
        const events = one.input.pairs.map(({ pred, ref }) =>
          joined({ output: { kind: 'text', text: pred } }, { reference: JSON.parse(ref) as Json }),
        );
        check(one, mode, structured({ mode, emptyLeaves: false }), events, structuredNames);
      } else {
        const events = one.input.pairs.map(({ pred, ref }) =>
          joined({ output: { kind: 'text', text: pred } }, { expected: callsOf(ref) }),
        );
        check(one, mode, argumentsFamily({ mode, emptyLeaves: false }), events, argumentsNames);
      }
    }
  }
  t.diagnostic(`${cases.length} cases`);
});

/** Our names for the recorded ones. */
const structuredNames = {
  json_valid_rate: 'json_valid_rate',
  exact_match_rate: 'exact_match_rate',
  precision: 'field_precision',
  recall: 'field_recall',
  f1: 'field_f1',
};
const argumentsNames = {
  valid_call_rate: 'valid_call_rate',
  name_match_rate: 'name_match_rate',
  args_exact_rate: 'args_exact_rate',
  precision: 'args_precision',
  recall: 'args_recall',
  f1: 'args_f1',
};

function check<P, O>(
  one: Case,
  mode: Mode,
  family: Family<P, O, unknown>,
  events: readonly Joined[],
  names: Readonly<Record<string, string>>,
): void {
  const rows = events.map((event) => rowOf(family, event)!);
  const block = blockOf(family, events)!;
  if (mode === 'spec' && one.expected_spec) {
    near(rows, one.expected_spec.rows, one.name);
    near(block, one.expected_spec.summary, one.name);
    return;
  }
  if (mode === 'spec' && one.name === 'fl39_toolcall_invalid_ref') {
    assert.deepEqual(rows, [{ skipped: true }]);
    return;
  }
  for (const [ours, theirs] of Object.entries(names)) {
    const held = block[ours];
    const value = isObject(held) ? (held as unknown as Rate).value : held;
    near(value ?? 0, one.expected.summary[theirs], `${one.name} ${ours}`);
  }
  rows.forEach((row, i) => {
    const { valid, exact_match, issues, metrics } = one.expected.per_example[i]!;
    const where = `${one.name} ${i}`;
    assert.equal(row['json_valid'] ?? row['valid_call'], valid, where);
    assert.equal(row['exact_match'] ?? row['args_exact'], exact_match, where);
    assert.deepEqual(row['issues'], issues, where);
    if ('name_match' in metrics) assert.equal(row['name_match'], metrics['name_match'] === 1, where);
    const [tp, fp, fn] = [row['tp'] as number, row['fp'] as number, row['fn'] as number];
    near(tp + fp === 0 ? 0 : tp / (tp + fp), metrics['field_precision'] ?? metrics['args_precision'], where);
    near(tp + fn === 0 ? 0 : tp / (tp + fn), metrics['field_recall'] ?? metrics['args_recall'], where);
  });
}

/** The reference text as the truth row holds it: no call where it is none. */
function callsOf(text: string): ExpectedCall[] {
  const [, name, body] = /^<tool_call name="([^"]+)">\s*(\{[\s\S]*\})\s*<\/tool_call>$/.exec(text.trim()) ?? [];
  return name === undefined ? [] : [{ name, arguments: JSON.parse(body!) as JsonObject }];
}
