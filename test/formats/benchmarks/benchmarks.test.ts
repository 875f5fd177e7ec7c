import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type BenchmarkName, benchmarkReader, benchmarks } from '../../../src/formats/benchmarks/benchmarks.ts';
import { readTruthRecord } from '../../../src/formats/truth/record.ts';
import { runs } from '../../support/soak.ts';

const read = (name: BenchmarkName, ...records: readonly unknown[]): unknown[] => {
  const reader = benchmarkReader(name);
  const found = records.flatMap((record, at): unknown[] => {
    const one = reader.read(JSON.stringify(record), at + 1);
    if ('problem' in one) return [one.problem];
    return one.texts.map((text) => readTruthRecord(text));
  });
  return [...found, ...reader.lacking()];
};
const fixture = (file: string): unknown[] => {
  const text = readFileSync(join('test', 'fixtures', 'benchmarks', file), 'utf8');
  if (text.startsWith('[')) return JSON.parse(text) as unknown[];
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
};
const truth = (
  example_id: string,
  label: string | null,
  tools: unknown,
  expected_tool_calls: unknown,
  reference: unknown = null,
) => {
  return { example_id, label, tools, expected_tool_calls, reference };
};
const tool = (name: string, properties?: object, required?: readonly string[]) => {
  const parameters = { type: 'object', ...(properties && { properties }), ...(required && { required }) };
  return { name, parameters };
};
const string = { type: 'string' };
const weather = (unit: object) => [tool('get_current_weather', { location: string, unit }, ['location'])];
const units = { type: 'string', enum: ['celsius', 'fahrenheit'], default: 'fahrenheit' };
const call = (name: string, args: unknown, accept?: object) => ({ name, arguments: args, ...(accept && { accept }) });

const published: readonly (readonly [BenchmarkName, readonly string[], readonly unknown[]])[] = [
  [
    'when2call',
    ['when2call.jsonl'],
    [
      truth(
        '839407f4-7704-4346-a885-6775e94f85fe',
        'tool_call',
        [
          tool('Music_3_PlayMedia', { track: string, device: string }, ['track']),
          tool('Music_3_LookupMusic', { year: {} }),
        ],
        [call('Music_3_PlayMedia', { track: 'Bohemian Rhapsody', device: 'Kitchen' })],
      ),
      truth(
        '276e4475-e087-4660-9a3a-1fe295fa452c',
        'cannot_answer',
        [tool('api_token_api.APITokenApi.get_api_tokens')],
        [],
      ),
    ],
  ],
  [
    'bfcl',
    ['bfcl-questions.json', 'bfcl-answers.json'],
    [
      truth('irrelevance_0', 'cannot_answer', [tool('determine_body_mass_index', { weight: { type: 'number' } })], []),
      // "" comes first: the parameter is left out.
      truth('live_simple_14-3-10', 'tool_call', weather(string), [
        call(
          'get_current_weather',
          { location: 'Bangkok, Thailand' },
          { unit: { any: ['fahrenheit'], optional: true } },
        ),
      ]),
      truth('live_simple_4-3-0', 'tool_call', weather(units), [
        call('get_current_weather', { location: 'Tel Aviv, Israel', unit: 'fahrenheit' }, { unit: { optional: true } }),
      ]),
      truth(
        'live_simple_40-17-0',
        'tool_call',
        [tool('ThinQ_Connect', { body: { type: 'object' } })],
        [
          call(
            'ThinQ_Connect',
            { body: { airConJobMode: 'AIR_CLEAN', monitoringEnabled: true } },
            { 'body.powerSaveEnabled': { any: [false], optional: true } },
          ),
        ],
      ),
    ],
  ],
  [
    'tau',
    ['tau2-tasks.json'],
    [
      truth('0', null, null, []),
      truth('1', 'tool_call', null, [
        call('get_user_details', { user_id: 'raj_sanchez_7340' }),
        call('get_reservation_details', { reservation_id: 'Q69X3R' }),
      ]),
    ],
  ],
  [
    'tau',
    ['tau-results.json'],
    [truth('0', 'tool_call', null, [call('book_reservation', { user_id: 'mia_li_3668' })])],
  ],
  [
    'mcpeval',
    ['mcpeval.jsonl'],
    [
      truth(
        'a670ef9d-4201-4fd2-868a-0e72af52b1ec',
        'tool_call',
        [tool('browser_navigate', { url: string })],
        [call('browser_navigate', { url: 'https://codesandbox.io' })],
      ),
      truth('6a351c09-60eb-4e50-8bb2-b27a87e08542', 'tool_call', null, [
        call('browser_navigate', { url: 'https://repl.it' }),
      ]),
    ],
  ],
  [
    'deepfabric',
    ['deepfabric.jsonl'],
    [
      truth(
        '1',
        'tool_call',
        [tool('read_file', { file_path: string, lines: { type: 'integer' } }, ['file_path'])],
        [call('read_file', '{"file_path": "a.txt"}')],
      ),
      truth('2', 'direct', [tool('f')], []),
      truth('c', 'tool_call', null, [call('f', '{"a": 1}')]),
    ],
  ],
  ['openai-eval', ['openai-eval.jsonl'], [truth('1', null, null, null, { a: 1 }), truth('7', null, null, null, [1])]],
];

describe('what benchmarks publish', () => {
  for (const [name, files, expected] of published)
    test(`${name}: ${files.join(', ')}`, () => {
      assert.deepEqual(read(name, ...files.flatMap(fixture)), expected);
    });
});

test('what is no record of a benchmark, or not a whole one', () => {
  const of = (name: BenchmarkName, problem: string): string =>
    `${problem}, so it is no record of ${name}; check --from`;
  for (const [name, record, problem] of [
    ['when2call', {}, 'has no correct_answer'],
    [
      'when2call',
      { correct_answer: 'tool_call', answers: { tool_call: 'f' } },
      'answers.tool_call is no call as JSON text',
    ],
    ['bfcl', {}, 'has no id'],
    ['bfcl', { id: 'a' }, 'has neither function nor ground_truth'],
    ['bfcl', { id: 'a', ground_truth: [['f(1)']] }, 'its ground_truth is no list of calls with accepted values'],
    ['tau', { id: '1' }, 'has neither evaluation_criteria.actions nor info.task.actions'],
    ['mcpeval', { id: '1' }, 'has no tool_calls'],
    ['mcpeval', { success: false, tool_calls: [], task: { id: '1' } }, 'was not verified (success is false)'],
    ['deepfabric', {}, 'has neither tool_context nor messages'],
    ['openai-eval', { input: [] }, 'has no ideal'],
    ['promptfoo', {}, 'has neither tests nor assert'],
    ['agentevals', {}, 'has no reference_outputs with messages'],
    ['adk', {}, 'has no eval_cases, or a case lacks eval_id or conversation'],
    ['openai-eval', { ideal: 'Paris' }, 'its ideal is no JSON object or array; free text is not scored'],
  ] as const)
    assert.deepEqual(read(name, record), [of(name, problem)]);
  assert.deepEqual(read('tau', 7), ['is 7; tau has one JSON object a record']);
  assert.deepEqual(read('bfcl', { id: 'live_relevance_0-0-0', function: [] }), [
    truth('live_relevance_0-0-0', 'tool_call', [], null),
  ]);
  const question = { id: 'a', function: [] };
  assert.deepEqual(read('bfcl', question, question), [
    'its id "a" came before; keep one of the two',
    'its answer (a); name the file of possible_answer as well',
  ]);
  assert.deepEqual(read('bfcl', { id: 'b', ground_truth: [] }), [
    'its question (b); name the file of questions as well',
  ]);
});

test('agentevals, ADK and promptfoo: calls of messages, of invocations, of assertions', () => {
  const openai = { role: 'assistant', tool_calls: [{ function: { name: 'f', arguments: '{"x":1}' } }] };
  const langchain = { type: 'ai', tool_calls: [{ name: 'g', args: { y: 2 } }] };
  const calls = [
    { name: 'f', arguments: '{"x":1}' },
    { name: 'g', arguments: { y: 2 } },
  ];
  for (const reference_outputs of [[openai, { role: 'user' }, langchain], { messages: [openai, langchain] }])
    assert.deepEqual(read('agentevals', { id: 'a', reference_outputs }), [truth('a', 'tool_call', null, calls)]);
  const uses = { tool_uses: [{ name: 'f', args: { x: 1 } }] };
  const events = { invocationEvents: [{ content: { parts: [{ functionCall: { name: 'f', args: { x: 1 } } }, {}] } }] };
  const set = {
    eval_set_id: 's',
    eval_cases: [
      { eval_id: 'one', conversation: [{ intermediate_data: uses }] },
      { evalId: 'two', conversation: [{ intermediateData: events }, { final_response: {} }] },
    ],
  };
  const expected = [{ name: 'f', arguments: { x: 1 } }];
  assert.deepEqual(read('adk', set), [
    truth('one', 'tool_call', null, expected),
    truth('two/1', 'tool_call', null, expected),
    truth('two/2', null, null, []),
  ]);
  const asserted = [
    { type: 'trajectory:tool-sequence', value: { steps: ['find', { name: 'book' }] } },
    { type: 'trajectory:tool-args-match', value: { name: 'book', args: { city: '{{city}}', for: 'Mr {{ who }}' } } },
    { type: 'trajectory:tool-used', value: ['book', { name: 'pay', min: 1 }] },
    { type: 'not-trajectory:tool-used', value: 'cancel' },
    { type: 'equals', value: 'x' },
  ];
  const test = { description: 'trip', vars: { city: 'Oslo', who: 'Ås' }, assert: asserted };
  const any = { arguments: {}, accept: { '*': { ignore: true } } };
  const row = {
    ...truth('trip', 'tool_call', null, [
      { name: 'find', ...any },
      { name: 'book', arguments: { city: 'Oslo', for: 'Mr Ås' } },
      { name: 'pay', ...any },
    ]),
    forbidden: ['cancel'],
  };
  assert.deepEqual(read('promptfoo', test), [row]);
  assert.deepEqual(read('promptfoo', { tests: [test, { assert: [] }] }), [row]);
});

test('no record of any shape makes a reader throw', () => {
  const keys = fixtureKeys();
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...keys), tie('any'), { maxKeys: 5 }),
      fc.array(tie('any')),
    ),
  })).any;
  fc.assert(
    fc.property(fc.constantFrom(...(Object.keys(benchmarks) as BenchmarkName[])), value, (name, record) => {
      read(name, record);
    }),
    { numRuns: runs(100) },
  );
});

function fixtureKeys(): string[] {
  const keys = new Set<string>();
  for (const [, files] of published)
    for (const file of files)
      JSON.stringify(fixture(file), (key, value: unknown) => {
        keys.add(key);
        return value;
      });
  return [...keys];
}
