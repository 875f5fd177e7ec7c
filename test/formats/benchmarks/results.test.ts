import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resultsReader } from '../../../src/config/settings.ts';
import type { ResultForm } from '../../../src/formats/benchmarks/results.ts';
import { isRejected } from '../../../src/stream/event.ts';
import { recordOf } from '../../support/event-reader.ts';
import { configWith } from '../../support/folding.ts';

/* What agents did in benchmarks, as these write it (docs/reference/truth.md, "Results of benchmarks"). */

const call = { id: 'c', type: 'function', function: { name: 'cancel', arguments: '{"id":"X1"}' } };
const messages = [
  { role: 'user', content: 'please' },
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c', content: 'done' },
  { role: 'assistant', content: 'Cancelled.' },
  { role: 'user', content: '###STOP###' },
];
const flat = { id: 'c', name: 'cancel', arguments: { id: 'X1' }, requestor: 'assistant' };

type Row = readonly [
  id: string,
  run: number | undefined,
  success: boolean | undefined,
  calls: number,
  words: string | undefined,
];

const rows: readonly (readonly [what: string, ResultForm, object, readonly Row[]])[] = [
  [
    'tau-bench',
    'tau-results',
    { task_id: 3, trial: 1, reward: 1.0, traj: messages },
    [['3', 1, true, 1, 'Cancelled.']],
  ],
  [
    'tau2-bench',
    'tau-results',
    {
      info: { agent_info: { llm: 'gpt' } },
      simulations: [
        {
          task_id: '7',
          trial: 0,
          reward_info: { reward: 0 },
          messages: [
            { role: 'assistant', content: 'Hello.' },
            { role: 'assistant', content: null, tool_calls: [flat] },
            { role: 'tool', id: 'c', content: 'x', requestor: 'assistant', error: true },
          ],
        },
      ],
    },
    [['7', 0, false, 1, 'Hello.']],
  ],
  [
    'SWE-agent, actions',
    'swe-agent',
    { environment: 'repo-1', trajectory: [{ action: 'ls', observation: 'a.ts' }, { action: 'submit' }] },
    [['repo-1', undefined, undefined, 2, undefined]],
  ],
  [
    'SWE-agent, calls',
    'swe-agent',
    { info: { instance_id: 'i-2' }, trajectory: [], history: messages },
    [['i-2', undefined, undefined, 1, 'Cancelled.']],
  ],
  [
    'BFCL, parallel',
    'bfcl-results',
    { id: 'parallel_1', result: [{ f: '{"a":1}' }, { g: '{}' }] },
    [['parallel_1', undefined, undefined, 2, undefined]],
  ],
  [
    'BFCL, turns of steps',
    'bfcl-results',
    { id: 'multi_turn_1', result: [[[{ f: '{}' }], [{ g: '{}' }]], [[{ h: '{}' }]]] },
    [['multi_turn_1', undefined, undefined, 3, undefined]],
  ],
  ['BFCL, words', 'bfcl-results', { id: 'i_1', result: 'I cannot.' }, [['i_1', undefined, undefined, 0, 'I cannot.']]],
  [
    'Inspect',
    'inspect',
    {
      eval: { model: 'openai/gpt' },
      samples: [
        { id: 's', epoch: 2, messages, scores: { match: { value: 'C' } } },
        { id: 't', epoch: 1, messages: [], scores: { match: { value: 'I' } }, error: { message: 'timeout' } },
      ],
    },
    [
      ['s', 1, true, 1, 'Cancelled.'],
      ['t', 0, false, 0, undefined],
    ],
  ],
];

for (const [what, form, record, expected] of rows)
  test(`results of ${what}`, () => {
    const { events } = resultsReader(configWith({}), form).read(recordOf(JSON.stringify(record)));
    const found = events.map((event) => {
      assert.ok(!isRejected(event), JSON.stringify(event));
      const { exampleId, run, prediction } = event;
      const { output, calls, success } = prediction;
      return [exampleId, run, success, calls?.length ?? 0, output.kind === 'text' ? output.text : undefined];
    });
    assert.deepEqual(found, expected);
  });

for (const [form, record, detail] of [
  ['tau-results', {}, /has neither traj nor simulations, so it is no record of tau-results/],
  ['bfcl-results', { id: 'a', result: '[f(a=1)]' }, /has Python text as its result/],
  ['inspect', { samples: 1 }, /has no samples/],
] as const)
  test(`a record that is none of ${form}`, () => {
    const [event] = resultsReader(configWith({}), form).read(recordOf(JSON.stringify(record))).events;
    assert.ok(event !== undefined && isRejected(event));
    assert.match(event.detail, detail);
  });
