import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ArgumentsOptions, argumentsFamily } from '../../src/scoring/arguments.ts';
import type { Joined, Mode } from '../../src/scoring/family.ts';
import { type Json, type JsonObject, jsonEqual } from '../../src/scoring/json.ts';
import type { Prediction } from '../../src/scoring/prediction.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { nested } from '../support/calls.ts';
import { testFamilyLaws } from '../support/family-laws.ts';
import { naiveFields, pooled } from '../support/fields.ts';
import { joined } from '../support/joined.ts';
import { blockOf, isPerfect, rowOf } from '../support/scoring.ts';
import { outcomeOf } from '../support/tally.ts';
import { events } from '../support/track-events.ts';

const rate = rateWith(z95);
const family = (mode: Mode = 'spec', emptyLeaves = false) => argumentsFamily({ mode, emptyLeaves });
const call = (name: string, args: JsonObject = {}) => ({ name, arguments: args });

test('the worked example of the docstring', () => {
  const event = joined({ calls: [call('f', { x: 1, y: 2 })] }, { expected: [call('f', { x: 1, y: 3, z: 4 })] });
  assert.deepEqual(rowOf(family(), event), {
    valid_call: true,
    name_match: true,
    args_exact: false,
    call_exact: false,
    tp: 1,
    fp: 1,
    fn: 2,
    issues: ['arguments_mismatch'],
  });
  const block = blockOf(family(), [event])!;
  assert.deepEqual(block, {
    n: 1,
    skipped: 0,
    valid_call_rate: rate(1, 1),
    name_match_rate: rate(1, 1),
    args_exact_rate: rate(0, 1),
    call_exact_rate: rate(0, 1),
    precision: 1 / 2,
    recall: 1 / 3,
    f1: 2 / 5,
    tp: 1,
    fp: 1,
    fn: 2,
  });
  assert.deepEqual(Object.keys(block).slice(0, 6), [
    'n',
    'skipped',
    'valid_call_rate',
    'name_match_rate',
    'args_exact_rate',
    'call_exact_rate',
  ]);
});

const one = [call('f', { x: 1 })];
const text = (value: string) => ({ kind: 'text', text: value }) as const;
const bad = 'valid - - 0/0/1 invalid_tool_call_format'.replace('valid', '-');
const good = 'valid name args 1/0/0';

const wants = (prediction: Partial<Prediction>) => joined(prediction, { expected: one });

/** What, then the row in short. */
const table: readonly [string, Joined, string][] = [
  ['equal', wants({ calls: one }), good],
  ['another name', wants({ calls: [call('g', { x: 1 })] }), 'valid - args 1/0/0 tool_name_mismatch'],
  ['nothing alike', wants({ calls: [call('g', { y: 1 })] }), 'valid - - 0/1/1 tool_name_mismatch arguments_mismatch'],
  ['no arguments', joined({ calls: [call('f')] }, { expected: [call('f')] }), 'valid name args 0/0/0'],
  ['two calls', wants({ calls: [...one, ...one] }), bad],
  ['no calls', wants({ calls: [] }), bad],
  ['a nameless call', wants({ calls: [{ name: undefined, arguments: { x: 1 } }] }), bad],
  ['a call named ""', wants({ calls: [call('', { x: 1 })] }), bad],
  ['malformed arguments', wants({ calls: [{ name: 'f', arguments: undefined }] }), bad],
  ['an error beside the calls', wants({ calls: one, error: 'boom' }), good],
  ['nothing at all', wants({}), bad],
  ['a text call', wants({ output: text('<tool_call name="f">{"x": 1.0}</tool_call>') }), good],
  [
    'a text call with space around its parts, of a tool with a longer name',
    joined(
      { output: text('\n<tool_call name="find it"> {"x": 1}\n</tool_call> ') },
      { expected: [call('find it', { x: 1 })] },
    ),
    good,
  ],
  ['a text call of no JSON', wants({ output: text('<tool_call name="f">{x: 1}</tool_call>') }), bad],
  [
    'a text call beside recorded calls does not count',
    wants({ calls: [], output: text('<tool_call name="f">{"x": 1}</tool_call>') }),
    bad,
  ],
  [
    'a text call beside an error does not count',
    wants({ error: '', output: text('<tool_call name="f">{"x": 1}</tool_call>') }),
    bad,
  ],
  ['a JSON output is no text', wants({ output: { kind: 'json', value: one as Json } }), bad],
  ['calls not recorded', wants({ callsNotRecorded: true }), 'none'],
  ['calls not recorded, nothing expected', joined({ callsNotRecorded: true }, { expected: [] }), 'none'],
  ['truth without expected calls', joined({ calls: one }, {}), 'none'],
  ['nothing expected', joined({ calls: one }, { expected: [] }), 'skipped'],
  ['two expected', joined({ calls: one }, { expected: [...one, ...one] }), 'skipped'],
  [
    'a reference named "" is no valid call',
    joined({ calls: one }, { expected: [call('', { x: 1 })] }),
    'valid - - 0/0/0 tool_name_mismatch',
  ],
  [
    'neither side valid',
    joined({ calls: [call('', { x: 1 })] }, { expected: [call('', { x: 1 })] }),
    '- - - 0/0/0 invalid_tool_call_format',
  ],
  [
    'deeply equal, but the last leaf of a path is another one',
    joined({ calls: [call('f', { 'a.b': 1, a: { b: 2 } })] }, { expected: [call('f', { a: { b: 2 }, 'a.b': 1 })] }),
    'valid name args 0/1/1',
  ],
  [
    'the same paths, but not deeply equal',
    joined({ calls: [call('f', { 'a.b': 1 })] }, { expected: [call('f', { a: { b: 1 } })] }),
    'valid name - 1/0/0 arguments_mismatch',
  ],
];
test('what is a valid call, and what its fields count', () => {
  for (const [name, event, wanted] of table) assert.equal(short(rowOf(family(), event)), wanted, name);
});

function short(row: JsonObject | undefined): string {
  if (row === undefined) return 'none';
  if (row['skipped']) return 'skipped';
  assert.equal(row['call_exact'], row['name_match'] && row['args_exact']);
  const flags = [row['valid_call'] && 'valid', row['name_match'] && 'name', row['args_exact'] && 'args'];
  const counts = `${row['tp']}/${row['fp']}/${row['fn']}`;
  return [...flags.map((flag) => flag || '-'), counts, ...(row['issues'] as string[])].join(' ');
}

test('empty containers are fields with the option', () => {
  const event = joined({ calls: [call('f', { a: {}, b: [] })] }, { expected: [call('f', { a: {}, b: {} })] });
  assert.equal(short(rowOf(family(), event)), 'valid name - 0/0/0 arguments_mismatch');
  assert.equal(short(rowOf(family('spec', true), event)), 'valid name - 1/1/1 arguments_mismatch');
  const none = joined({ calls: [call('f')] }, { expected: [call('f')] });
  assert.equal(short(rowOf(family('spec', true), none)), 'valid name args 1/0/0');
});

testFamilyLaws({
  family: argumentsFamily,
  options: fc.record({ mode: fc.constantFrom<Mode>('spec', 'upstream'), emptyLeaves: fc.boolean() }),
  events,
  oracle: definition,
  oracleRuns: 200,
});

/** The definition (docs/reference/scoring.md, "arguments") over the whole set at once, with path strings. */
function definition(all: readonly Joined[], { mode, emptyLeaves }: ArgumentsOptions): unknown {
  const applicable = all.filter(({ truth, prediction }) => truth.expected && !prediction.callsNotRecorded);
  const counted = applicable.filter(({ truth }) => mode === 'upstream' || truth.expected!.length === 1);
  if (applicable.length === 0) return null;
  const pairs = counted.map(({ prediction, truth }) => {
    const read =
      prediction.error === undefined && prediction.output.kind === 'text' ? callsIn(prediction.output.text) : [];
    return { given: onlyCall(prediction.calls ?? read), wanted: onlyCall(truth.expected!) };
  });
  const both = pairs.filter(({ given, wanted }) => given && wanted) as { given: Named; wanted: Named }[];
  const names = both.filter(({ given, wanted }) => given.name === wanted.name);
  const exact = (list: typeof both) =>
    list.filter(({ given, wanted }) => jsonEqual(given.arguments, wanted.arguments)).length;
  const n = counted.length;
  const sets = pairs
    .filter(({ wanted }) => wanted)
    .map(({ given, wanted }) => naiveFields(given?.arguments, wanted!.arguments, emptyLeaves));
  return {
    n,
    skipped: applicable.length - n,
    valid_call_rate: rate(pairs.filter(({ given }) => given).length, n),
    name_match_rate: rate(names.length, n),
    args_exact_rate: rate(exact(both), n),
    call_exact_rate: rate(exact(names), n),
    ...pooled(sets),
  };
}

interface Named {
  readonly name: string;
  readonly arguments: JsonObject;
}

function onlyCall(
  calls: readonly { name: string | undefined; arguments: JsonObject | undefined }[],
): Named | undefined {
  const [only, more] = calls;
  return only?.name && only.arguments && !more ? { name: only.name, arguments: only.arguments } : undefined;
}

/** The calls of a text, found without an expression over the whole. */
function callsIn(full: string): Named[] {
  const [open, close] = ['<tool_call name="', '</tool_call>'];
  const trimmed = full.trim();
  if (!trimmed.startsWith(open) || !trimmed.endsWith(close)) return [];
  const quote = trimmed.indexOf('"', open.length);
  if (trimmed[quote + 1] !== '>') return [];
  const body = trimmed.slice(quote + 2, -close.length).trim();
  try {
    return body.startsWith('{') ? [{ name: trimmed.slice(open.length, quote), arguments: JSON.parse(body) }] : [];
  } catch {
    return [];
  }
}

test('perfect is a row without issues, the verdict whether the call is exact', () => {
  fc.assert(
    fc.property(events, fc.constantFrom<Mode>('spec', 'upstream'), (event, mode) => {
      const row = rowOf(family(mode), event);
      const issues = (row?.['issues'] ?? []) as string[];
      assert.equal(isPerfect(family(mode), event), row && (row['skipped'] === true || issues.length === 0));
      const scored = outcomeOf(family(mode), event);
      // Judgements are compared with whether the call is exact; of a skipped event nothing is said.
      assert.equal(scored && family(mode).verdict!.of(scored.outcome), row?.['call_exact']);
    }),
  );
});

test('hostile values do no harm', () => {
  const deep = nested(100_000, 1, 'array');
  assert.equal(short(rowOf(family(), joined({ calls: [call('f', deep)] }, { expected: [call('f', deep)] }))), good);
  const body = `{"d":${'['.repeat(100_000)}1${']'.repeat(100_000)}}`;
  const wanted = { expected: [call('f', deep)] };
  assert.equal(
    short(rowOf(family(), joined({ output: text(`<tool_call name="f">${body}</tool_call>`) }, wanted))),
    good,
  );
  const spaces = ' '.repeat(200_000);
  for (const hostile of [
    `<tool_call name="f">{${'}'.repeat(200_000)}`,
    `<tool_call name="f">${spaces}{${spaces}}${spaces}<`,
    `${spaces}<tool_call name="${'x'.repeat(200_000)}`,
    `<tool_call name="f">{${'}</tool_call>'.repeat(20_000)}${spaces}.`,
  ]) {
    assert.equal(short(rowOf(family(), joined({ output: text(hostile) }, { expected: one }))), bad);
  }
});
