import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { fieldsOf, named, ok, root, runsOf, type Short, startMs, tool } from '../support/short-steps.ts';

/** Rows of docs/reference/runs.md, "The event of a run": steps, and fields of the event; undefined: the event has no such field. */
const table: readonly (readonly [what: string, Short[], Record<string, Json | undefined>, namesModels?: boolean])[] = [
  [
    'calls of all steps',
    [
      { at: 1, given: named('a', 'b') },
      { at: 2, given: named('c') },
    ],
    named('a', 'b', 'c'),
  ],
  ['no step says which calls it has', [{ at: 1 }], { tool_calls: undefined, results: undefined }],
  ['no step has a call', [{ at: 1 }, { at: 2, given: { tool_calls: [] } }], { tool_calls: [], results: undefined }],
  ['words of the last step that has some', said('one', 'two', undefined), { output: 'two' }],
  ['label of the last step that gives one', labelled('direct', 'cannot_answer', undefined), { label: 'cannot_answer' }],
  ['label of the root', [root(3, { label: 'direct' }), { at: 1, parent: 'root' }], { label: 'direct' }],
  ['an error that was recovered from', failed('timeout', undefined), { error: undefined }],
  ['an error of the last step', failed(undefined, 'timeout'), { error: 'timeout' }],
  ['a refusal of the last step', [{ at: 1 }, { at: 2, given: { refused: true } }], { refused: true }],
  [
    'tools of all steps, each name once',
    [
      { at: 1, given: { tools: [{ name: 'a', description: 'first' }, 'b'] } },
      { at: 2, given: { tools: [{ name: 'a', description: 'second' }, { name: 'c' }] } },
    ],
    { tools: [{ name: 'a', description: 'first' }, 'b', { name: 'c' }] },
  ],
  ['no step has a list of tools', [{ at: 1 }], { tools: undefined }],
  ['a list of no tools', [{ at: 1 }, { at: 2, given: { tools: [] } }], { tools: [] }],
  [
    'model and agent of the root',
    [root(2, { model: 'm0', agent: 'a0' }), { at: 1, given: { model: 'm1', agent: 'a1' } }],
    { model: 'm0', agent: 'a0' },
  ],
  [
    'model and agent of the first step',
    [
      { at: 1, given: { model: 'm1' } },
      { at: 2, given: { model: 'm2', agent: 'a2' } },
    ],
    { model: 'm1', agent: 'a2' },
  ],
  [
    'agent of the span around the first step',
    [root(9), { at: 8, part: 'context', id: 's', parent: 'root', given: { agent: 'inner' } }, { at: 1, parent: 's' }],
    { agent: 'inner' },
  ],
  [
    'tags: of the root before those of the first step, those around it, and the resource',
    [
      root(9, { tags: { a: 'root' } }),
      { at: 8, part: 'context', id: 's', parent: 'root', given: { tags: { a: 's', b: 's', c: 's' } } },
      { at: 1, parent: 's', given: { tags: { b: 'first' }, shared: { tags: { c: 'shared', d: 'shared' } } } },
      { at: 2, given: { tags: { e: 'second' } } },
    ],
    { tags: { a: 'root', b: 'first', c: 's', d: 'shared' } },
  ],
  ['tag of models, where a slice names it', modelled('b', 'a', 'b'), { model: 'b', tags: { models: 'a,b' } }, true],
  ['no slice names the models', modelled('b', 'a'), { model: 'b', tags: undefined }],
  [
    'example, run and success of the first step, else of the spans around it, any step, the resource',
    [
      root(9, { run: 3 }),
      { at: 1, parent: 'root', given: { shared: { success: false, example_id: 'shared' } } },
      { at: 2, given: { success: true } },
    ],
    { example_id: 'shared', run: 3, success: true },
  ],
  [
    'times: the end of the last step, and from the begin of the first; what surrounds them has none',
    [
      root(9, {}, { start: startMs }),
      { at: 5, start: startMs + 2_000 },
      tool(7, { name: 'a' }, { start: startMs + 5_500 }),
    ],
    { ts: startMs + 7_000, run_seconds: 5, steps: 1 },
  ],
  [
    'no times at all',
    [
      { at: Number.NaN, given: named('a') },
      { at: Number.NaN, given: named('b') },
    ],
    { ts: undefined, run_seconds: undefined, ...named('a', 'b') },
  ],
  [
    'a step without a time comes first',
    [
      { at: Number.NaN, given: named('a') },
      { at: 1, given: named('b') },
    ],
    { ts: startMs + 1_000, run_seconds: 0, ...named('a', 'b') },
  ],
  ['words were read of a form', [{ at: 1, given: { words: true } }, { at: 2 }], { words: true, steps: 2 }],
];

for (const [what, steps, expected, namesModels] of table)
  test(`a run has: ${what}`, () => {
    const given = fieldsOf(steps, namesModels);
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(given[name], value, name);
    assert.equal(given['event_id'], 'key');
  });

/** Steps of calls, and the names of the run's calls in order. */
test('an answer around several others is none of its own, and a tool in itself gives one result', () => {
  const around: Short = { at: 0, id: 'o', given: { ...named('c'), output: 'all' } };
  const failed: Short = { at: 1, id: 'a', parent: 'o', given: { error: 'busy' } };
  const given = fieldsOf([around, failed, { at: 2, id: 'b', parent: 'o', given: named('a', 'b') }]);
  assert.deepEqual([namesOf(given), given['steps'], given['error'], given['output']], ['a b', 2, undefined, undefined]);
  const outer = tool(2, { name: 'a', ok: true }, { id: 't' });
  const inner = tool(2.5, { name: 'a', ok: true }, { id: 'u', parent: 't' });
  const results = fieldsOf([{ at: 1, given: named('a', 'a') }, outer, inner, tool(3, { name: 'a', ok: false })])[
    'results'
  ];
  assert.deepEqual(JSON.stringify(results), '[{"call":0,"ok":true},{"call":1,"ok":false}]');
});

const orders: readonly (readonly [what: string, Short[], string])[] = [
  ['by start, not as they came', calls([3, 'c'], [1, 'a'], [2, 'b']), 'a b c'],
  ['by place in the log where starts are equal', calls([1, 'a'], [1, 'b']), 'a b'],
  [
    'by start, not by end',
    [
      { at: 5, start: startMs, given: named('a') },
      { at: 2, given: named('b') },
    ],
    'a b',
  ],
  [
    'behind the answer that it follows, whatever its clock says',
    [
      { at: 1, id: 'two', follows: 'one', given: named('b') },
      { at: 2, id: 'one', given: named('a') },
      { at: 0, follows: 'two', given: named('c') },
    ],
    'a b c',
  ],
  [
    'behind the span that it lies in',
    [
      { at: 1, id: 'in', parent: 'around', given: named('b') },
      { at: 2, part: 'tool', id: 'around', parent: 'out', given: {} },
      { at: 3, id: 'out', given: named('a') },
    ],
    'a b',
  ],
  [
    'circles of parents are broken where they begin',
    [
      { at: 1, id: 'x', follows: 'y', given: named('b') },
      { at: 2, id: 'y', follows: 'x', given: named('a') },
      { at: 3, id: 'z', follows: 'z', given: named('c') },
    ],
    'a b c',
  ],
];

for (const [what, steps, names] of orders)
  test(`steps lie in order: ${what}`, () => {
    assert.equal(namesOf(fieldsOf(steps)), names);
  });

test('an answer within another is the same answer; one that follows another is not', () => {
  const outer: Short = { at: 3, start: startMs, id: 'o', given: { model: 'm', error: 'retried' } };
  const inner = { id: 'i', parent: 'o', given: { model: 'other', tool_calls: [{ name: 'a' }], words: true } };
  const log = { id: 'i/gen_ai.choice/1/0', parent: 'i', given: { output: 'x' } };
  const both = fieldsOf([{ at: 2, ...inner }, outer, { at: 2.5, ...log }]);
  assert.deepEqual(
    { model: 'm', error: 'retried', output: 'x', steps: 1, ...named('a') },
    Object.fromEntries(['model', 'error', 'output', 'steps', 'tool_calls'].map((name) => [name, both[name]])),
  );
  const { parent, ...other } = inner;
  const chain = fieldsOf([outer, { at: 4, follows: parent, ...other }]);
  assert.deepEqual([chain['steps'], chain['error'], namesOf(chain)], [2, undefined, 'a']);
});

test('a trace whose steps name several examples is a run of each; a step that names none is in the first, in its order', () => {
  const example = (id: string, at: number, own: string): Short[] => [
    { at: at + 1, part: 'context', id, parent: 'root', given: { example_id: id, run: 1 } },
    { at, parent: id, given: named(own) },
    { at: at + 0.5, parent: id, given: named(`${own}2`) },
  ];
  const steps = [root(9, { agent: 'a' }), ...example('q1', 1, 'f'), ...example('q2', 4, 'g')];
  const runs = runsOf([...steps, { at: 1.2, given: named('h') }, { at: 5, part: 'tool', given: {} }]);
  const seen = runs.map(({ given }) => [given['event_id'], given['example_id'], given['agent'], namesOf(given)]);
  assert.deepEqual(seen, [
    ['key/q1/1', 'q1', 'a', 'f h f2'],
    ['key/q2/1', 'q2', 'a', 'g g2'],
  ]);
});

test('a run without an answer of a model is none, and the place of a run is its first record', () => {
  assert.deepEqual(runsOf([root(3), tool(2, ok('1', 'f', 'x'))]), []);
  const [run] = runsOf([
    { at: 3, offset: 7, element: 2 },
    { at: 1, offset: 7, element: 3 },
    { at: 2, offset: 8, element: 0 },
  ]);
  assert.deepEqual([run!.offset, run!.element], [7, 2]);
});

function said(...words: readonly (string | undefined)[]): Short[] {
  return words.map((output, at) => ({ at, given: output === undefined ? named('f') : { output } }));
}

function labelled(...labels: readonly (string | undefined)[]): Short[] {
  return labels.map((label, at) => ({ at, given: label === undefined ? {} : { label } }));
}

function failed(...errors: readonly (string | undefined)[]): Short[] {
  return errors.map((error, at) => ({ at, given: error === undefined ? { output: 'x' } : { error } }));
}

function modelled(...models: readonly string[]): Short[] {
  return models.map((model, at) => ({ at, given: { model } }));
}

function calls(...given: readonly (readonly [at: number, name: string])[]): Short[] {
  return given.map(([at, name]) => ({ at, given: named(name) }));
}

function callsIn({ tool_calls: given }: JsonObject): readonly JsonObject[] {
  return given as readonly JsonObject[];
}

function namesOf(given: JsonObject): string {
  return callsIn(given)
    .map(({ name }) => name)
    .join(' ');
}
