import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Joined } from '../../src/scoring/family.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import type { Prediction } from '../../src/scoring/prediction.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { type SchemaOptions, type SchemaWeights, schema } from '../../src/scoring/schema/index.ts';
import { nested } from '../support/calls.ts';
import { joined } from '../support/joined.ts';
import { near } from '../support/near.ts';
import { blockOf, isPerfect, rowOf } from '../support/scoring.ts';

const weights: SchemaWeights = {
  tool_selection: 0.4,
  parameter_accuracy: 0.35,
  execution_success: 0.25,
  response_quality: 0,
};
const rate = rateWith(z95);
const family = (options: Partial<SchemaOptions> = {}) => schema({ mode: 'spec', weights, deep: undefined, ...options });
const call = (name: string, args: JsonObject = {}) => ({ name, arguments: args });
const reads = (path: Json) => call('read_file', { path });
const tool = (name: string, properties: Json, required: Json = []): Json => ({
  name,
  parameters: { type: 'object', properties, required },
});

/** Selection and parameters as `++`, `+-`, …; `error`, `skipped` or `none` instead. */
function verdict(event: Joined, options: Partial<SchemaOptions> = {}): string {
  const row = rowOf(family(options), event);
  assert.equal(isPerfect(family(options), event), row && (row['skipped'] === true || row['execution']));
  if (row === undefined) return 'none';
  if (row['skipped']) return 'skipped';
  const found = `${row['selection'] ? '+' : '-'}${row['parameters'] ? '+' : '-'}`;
  assert.equal(row['execution'], found === '++');
  if (row['error'] === null) return found;
  assert.equal(found, '--');
  return 'error';
}

const files: Json[] = [
  tool('read_file', { path: { type: 'string' } }, ['path']),
  { type: 'function', function: tool('write_file', { path: { type: 'string' } }, ['path']) },
];
const expected = [reads('a.txt')];
const event = (prediction: Partial<Prediction>, tools: Json[] | undefined = files) =>
  joined(prediction, { expected, tools });

test('the worked example of the docstring', () => {
  const events = [
    event({ calls: [reads('b')] }),
    event({ calls: [reads(5)] }),
    event({ calls: [call('write_file', { path: 'x' })] }),
    event({}),
  ];
  assert.deepEqual(
    events.map((one) => verdict(one)),
    ['++', '+-', '-+', '--'],
  );
  const block = blockOf(family(), events)!;
  assert.deepEqual(Object.keys(block), [
    'n',
    'tool_selection_accuracy',
    'parameter_accuracy',
    'execution_success_rate',
    'response_quality',
    'overall',
    'band',
    'processing_errors',
    'unchecked_arguments',
    'skipped_no_expected_tool',
  ]);
  near(block['overall'], 0.4375);
  assert.equal(block['band'], 'poor');
  assert.deepEqual(block['execution_success_rate'], rate(1, 4));
});

/** The right calls, where these tools are known. */
const right = (tools: Json[]) => event({ calls: expected }, tools);
const malformed = { name: 'read_file', arguments: undefined };
const nameless = { name: undefined, arguments: { path: 'a.txt' } };
const blank = [reads('a.txt'), call('other', { note: '' })];
const none = { expected: [] };

/** What, and the verdicts of spec and upstream. */
const table: readonly [string, Joined, string][] = [
  ['truth without expected calls', joined({ calls: [call('a')] }, {}), 'none none'],
  ['calls not recorded', event({ callsNotRecorded: true }), 'none none'],
  ['nothing expected', joined({ calls: [call('a')] }, none), 'skipped --'],
  ['nothing expected, an error', joined({ error: '' }, none), 'error error'],
  ['nothing expected, a malformed call', joined({ calls: [malformed] }, none), 'error error'],
  ['no calls', event({}), '-- --'],
  ['no calls where no arguments are expected', joined({ calls: [] }, { expected: [call('a')] }), '-- --'],
  ['an error with the right calls', event({ calls: expected, error: 'boom' }), 'error error'],
  ['an error without calls', event({ error: 'boom' }), 'error error'],
  ['a malformed first call', event({ calls: [malformed] }), 'error error'],
  ['a malformed second call', event({ calls: [...expected, malformed] }), '++ ++'],
  ['a nameless first call', event({ calls: [nameless] }), 'error --'],
  ['a nameless malformed call', event({ calls: [{ name: undefined, arguments: undefined }] }), 'error --'],
  [
    'a text that looks like a call',
    event({ output: { kind: 'text', text: '<tool_call name="read_file">{}</tool_call>' } }),
    '-- --',
  ],
  ['only the first call counts', event({ calls: [call('write_file', { path: '' }), ...expected] }), '-+ -+'],
  ['an unknown tool', event({ calls: [call('nope', { path: 'a.txt' })] }), '-- -+'],
  ['an unknown tool, other values', event({ calls: [call('nope', { path: 'b' })] }), '-- --'],
  ['names differ in case', event({ calls: [call('READ_FILE', { path: 'a.txt' })] }), '-- -+'],
  ['no tools: values', event({ calls: [reads(' A.TXT')] }, []), '++ ++'],
  ['no tools: other values', event({ calls: [reads('b')] }, []), '+- +-'],
  ['names are no schemas', event({ calls: [reads('b')] }, ['read_file']), '+- +-'],
  [
    'empty tools of the truth are not replaced by the event’s',
    event({ calls: [reads('b')], tools: files }, []),
    '+- +-',
  ],
  ['tools of the event where the truth has none', joined({ calls: [reads('b')], tools: files }, { expected }), '++ ++'],
  ['no arguments on either side', joined({ calls: [call('x')] }, { expected: [call('a')], tools: files }), '-- -+'],
  [
    'no arguments on either side, one required',
    joined({ calls: [call('read_file')] }, { expected: [call('read_file')], tools: files }),
    '+- ++',
  ],
  [
    'a tool without parameters beside one with some accepts all',
    event({ calls: [call('read_file', { x: 1 })] }, ['read_file', tool('b', {})]),
    '++ ++',
  ],
  [
    'of two tools of one name the first counts',
    right([{ name: 'read_file' }, tool('read_file', {}, ['nope'])]),
    '++ ++',
  ],
  ['a blank argument of any expected call', joined({ calls: blank }, { expected: blank }), '++ error'],
  ['required outside properties', right([tool('read_file', {}, ['x'])]), '+- ++'],
  ['required, its schema null', right([tool('read_file', { x: null }, ['x'])]), '+- ++'],
  ['required null, properties null', right([tool('read_file', null, null)]), '++ ++'],
  ['type null', right([tool('read_file', { path: { type: 'null' } })]), '+- ++'],
  ['a property schema that is none', right([tool('read_file', { path: true })]), '++ error'],
  ['parameters null', right([tool('read_file', {}), { name: 'b', parameters: null }]), '++ error'],
  ['function null', right([tool('read_file', {}), { function: null }]), '++ error'],
  ['function empty', right([tool('read_file', {}), { function: {} }]), '++ ++'],
  ['an odd description of the truth', right([{ name: 'read_file', description: null }]), '++ ++'],
  [
    'an odd description of the event',
    joined({ calls: expected, tools: [{ name: 'b', description: null }] }, { expected }),
    '++ error',
  ],
  [
    'an odd description of a parameter',
    joined({ calls: expected, tools: [tool('read_file', { path: { description: 5 } })] }, { expected }),
    '++ error',
  ],
  [
    'odd tools of the event where the truth has some',
    event({ calls: expected, tools: [{ name: 'b', description: null }] }),
    '++ ++',
  ],
  [
    'a call named ""',
    joined({ calls: [call('', { x: 1 })] }, { expected: [call('', { x: 1 })], tools: [tool('', { x: {} })] }),
    '++ ++',
  ],
];
test('what counts as selection and parameters, in both modes', () => {
  for (const [name, one, both] of table)
    assert.equal(`${verdict(one)} ${verdict(one, { mode: 'upstream' })}`, both, name);
});

test('rows name the tools and the error', () => {
  const wrong = { selection: false, parameters: false, execution: false };
  assert.deepEqual(rowOf(family(), event({ calls: [malformed] })), {
    ...wrong,
    expected_tool: 'read_file',
    predicted_tool: 'read_file',
    error: 'malformed call',
  });
  assert.deepEqual(rowOf(family(), event({ calls: [nameless], error: 'boom' })), {
    ...wrong,
    expected_tool: 'read_file',
    predicted_tool: null,
    error: 'boom',
  });
  assert.deepEqual(rowOf(family({ mode: 'upstream' }), event({ calls: expected, error: '' })), {
    ...wrong,
    expected_tool: null,
    predicted_tool: null,
    error: '',
  });
  assert.deepEqual(rowOf(family(), joined({ calls: expected }, { expected: [] })), { skipped: true });
  const errorOf = (one: Joined) => rowOf(family({ mode: 'upstream' }), one)!['error'];
  assert.equal(
    errorOf(joined({ calls: blank }, { expected: blank })),
    'expected call with an argument that is null or ""',
  );
  assert.equal(errorOf(event({ calls: expected }, [{ function: null }])), 'malformed tool definition');
});

test('deep validates the whole schema instead', () => {
  const seen: unknown[] = [];
  const deep = (parameters: Json, args: JsonObject) => {
    seen.push(parameters);
    return args['path'] === 'b';
  };
  const right = event({ calls: [call('read_file', { path: 'b', extra: [] })] });
  assert.equal(verdict(right, { deep }), '++');
  assert.equal(verdict(event({ calls: expected }), { deep }), '+-');
  assert.equal(verdict(event({ calls: [call('nope', { path: 'b' })] }), { deep }), '--');
  assert.deepEqual(new Set(seen), new Set([(files[0] as JsonObject)['parameters']]));
});

test('weights are taken as they are', () => {
  const events = [event({ calls: expected }), event({ calls: [call('read_file')] })];
  const overall = (given: SchemaWeights) => {
    return blockOf(family({ weights: given }), events)!;
  };
  const odd = overall({ tool_selection: 2, parameter_accuracy: 0.5, execution_success: 0, response_quality: 9 });
  assert.equal(odd['overall'], 2.25);
  assert.equal(odd['band'], 'excellent');
  const nothing = overall({ tool_selection: 0, parameter_accuracy: -0, execution_success: 0, response_quality: -1 });
  assert.ok(Object.is(nothing['overall'], 0));
});

test('hostile values do no harm', () => {
  const deep = nested(100_000, 1, 'array');
  const deeper = nested(100_000, 2, 'object');
  for (const mode of ['spec', 'upstream'] as const) {
    assert.equal(verdict(joined({ calls: [call('f', deep)] }, { expected: [call('f', deeper)] }), { mode }), '+-');
    const tools: Json[] = [deep, deeper, tool('f', { d: { type: 'array', items: deep } })];
    assert.equal(
      verdict(joined({ calls: [call('f', deep)], tools }, { expected: [call('f', deeper)] }), { mode }),
      '++',
    );
  }
});
