import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runsRead, shortOf } from '../../support/runs-read.ts';

/* Answers of providers as steps of runs, one example each: which of them are one run, and what is said of it. */

const atSeconds = 1_777_636_800;
const example = { metadata: { example_id: 'q' } };
const call = (name: string, id = name): object => ({ id, type: 'function', function: { name, arguments: '{}' } });

interface Choice {
  readonly index?: number;
  readonly finish_reason?: string;
  readonly content?: unknown;
  readonly tool_calls?: unknown;
}

const answers = { next: 0 };
const chat = (at: number, ...choices: readonly Choice[]): object => ({
  ...{ ...example, id: `c${answers.next++}`, created: atSeconds + at, model: 'm' },
  choices: choices.map(({ index, finish_reason, ...message }) => ({
    ...(index !== undefined && { index }),
    ...(finish_reason !== undefined && { finish_reason }),
    message: { role: 'assistant', ...message },
  })),
});
const called = (name: string): Choice => ({ index: 0, finish_reason: 'tool_calls', tool_calls: [call(name)] });
const said = (content: string, finish_reason = 'stop'): Choice => ({ index: 0, finish_reason, content });
const piece = (message: Choice): Choice => ({ finish_reason: 'tool_calls', ...message });

const anthropic = (at: number, reason: string, ...content: readonly object[]): object => ({
  ...{
    ...example,
    id: `m${answers.next++}`,
    ts: (atSeconds + at) * 1_000,
    type: 'message',
    role: 'assistant',
    content,
  },
  stop_reason: reason,
});
const text = (words: string): object => ({ type: 'text', text: words });
const use = (name: string): object => ({ type: 'tool_use', id: name, name, input: {} });

const response = (
  id: string,
  follows: string | null,
  at: number,
  item: object,
  more: object = { status: 'completed' },
): object => ({
  ...{ ...example, object: 'response', id, previous_response_id: follows, created_at: atSeconds + at, output: [item] },
  ...more,
});
const item = (name: string): object => ({ type: 'function_call', call_id: name, name, arguments: '{}' });
const message = (words: string): object => ({
  ...{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] },
});
const incomplete = (reason: string): object => ({ status: 'incomplete', incomplete_details: { reason } });

const native = (at: number, more: object): object => ({
  ...{
    example_id: 'q',
    event_id: `n${answers.next++}`,
    ts: (atSeconds + at) * 1_000,
    tool_calls: [{ name: 'f' }],
    ...more,
  },
});

const table: readonly (readonly [what: string, records: readonly object[], runs: readonly string[]])[] = [
  [
    'words and a call in two choices without index, both stopped for calls (Claude of GitHub Copilot)',
    [chat(0, piece({ content: 'Wait.' }), piece({ tool_calls: [call('f')] })), chat(2, said('Done.'))],
    ['f "Done."'],
  ],
  [
    'calls in two choices of one index',
    [chat(0, called('f'), said('Wait.'), { ...called('g'), content: '' }), chat(2, said('Done.'))],
    ['f g "Done."'],
  ],
  ['alternatives are runs', [chat(0, called('f'), { ...said('No.'), index: 1 })], ['f', '"No."']],
  [
    'of two pieces one was cut off',
    [chat(0, { ...said('I am go', 'length') }, { ...said('', 'stop'), content: null }), chat(2, called('f'))],
    ['f "I am go"'],
  ],
  [
    'an answer that was cut off at a limit of tokens ends no run',
    [chat(0, called('f')), chat(2, said('I am go', 'length')), chat(4, said('Done.'))],
    ['f "Done."'],
  ],
  [
    'the last answer was cut off',
    [chat(0, called('f')), chat(2, said('I am go', 'length'))],
    ['f "I am go" unfinished'],
  ],
  [
    'Anthropic pauses a turn',
    [
      anthropic(0, 'pause_turn', text('Wait.'), { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      anthropic(2, 'pause_turn', { type: 'server_tool_use', id: 't', name: 'web_search', input: {} }),
      anthropic(4, 'tool_use', use('f')),
      anthropic(6, 'end_turn', text('Done.')),
    ],
    ['f "Done."'],
  ],
  [
    'Anthropic cuts off an answer',
    [anthropic(0, 'max_tokens', text('I am go')), anthropic(4, 'end_turn', text('Done.'))],
    ['"Done."'],
  ],
  [
    'a response is incomplete',
    [
      response('a', null, 0, message('I am go'), incomplete('max_output_tokens')),
      response('b', 'a', 2, item('f')),
      response('c', 'b', 4, message('Done.')),
    ],
    ['f "Done."'],
  ],
  [
    'a filter ends a response',
    [
      response('a', null, 0, message('I am go'), incomplete('content_filter')),
      response('b', null, 2, message('Done.')),
    ],
    ['"I am go"', '"Done."'],
  ],
  [
    'responses of one second, the newest first',
    [response('c', 'b', 0, message('Done.')), response('b', 'a', 0, item('g')), response('a', null, 0, item('f'))],
    ['f g "Done."'],
  ],
  [
    'parallel attempts that say which response they follow',
    [
      response('a1', null, 0, item('f')),
      response('b1', null, 1, item('x')),
      response('a2', 'a1', 2, item('g')),
      response('b2', 'b1', 3, message('No.')),
      response('a3', 'a2', 4, message('Done.')),
    ],
    ['x "No."', 'f g "Done."'],
  ],
  [
    'a conversation of two turns',
    [
      response('a', null, 0, item('f')),
      response('b', 'a', 2, message('Done.')),
      response('c', 'b', 4, item('g')),
      response('d', 'c', 6, message('Done too.')),
    ],
    ['f "Done."', 'g "Done too."'],
  ],
  [
    'native events with results and words',
    [native(0, { results: [{ call: 0, ok: true }], output: 'x' }), native(2, { results: [], output: 'y' })],
    ['f "x"', 'f "y"'],
  ],
  [
    'native events that are calls with what came back',
    [native(0, { results: [{ call: 0, ok: true }] }), native(2, { tool_calls: [], output: 'Done.' })],
    ['f "Done."'],
  ],
  ['native events that say how many steps they have', [native(0, { steps: 2 }), native(2, { steps: 1 })], ['f', 'f']],
  ['native events that give their run', [native(0, { run: 0 }), native(2, { run: 1 })], ['f', 'f']],
  ['native events that are steps', [native(0, {}), native(2, { tool_calls: [], output: 'Done.' })], ['f "Done."']],
];

for (const [what, records, expected] of table)
  test(`${what}: ${expected.join(', ')}`, () => {
    const { events, rejects } = runsRead(records, { 'runs.by': 'example' });
    assert.deepEqual([events.map(shortOf), rejects], [expected, []]);
  });

test('pieces of an answer are read where the run is given, and within a list of answers', () => {
  const split = chat(0, piece({ content: 'Wait.' }), piece({ tool_calls: [call('f')] }));
  const given = runsRead([{ ...split, run: 3 }], {});
  assert.deepEqual([given.events.map(shortOf), given.input.choices_ignored], [['f "Wait."'], 0]);
  const listed = runsRead([{ ...example, messages: [split, chat(2, said('Done.'))] }], {});
  assert.deepEqual(listed.events.map(shortOf), ['f "Done."']);
});

for (const [what, broken, detail] of [
  [
    'what nothing reads',
    chat(2, { ...said(''), content: [{ kind: 'x', uses: [{ name: 'g' }] }] } as Choice),
    /nothing reads/,
  ],
  ['calls that are no list', chat(2, { index: 0, tool_calls: 'g' }), /tool_calls/],
] as const)
  test(`an answer with ${what} has its run refused, and no other`, () => {
    const other = { ...chat(1, called('h')), metadata: { example_id: 'other' } };
    const { events, rejects, input } = runsRead([chat(0, called('f')), other, broken], { 'runs.by': 'example' });
    assert.deepEqual(events.map(shortOf), ['h']);
    assert.equal(rejects.length, 1);
    const { code, detail: found, text } = rejects[0]!;
    assert.equal(code, 'no_decision');
    assert.match(found, /^a step of the run cannot be read: /);
    assert.match(found, detail);
    const { unreadable, tool_calls: calls } = JSON.parse(text!) as Record<string, { readonly record: object }>;
    assert.deepEqual([unreadable!.record, (calls as unknown as object[]).length], [broken, 1]);
    assert.equal(input.late_steps, 0);
  });

test('an answer that cannot be read is refused alone where it is no step', () => {
  const broken = chat(0, { ...said(''), content: [{ kind: 'x', uses: [{ name: 'g' }] }] } as Choice);
  const { events, rejects } = runsRead([broken], { 'runs.by': '/nowhere' });
  assert.deepEqual([events.length, rejects.map(({ code }) => code)], [0, ['no_decision']]);
});
