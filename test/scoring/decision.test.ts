import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DecisionOptions, decision } from '../../src/scoring/decision/index.ts';
import type { Joined } from '../../src/scoring/family.ts';
import type { Json } from '../../src/scoring/json.ts';
import { type Label, type LabelStatus, labelCode, labels } from '../../src/scoring/label.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { joined } from '../support/joined.ts';
import { near } from '../support/near.ts';
import { blockOf, isPerfect, rowOf } from '../support/scoring.ts';

const rate = rateWith(z95);
const family = (options: Partial<DecisionOptions> = {}) => decision({ mode: 'spec', invalidAs: 'wrong', ...options });

interface Sides {
  readonly truthTools?: readonly Json[];
  readonly eventTools?: readonly Json[];
  /** Names of the calls made; `undefined` is a call without a name. */
  readonly calls?: readonly (string | undefined)[];
}

/** A gold label against a predicted one; `missing` and anything that is no label are such a prediction. */
function decided(gold: Label, predicted: string, { truthTools, eventTools, calls }: Sides = {}): Joined {
  const code = labelCode(predicted);
  const labelStatus: LabelStatus = predicted === 'missing' ? 'missing' : code === 4 ? 'invalid' : 'given';
  return joined(
    { label: code, labelStatus, tools: eventTools, calls: calls?.map((name) => ({ name, arguments: {} })) },
    { label: labelCode(gold), tools: truthTools },
  );
}

/** The numbers of a block that a test asks for; a rate as `numerator/denominator`. */
function read(events: readonly Joined[], names: readonly string[], options: Partial<DecisionOptions> = {}): unknown[] {
  const block = blockOf(family(options), events)!;
  return names.map((name) => {
    const value = block[name] as number | { numerator: number; denominator: number };
    return typeof value === 'object' && value !== null ? `${value.numerator}/${value.denominator}` : value;
  });
}

const none = { direct: 0, tool_call: 0, request_for_info: 0, cannot_answer: 0, invalid: 0 };
const absent = { precision: 0, recall: 0, f1: 0, support: 0 };

test('the worked example of the docstring, every number of the block', () => {
  const events = [
    decided('tool_call', 'tool_call'),
    decided('tool_call', 'direct'),
    decided('request_for_info', 'tool_call'),
    decided('cannot_answer', 'tool_call', { truthTools: [] }),
  ];
  const block = blockOf(family(), events)!;
  near(block, {
    n: 4,
    accuracy: rate(1, 4),
    macro_f1: 0.1,
    macro_f1_no_direct: 0.4 / 3,
    macro_f1_present: 0.1,
    confusion: {
      direct: none,
      tool_call: { ...none, tool_call: 1, direct: 1 },
      request_for_info: { ...none, tool_call: 1 },
      cannot_answer: { ...none, tool_call: 1 },
    },
    per_class: {
      direct: absent,
      tool_call: { precision: 1 / 3, recall: 1 / 2, f1: 0.4, support: 2 },
      request_for_info: { ...absent, support: 1 },
      cannot_answer: { ...absent, support: 1 },
    },
    tool_hall: rate(1, 1),
    answer_hall: rate(1, 4),
    param_hall: rate(1, 1),
    tool_hall_any: rate(1, 1),
    unknown_tool: rate(0, 0),
    missing: 0,
    invalid: 0,
    inferred: 0,
  });
  const keys =
    'n accuracy macro_f1 macro_f1_no_direct macro_f1_present confusion per_class tool_hall answer_hall param_hall tool_hall_any unknown_tool missing invalid inferred';
  assert.equal(Object.keys(block).join(' '), keys);
  assert.deepEqual(Object.keys(block['confusion'] as object), labels);
  assert.deepEqual(Object.keys((block['confusion'] as Record<string, object>)['direct']!), [...labels, 'invalid']);
});

test('nothing scored: no block; does not apply without a gold label', () => {
  const unlabelled = joined({ label: 1, labelStatus: 'given' }, { expected: [] });
  assert.equal(blockOf(family(), []), null);
  assert.equal(blockOf(family(), [unlabelled]), null);
  assert.equal(rowOf(family(), unlabelled), undefined);
  assert.equal(isPerfect(family(), unlabelled), undefined);
});

const named: readonly Json[] = ['open'];

/** Tools of the truth row and of the event, then tool_hall and tool_hall_any of gold `cannot_answer`, predicted `tool_call`. */
const toolHall: readonly (readonly [string, Sides, string, string])[] = [
  ['no tools on the truth row', { truthTools: [] }, '1/1', '1/1'],
  ['no tools on the truth row, some on the event', { truthTools: [], eventTools: named }, '1/1', '1/1'],
  ['tools on the truth row', { truthTools: named }, '0/0', '1/1'],
  ['tools on the truth row, none on the event', { truthTools: named, eventTools: [] }, '0/0', '1/1'],
  ['the truth row records none: no tools on the event', { eventTools: [] }, '1/1', '1/1'],
  ['the truth row records none: tools on the event', { eventTools: named }, '0/0', '1/1'],
  ['recorded on neither side', {}, '0/0', '1/1'],
];
for (const [name, sides, hall, any] of toolHall) {
  test(`tool_hall: ${name}; declining counts, other gold labels do not`, () => {
    const called = decided('cannot_answer', 'tool_call', sides);
    assert.deepEqual(read([called], ['tool_hall', 'tool_hall_any']), [hall, any]);
    const hallucinated = hall === '1/1';
    assert.deepEqual(rowOf(family(), called)!['hallucinations'], hallucinated ? ['tool'] : []);
    const declined = decided('cannot_answer', 'cannot_answer', sides);
    assert.deepEqual(read([called, declined], ['tool_hall', 'tool_hall_any']), [hallucinated ? '1/2' : '0/0', '1/2']);
    const others = (['direct', 'tool_call', 'request_for_info'] as const).map((gold) =>
      decided(gold, 'tool_call', sides),
    );
    assert.deepEqual(read(others, ['tool_hall', 'tool_hall_any']), ['0/0', '0/0']);
    for (const other of others)
      assert.equal((rowOf(family(), other)!['hallucinations'] as string[]).includes('tool'), false);
  });
}

const tools: readonly Json[] = [
  'open',
  { name: 'close', parameters: {} },
  { type: 'function', function: { name: 'find' } },
  { name: 7 },
  3,
];

/** Calls, and which of them are to unknown tools. */
const unknown: readonly (readonly [string, Sides, string])[] = [
  ['a known tool in each form', { truthTools: tools, calls: ['open', 'close', 'find'] }, '0/3'],
  ['names are case-sensitive', { truthTools: tools, calls: ['Open', 'open'] }, '1/2'],
  ['a call without a name is unknown', { truthTools: tools, calls: [undefined, 'open'] }, '1/2'],
  ['a nameless tool is no tool of a nameless call', { truthTools: [{ name: 7 }], calls: [undefined] }, '1/1'],
  ['a call named "" is a name', { truthTools: [''], calls: [''] }, '0/1'],
  ['no tools: every call is unknown', { truthTools: [], calls: ['open', 'find'] }, '2/2'],
  ['tools of the event where the truth row records none', { eventTools: tools, calls: ['open', 'x'] }, '1/2'],
  ['the truth row wins', { truthTools: ['x'], eventTools: tools, calls: ['open', 'x'] }, '1/2'],
  ['the truth row wins with no tools', { truthTools: [], eventTools: tools, calls: ['open'] }, '1/1'],
  ['no tools on the event', { eventTools: [], calls: ['open'] }, '1/1'],
  ['recorded on neither side: in no denominator', { calls: ['open'] }, '0/0'],
  ['no calls', { truthTools: tools, calls: [] }, '0/0'],
  ['calls absent', { truthTools: tools }, '0/0'],
];
for (const [name, sides, wanted] of unknown) {
  test(`unknown_tool: ${name}`, () => {
    const event = decided('tool_call', 'tool_call', sides);
    assert.deepEqual(read([event], ['unknown_tool']), [wanted]);
    assert.deepEqual(rowOf(family(), event)!['hallucinations'], /^0/.test(wanted) ? [] : ['unknown_tool']);
    // The label does not matter.
    assert.deepEqual(read([decided('direct', 'direct', sides)], ['unknown_tool']), [wanted]);
  });
}

test('missing and invalid labels: a column of their own, or cannot_answer', () => {
  const events = [
    decided('cannot_answer', 'missing', { truthTools: [] }),
    decided('cannot_answer', 'Tool_Call', { truthTools: [] }),
    decided('tool_call', ''),
    decided('tool_call', 'tool_call'),
  ];
  const names = ['accuracy', 'missing', 'invalid', 'tool_hall', 'answer_hall'];
  const declined = (part: 'confusion' | 'per_class', options: Partial<DecisionOptions>) =>
    (blockOf(family(options), events)![part] as Record<Label, object>).cannot_answer;

  assert.deepEqual(read(events, names), ['1/4', 1, 2, '0/2', '0/4']);
  assert.deepEqual(declined('confusion', {}), { ...none, invalid: 2 });
  near(declined('per_class', {}), { precision: 0, recall: 0, f1: 0, support: 2 });

  // Garbage then seems to decline, rightly where the gold label is cannot_answer.
  const coerced = { invalidAs: 'cannot_answer' } as const;
  assert.deepEqual(read(events, names, coerced), ['3/4', 1, 2, '0/2', '0/4']);
  assert.deepEqual(declined('confusion', coerced), { ...none, cannot_answer: 2 });
  near(declined('per_class', coerced), { precision: 2 / 3, recall: 1, f1: 4 / 5, support: 2 });

  // Upstream counts a missing label as an invalid one, too; the option is the same.
  const upstream = { mode: 'upstream' } as const;
  assert.deepEqual(read(events, names, { ...upstream, ...coerced }), ['3/4', 1, 3, '0/2', '0/4']);
  assert.deepEqual(read(events, names, upstream), ['1/4', 1, 3, '0/2', '0/4']);
});

test('rows: what was decided, how the label came about, every hallucination of the event in order', () => {
  const row = (event: Joined, options: Partial<DecisionOptions> = {}) => rowOf(family(options), event);
  const sides = { truthTools: [], calls: ['x'] };
  assert.deepEqual(row(decided('cannot_answer', 'tool_call', sides)), {
    gold: 'cannot_answer',
    predicted: 'tool_call',
    label_status: 'given',
    correct: false,
    hallucinations: ['tool', 'unknown_tool'],
  });
  assert.deepEqual(row(decided('request_for_info', 'tool_call', sides))!['hallucinations'], ['param', 'unknown_tool']);
  assert.deepEqual(row(decided('tool_call', 'direct', sides))!['hallucinations'], ['answer', 'unknown_tool']);
  const event = decided('cannot_answer', 'missing');
  const missing = { gold: 'cannot_answer', label_status: 'missing', hallucinations: [] };
  assert.deepEqual(row(event), { ...missing, predicted: 'invalid', correct: false });
  const coerced = { ...missing, predicted: 'cannot_answer', correct: true };
  assert.deepEqual(row(event, { invalidAs: 'cannot_answer' }), coerced);
  const derived = rowOf(family(), joined({ calls: [{ name: 'a', arguments: {} }] }, { label: 1 }))!;
  assert.deepEqual([derived['label_status'], derived['correct'], derived['hallucinations']], ['derived', true, []]);
});
