import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/scoring/json.ts';
import { runs } from '../../support/soak.ts';
import { recordAt } from '../../support/folding.ts';
import { anyValue, documentOf, type JsonLog, logDocumentOf } from '../../support/otlp.ts';
import { called, folded, foldedLog, ran, said, type ShortSpan, spanOf } from '../../support/trace-runs.ts';

/* Spans as steps of the run at a place (docs/reference/runs.md, "Settings"): the key and all fields are looked for on the spans around each. */

const conversation = (id: string): object => ({ 'gen_ai.conversation.id': id });
const example = (id: string, more: object = {}): object => ({ 'assay.example_id': id, ...more });
const http = (id: string, parent: string): ShortSpan => ({
  ...{ id, in: parent, kind: 2, at: [0.5, 20] },
  has: { 'http.request.method': 'POST' },
});
const byConversation = { 'runs.by': 'attribute:gen_ai.conversation.id' };

/** Spans of one trace; the tag, the example, calls, results and words of each run. */
const table: readonly (readonly [
  what: string,
  values: Readonly<Record<string, unknown>>,
  spans: readonly ShortSpan[],
  expected: readonly unknown[],
  notes?: object,
])[] = [
  [
    'the key and the fields on the root, plain spans between',
    byConversation,
    [
      { id: 'root', at: [0, 9], has: { ...conversation('c'), ...example('q') } },
      http('h', 'root'),
      { id: 'a', in: 'h', at: [1, 2], has: called('f#1') },
      { id: 't', in: 'h', at: [2, 3], has: ran('f#1') },
      { id: 'b', in: 'h', at: [4, 5], has: said('done') },
    ],
    [['c', 'q', ['f'], [0], 'done', 2]],
  ],
  [
    'the key on the spans of models, the fields on the root',
    byConversation,
    [
      { id: 'root', at: [0, 9], has: example('q', { 'gen_ai.agent.name': 'helper' }) },
      { id: 'a', in: 'root', at: [1, 2], has: { ...called('f'), ...conversation('c') } },
      { id: 't', in: 'root', at: [2, 3], has: { ...ran('f'), ...conversation('c') } },
      { id: 'b', in: 'root', at: [4, 5], has: { ...said('done'), ...conversation('c') } },
    ],
    [['c', 'q', ['f'], [0], 'done', 2]],
  ],
  [
    'an example for each case of a trace, each with an agent within',
    { 'runs.by': 'example' },
    [
      { id: 'root', at: [0, 30] },
      ...['1', '2'].flatMap((at): ShortSpan[] => [
        { id: `case${at}`, in: 'root', at: [Number(at) * 10, 19], has: example(`q${at}`, conversation(`c${at}`)) },
        http(`h${at}`, `case${at}`),
        { id: `g${at}`, in: `h${at}`, at: [Number(at) * 10 + 1, 19], has: { 'gen_ai.operation.name': 'invoke_agent' } },
        { id: `a${at}`, in: `g${at}`, at: [Number(at) * 10 + 2, 19], has: called(`f${at}`) },
        { id: `t${at}`, in: `g${at}`, at: [Number(at) * 10 + 3, 19], has: ran(`f${at}`) },
      ]),
    ],
    [
      ['c1', 'q1', ['f1'], [0], undefined, 1],
      ['c2', 'q2', ['f2'], [0], undefined, 1],
    ],
  ],
  [
    'two answers without a call in one trace are two runs of the key',
    byConversation,
    [
      { id: 'root', at: [0, 9], has: { ...conversation('c'), ...example('q') } },
      { id: 'a', in: 'root', at: [1, 2], has: said('one') },
      { id: 'b', in: 'root', at: [3, 4], has: said('two') },
    ],
    [
      ['c', 'q', [], [], 'one', 1],
      ['c', 'q', [], [], 'two', 1],
    ],
  ],
  [
    'the same call seen by two libraries',
    byConversation,
    [
      { id: 'root', at: [0, 9], has: { ...conversation('c'), ...example('q') } },
      { id: 'a', in: 'root', at: [1, 4], has: called('f') },
      http('h', 'a'),
      { id: 'b', in: 'h', at: [2, 3], has: called('f') },
    ],
    [['c', 'q', ['f'], [], undefined, 1]],
  ],
  [
    'the only answer is that of an agent',
    byConversation,
    [
      { id: 'root', at: [0, 9], has: { ...conversation('c'), ...example('q') } },
      { id: 'a', in: 'root', at: [1, 4], has: { ...said('done'), 'gen_ai.operation.name': 'invoke_agent' } },
      { id: 't', in: 'a', at: [2, 3], has: ran('f') },
    ],
    [['c', 'q', ['f'], [0], 'done', 1]],
  ],
  [
    'without a key each answer is a run by itself',
    byConversation,
    [
      { id: 'root', at: [0, 9], has: example('q') },
      { id: 'a', in: 'root', at: [1, 2], has: called('f') },
      { id: 't', in: 'root', at: [2, 3], has: ran('f') },
      { id: 'b', in: 'root', at: [4, 5], has: said('done') },
    ],
    [
      [undefined, 'q', [], [], 'done', 1],
      [undefined, 'q', ['f'], [], undefined, 1],
    ],
  ],
];

const shown = (run: JsonObject): unknown => {
  const { example_id: id, tags, tool_calls: calls = [], results = [], output, steps } = run;
  return [
    (tags as JsonObject | undefined)?.['conversation'],
    id,
    (calls as readonly JsonObject[]).map(({ name }) => name),
    (results as readonly JsonObject[]).map(({ call }) => call),
    output,
    steps,
  ];
};

const inOrder = (all: readonly unknown[]): readonly unknown[] =>
  [...all].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

for (const [what, values, spans, expected] of table)
  test(`in any order, in any records, kills too: ${what}`, () => {
    const order = fc.shuffledSubarray([...spans], { minLength: spans.length });
    fc.assert(
      fc.property(order, fc.nat(spans.length), fc.boolean(), (some, killedAfter, isOne) => {
        const found = folded(isOne ? [some] : some.map((span) => [span]), values, killedAfter);
        assert.deepEqual(inOrder(found.runs.map(shown)), inOrder(expected));
      }),
      { numRuns: runs(8, 1_000) },
    );
  });

test('without a key a log record alone is no run, and one of an answer is a part of it', () => {
  const log = (spanId: string): JsonLog => ({
    ...{
      traceId: spanOf({ id: 'a' }).traceId!,
      spanId,
      eventName: 'gen_ai.choice',
      timeUnixNano: '1777593601000000000',
    },
    body: anyValue({ index: 0, message: { content: 'x' } }),
  });
  const { spanId, ...span } = spanOf({ id: 'a', has: { ...example('q'), 'gen_ai.operation.name': 'chat' } });
  const values = [documentOf([{ ...span, spanId: spanId! }]), logDocumentOf([log(spanId!), log('00000000000000ff')])];
  const { runs: made } = foldedLog(
    values.map((value, offset) => recordAt(value, offset)),
    byConversation,
  );
  assert.deepEqual(made.map(shown), [[undefined, 'q', [], [], 'x', 1]]);
});

test('a conversation goes on in the next trace, until an answer without a call', () => {
  const turn = (trace: string, from: number, has: object): ShortSpan[] => [
    { id: 'root', trace, at: [from, from + 2], has: { ...conversation('c'), ...example('q') } },
    { id: 'a', in: 'root', trace, at: [from, from + 1], has },
  ];
  const traces = [turn('1', 0, called('f')), turn('2', 10, said('x')), turn('3', 20, said('y'))];
  const { runs: made, notes } = folded(traces, byConversation);
  assert.deepEqual(made.map(shown), [
    ['c', 'q', ['f'], [], 'x', 2],
    ['c', 'q', [], [], 'y', 1],
  ]);
  assert.deepEqual(notes['late_steps'], undefined);
});
