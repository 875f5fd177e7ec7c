import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/scoring/json.ts';
import { called, folded, ran, said, type ShortSpan } from '../../support/trace-runs.ts';
import { runs } from '../../support/soak.ts';

/* Spans of anything but agents between those that make a run, in any order of arrival (docs/reference/runs.md, "The event of a run"). */

const http = (id: string, parent: string, kind = 3): ShortSpan => ({
  ...{ id, in: parent, kind, at: [0.5, 20] },
  has: { 'http.request.method': 'POST' },
});
const example = (id: string): object => ({ 'assay.example_id': id });
const root: ShortSpan = { id: 'root', at: [0, 30], has: { 'service.version': '1' } };
const chain = { 'openinference.span.kind': 'CHAIN' };

/** Spans, and the example, calls and words of each run. */
const table: readonly (readonly [what: string, spans: readonly ShortSpan[], expected: readonly unknown[]])[] = [
  [
    'two examples in one trace, each under a case span with plain spans between',
    [
      root,
      ...['1', '2'].flatMap((at): ShortSpan[] => [
        { id: `case${at}`, in: 'root', at: [1, 20], has: example(`q${at}`) },
        http(`c${at}`, `case${at}`),
        http(`s${at}`, `c${at}`, 2),
        { id: `a${at}`, in: `s${at}`, at: [2, 3], has: called(`f${at}`) },
        { id: `t${at}`, in: `s${at}`, at: [3, 4], has: ran(`f${at}`) },
        { id: `b${at}`, in: `s${at}`, at: [4, 5], has: said(`done ${at}`) },
      ]),
    ],
    [
      ['q1', ['f1'], [0], 'done 1'],
      ['q2', ['f2'], [0], 'done 2'],
    ],
  ],
  [
    'two libraries record a call of a model, with a plain span between',
    [
      root,
      { id: 'out', in: 'root', at: [1, 5], has: { ...called('f#1'), ...example('q') } },
      http('mid', 'out'),
      { id: 'in', in: 'mid', at: [2, 4], has: called('f#1') },
    ],
    [['q', ['f'], [], undefined]],
  ],
  [
    'a chain between two recordings of a call of a model',
    [
      root,
      { id: 'out', in: 'root', at: [1, 5], has: { ...called('f#1'), ...example('q') } },
      { id: 'mid', in: 'out', at: [1, 5], has: chain },
      { id: 'in', in: 'mid', at: [2, 4], has: called('f#1') },
    ],
    [['q', ['f'], [], undefined]],
  ],
  [
    'an answer around plain spans with several answers is their context',
    [
      root,
      { id: 'out', in: 'root', at: [1, 9], has: { ...said('all'), ...example('q') } },
      ...[http('m1', 'out'), http('m2', 'm1'), http('m3', 'out')],
      { id: 'a', in: 'm2', at: [2, 3], has: called('f') },
      { id: 'b', in: 'm3', at: [4, 5], has: said('done') },
    ],
    [['q', ['f'], [], 'done']],
  ],
  [
    'the client of MCP in a plain span in the tool',
    [
      { ...root, has: example('q') },
      { id: 'a', in: 'root', at: [1, 2], has: called('f#1', 'f#2') },
      { id: 'b', in: 'root', at: [2, 9], has: ran('f#1') },
      http('mid', 'b'),
      { id: 'c', in: 'mid', kind: 3, at: [3, 4], has: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'f' } },
    ],
    [['q', ['f', 'f'], [0], undefined]],
  ],
  [
    'an answer in a tool is an answer of its own',
    [
      { ...root, has: example('q') },
      { id: 'a', in: 'root', at: [1, 9], has: called('f#1') },
      { id: 'b', in: 'a', at: [2, 8], has: ran('f#1') },
      http('mid', 'b'),
      { id: 'c', in: 'mid', at: [3, 4], has: called('g#2') },
    ],
    [['q', ['f', 'g'], [0], undefined]],
  ],
  [
    'a circle of plain spans',
    [
      { ...root, has: example('q') },
      http('m1', 'm2'),
      http('m2', 'm1'),
      { id: 'a', in: 'm1', at: [1, 2], has: called('f') },
    ],
    [['q', ['f'], [], undefined]],
  ],
];

const shown = ({ example_id: id, tool_calls: calls = [], results = [], output }: JsonObject): unknown => [
  id,
  (calls as readonly JsonObject[]).map(({ name }) => name),
  (results as readonly JsonObject[]).map(({ call }) => call),
  output,
];

for (const [what, spans, expected] of table)
  test(`in any order and in any records, kills too: ${what}`, () => {
    const order = fc.shuffledSubarray([...spans], { minLength: spans.length });
    const cut = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: spans.length, maxLength: spans.length });
    fc.assert(
      fc.property(order, cut, fc.nat(spans.length), (some, sizes, killedAfter) => {
        const records: ShortSpan[][] = [];
        for (let from = 0; from < some.length; from += sizes[records.length - 1]!)
          records.push(some.slice(from, from + sizes[records.length]!));
        assert.deepEqual(folded(records, {}, killedAfter).runs.map(shown).sort(), expected);
      }),
      { numRuns: runs(10, 1_000) },
    );
  });

test('plain spans count as ignored, and as no step', () => {
  const { notes, steps } = folded([[root, http('m', 'root'), { id: 'a', in: 'm', at: [1, 2], has: said('x') }]]);
  assert.deepEqual([notes['spans_ignored'], steps], [1, 2]);
});
