import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/scoring/json.ts';
import { called, type Folded, folded, ran, said, type ShortSpan } from '../../support/trace-runs.ts';

/* Spans of tools beside answers that were recorded with their calls, without them, or not at all (docs/reference/inputs.md, "OpenTelemetry"). */

const task: ShortSpan = { id: 'task', at: [0, 30], has: { 'assay.example_id': 'q' } };
const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
const ended = (reason: string): object => ({ ...chat, 'gen_ai.response.finish_reasons': [reason] });
const args = (given: unknown): object => ({ 'gen_ai.tool.call.arguments': given });
const mcp = (name: string): object => ({ 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': name });

/** Calls and results of the one run; none where it was refused. */
function shown({ runs, refused }: Folded): unknown {
  if (refused.length > 0) return refused;
  const [run] = runs as readonly JsonObject[];
  return [run?.['tool_calls'], run?.['results']];
}

const calls = (...names: readonly string[]): object[] =>
  names.map((each) => {
    const [name, id] = each.split('#');
    return { ...(id !== undefined && { id }), name, arguments: {} };
  });

/** Spans within the task, what the run shows, and how many tools ran without a call. */
const table: readonly (readonly [what: string, spans: readonly ShortSpan[], shown: unknown, unmatched?: number])[] = [
  [
    'an answer that was not recorded, and its tools',
    [
      { id: 'a', in: 'task', at: [1, 2], has: chat },
      { id: 'b', in: 'task', at: [3, 4], has: ran('g#2', args('{"x":1}')) },
      { id: 'c', in: 'task', at: [2, 3], has: ran('f#1') },
      { id: 'd', in: 'task', at: [5, 6], has: said('done') },
    ],
    [
      [
        { id: '1', name: 'f', arguments: {} },
        { id: '2', name: 'g', arguments: { x: 1 } },
      ],
      [
        { call: 0, ok: true },
        { call: 1, ok: true },
      ],
    ],
  ],
  [
    'no message was recorded, but its tool',
    [
      { id: 'a', in: 'task', at: [1, 2], has: chat },
      { id: 'b', in: 'task', at: [3, 4], failed: 'no', has: ran('f#1') },
    ],
    [calls('f#1'), [{ call: 0, ok: false, error: 'no' }]],
  ],
  [
    'an answer whose calls nothing tells, beside one whose calls are known',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1') },
      { id: 'b', in: 'task', at: [2, 3], has: ran('f#1') },
      { id: 'c', in: 'task', at: [3, 4], has: { ...chat, ...ended('tool_calls') } },
      { id: 'd', in: 'task', at: [5, 6], has: said('done') },
    ],
    ['no_decision'],
  ],
  [
    'an answer that was not recorded, whose tool was tried twice',
    [
      { id: 'a', in: 'task', at: [1, 2], has: { ...chat, ...ended('tool_calls') } },
      { id: 'b', in: 'task', at: [2, 3], failed: 'busy', has: ran('f#1') },
      { id: 'c', in: 'task', at: [3, 4], has: ran('f#1') },
    ],
    [
      calls('f#1'),
      [
        { call: 0, ok: false, error: 'busy' },
        { call: 0, ok: true },
      ],
    ],
  ],
  [
    'a tool that tells its failure in words',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1') },
      { id: 'b', in: 'task', at: [2, 3], has: { ...ran('f#1'), 'gen_ai.tool.call.result': 'Error: no' } },
    ],
    [calls('f#1'), [{ call: 0, ok: false, error: 'Error: no', output: 'Error: no' }]],
  ],
  [
    'an answer that ended in calls which are not in its message',
    [
      { id: 'a', in: 'task', at: [1, 2], has: { ...said('let me see'), ...ended('tool_calls') } },
      { id: 'b', in: 'task', at: [3, 4], has: ran('f') },
    ],
    [calls('f'), [{ call: 0, ok: true }]],
  ],
  [
    'one answer with its call, another not recorded: tools that fit the call are its results',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1') },
      { id: 'b', in: 'task', at: [2, 3], has: ran('f#1') },
      { id: 'c', in: 'task', at: [3, 4], has: chat },
      { id: 'd', in: 'task', at: [4, 5], has: ran('g#2') },
    ],
    [
      calls('f#1', 'g#2'),
      [
        { call: 0, ok: true },
        { call: 1, ok: true },
      ],
    ],
  ],
  ['nothing says what was called', [{ id: 'a', in: 'task', at: [1, 2], has: ended('tool_calls') }], ['no_decision']],
  [
    'nothing says what was called, and a later answer has words',
    [
      { id: 'a', in: 'task', at: [1, 2], has: ended('tool_use') },
      { id: 'b', in: 'task', at: [2, 3], has: said('done') },
    ],
    ['no_decision'],
  ],
  [
    'an answer that failed was not recorded: it called nothing',
    [
      { id: 'a', in: 'task', at: [1, 2], has: chat, failed: 'busy' },
      { id: 'b', in: 'task', at: [2, 3], has: ran('f') },
      { id: 'c', in: 'task', at: [3, 4], has: said('done') },
    ],
    [undefined, undefined],
    1,
  ],
  [
    'a tool that fits no call is counted',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1') },
      { id: 'b', in: 'task', at: [2, 3], has: ran('g#2') },
    ],
    [calls('f#1'), undefined],
    1,
  ],
  [
    'a tool within another is of no call, and not counted',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1') },
      { id: 'b', in: 'task', at: [2, 5], has: ran('f#1') },
      { id: 'c', in: 'b', at: [3, 4], has: ran('helper') },
    ],
    [calls('f#1'), [{ call: 0, ok: true }]],
  ],
  [
    'the client of MCP failed within the tool',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('gh__search#1') },
      { id: 'b', in: 'task', at: [2, 5], has: ran('gh__search#1') },
      { id: 'c', in: 'b', at: [3, 4], kind: 3, has: { ...mcp('search'), 'error.type': 'tool_error' } },
    ],
    [calls('gh__search#1'), [{ call: 0, ok: false, error: 'tool_error' }]],
  ],
  [
    'the client of MCP failed, and then did not',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1') },
      { id: 'b', in: 'task', at: [2, 5], has: ran('f#1') },
      { id: 'd', in: 'b', at: [4, 5], kind: 3, has: { ...mcp('f'), 'gen_ai.tool.call.result': 'x' } },
      { id: 'c', in: 'b', at: [3, 4], kind: 3, has: { ...mcp('f'), 'error.type': 'timeout' } },
    ],
    [calls('f#1'), [{ call: 0, ok: true, output: 'x' }]],
  ],
  [
    'the executor tried again under one id: the last attempt by its end counts, the first is seen',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1') },
      { id: 'b', in: 'task', at: [2, 3], failed: 'timeout', has: ran('f#1') },
      { id: 'c', in: 'task', at: [3, 4], has: ran('f#1') },
    ],
    [
      calls('f#1'),
      [
        { call: 0, ok: false, error: 'timeout' },
        { call: 0, ok: true },
      ],
    ],
  ],
  [
    'attempts that overlap: the one that ended last counts, not the one that began last',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1') },
      { id: 'b', in: 'task', at: [2, 6], failed: 'timeout', has: ran('f#1') },
      { id: 'c', in: 'task', at: [3, 4], has: ran('f#1') },
    ],
    [
      calls('f#1'),
      [
        { call: 0, ok: true },
        { call: 0, ok: false, error: 'timeout' },
      ],
    ],
  ],
  [
    'what an answer repeats is no attempt',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1') },
      { id: 'b', in: 'task', at: [2, 3], has: ran('f#1') },
      {
        ...{ id: 'c', in: 'task', at: [3, 4] },
        has: {
          ...said('done'),
          'gen_ai.input.messages': JSON.stringify([
            { role: 'tool', parts: [{ type: 'tool_call_response', id: '1', response: 'repeated' }] },
          ]),
        },
      },
    ],
    [calls('f#1'), [{ call: 0, ok: true }]],
  ],
  [
    'a tool that did not end leaves its call unanswered',
    [
      { id: 'a', in: 'task', at: [1, 2], has: called('f#1', 'f#2') },
      { id: 'b', in: 'task', at: [2], has: ran('f#1') },
      { id: 'c', in: 'task', at: [2, 3], has: ran('f#2') },
    ],
    [calls('f#1', 'f#2'), [{ call: 1, ok: true }]],
  ],
  [
    'a tool that did not end is a call all the same',
    [
      { id: 'a', in: 'task', at: [1, 2], has: chat },
      { id: 'b', in: 'task', at: [2], has: ran('f#1') },
    ],
    [calls('f#1'), undefined],
  ],
];

for (const [what, spans, expected, unmatched = 0] of table)
  test(what, () => {
    const found = folded([[...spans, task]]);
    assert.deepEqual(shown(found), expected);
    assert.equal(found.notes['results_unmatched'] ?? 0, unmatched);
    // The order in which spans come is of no account.
    assert.deepEqual(shown(folded([[task], ...[...spans].reverse().map((span) => [span])])), expected);
  });

const agentSaid = (text: string): object => ({ ...said(text), 'gen_ai.operation.name': 'invoke_agent' });

/** Spans of agents within the task; calls, words and answers of the run. */
const agents: readonly (readonly [what: string, spans: readonly ShortSpan[], expected: unknown])[] = [
  ['the only answer of a trace', [{ id: 'a', in: 'task', at: [1, 9], has: agentSaid('done') }], [undefined, 'done', 1]],
  [
    'with the tools that it ran, and an agent within it',
    [
      { id: 'a', in: 'task', at: [1, 9], has: agentSaid('done') },
      { id: 'b', in: 'a', at: [2, 3], has: ran('f') },
      { id: 'c', in: 'a', at: [4, 5], has: agentSaid('inner') },
    ],
    [calls('f'), 'done', 1],
  ],
  [
    'beside a model of which no message was recorded',
    [
      { id: 'a', in: 'task', at: [1, 9], has: agentSaid('done') },
      { id: 'b', in: 'a', at: [2, 3], has: chat },
    ],
    [undefined, 'done', 1],
  ],
  [
    'around a recorded model: that counts',
    [
      { id: 'a', in: 'task', at: [1, 9], has: agentSaid('done') },
      { id: 'b', in: 'a', at: [2, 3], has: called('f') },
    ],
    [calls('f'), undefined, 1],
  ],
];

for (const [what, spans, expected] of agents)
  test(`the answer of an agent: ${what}`, () => {
    const { runs, notes } = folded([[...spans, task]]);
    assert.deepEqual(
      runs.map((run) => [run['tool_calls'], run['output'], run['steps']]),
      [expected],
    );
    assert.deepEqual(
      Object.keys(notes).filter((kind) => /runs_|results_/.test(kind)),
      [],
    );
  });
