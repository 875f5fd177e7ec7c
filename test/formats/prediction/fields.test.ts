import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cannotAnswer, direct, invalid, requestForInfo, toolCall } from '../../../src/scoring/label.ts';
import type { Prediction } from '../../../src/scoring/prediction.ts';
import {
  codesOf,
  eventFields,
  eventOf,
  readFields,
  readOne,
  rejectedOf,
  type RecordParts,
  recordTime,
} from '../../support/event-reader.ts';

const lone = '\ud800';
const astral = '\u{1f600}';

const long = (length: number, letter = 'x'): string => JSON.stringify(letter.repeat(length));
const names = ['null', '""', '"m"', long(256), long(256, astral)];
const noNames = ['1', 'true', '{}', '["m"]', '"__other__"', '"a\\ud800"', long(257)];
const noRuns = ['-1', '0.5', '"0"', 'true', '[]', '{}', '9007199254740993', '1e308', '1e999'];

/** Field, and JSON values that it may have, and may not. */
const values: readonly (readonly [field: string, accepted: readonly string[], refused: readonly string[]])[] = [
  [
    'event_id',
    ['null', '"e1"', '"é"', '" "', long(512), long(512, astral)],
    ['1', 'true', '{}', '[]', '""', long(513), long(513, astral), '"\\ud800"'],
  ],
  ['example_id', [], ['1', 'false', '{}', '[]', '""', long(513), '"a\\udc00"']],
  ['model', names, noNames],
  ['agent', names, noNames],
  ['tags', ['null', '{}', '{"a":null,"b":{},"c":[1]}', '1', '"x"', '["a"]', 'true'], []],
  ['run', ['null', '0', '-0', '3', '3.0', '1e3', '9007199254740991'], noRuns],
  ['label', ['null', '"direct"', '""', '"Direct"'], ['1', 'true', '{}', '["direct"]']],
  [
    'tool_calls',
    ['null', '[]', '[{}]', '[{"name":5,"arguments":7,"id":{}}]'],
    ['1', '"x"', '{}', '[1]', '[null]', '[[]]', '[{},"f"]'],
  ],
  [
    'tools',
    ['null', '[]', '["f"]', '[{}]', '["f",{"name":"g","parameters":null}]', '[{"function":5}]'],
    ['1', '"x"', '{}', '[1]', '[null]', '[["f"]]'],
  ],
  ['output', ['null', '""', '"x"', '1', 'false', '[]', '{}'], []],
  ['error', ['null', '""', '"x"'], ['1', 'true', '{}', '[]']],
  ['success', ['null', 'true', 'false'], ['1', '"true"', '{}', '[]']],
  ['ts', [], ['true', '{}', '[]']],
  ['unknown_field', ['{"deep":[1]}'], []],
  ['__proto__', ['{"example_id":5}'], []],
];
const types = values.flatMap(([field, accepted, refused]) => [
  ...accepted.map((json) => [field, json, ''] as const),
  ...refused.map((json) => [field, json, 'schema'] as const),
]);

for (const [field, json, code] of types) {
  test(`${field}: ${json.slice(0, 40)} is ${code || 'accepted'}`, () => {
    const rest = `"label":"direct",${field === 'example_id' ? '' : '"example_id":"e",'}`;
    const read = readOne(`{${rest}"${field}":${json}}`);
    assert.deepEqual(codesOf(read), [code]);
    if (code !== '') assert.match(rejectedOf(read).detail, new RegExp(`^${field}(\\[|:)`));
  });
}

test('of equal keys the last wins, also where it is null', () => {
  const { exampleId, model, run } = eventOf(
    readOne('{"example_id":"a","model":"x","example_id":"b","model":null,"run":"bad","run":2}'),
  );
  assert.deepEqual([exampleId, model, run], ['b', 'unknown', 2]);
});

test('an id that is absent or null is the key of the record', () => {
  const key = Buffer.from('kéy');
  const idOf = (value: string): string => eventOf(readOne(value, { key })).exampleId;
  for (const value of ['{"label":null}', '{"example_id":null}']) assert.equal(idOf(value), 'kéy');
  assert.equal(idOf('{"example_id":"own"}'), 'own');
});

const unusableKeys: readonly (readonly [string, Uint8Array | null])[] = [
  ['absent', null],
  ['empty', new Uint8Array(0)],
  ['no UTF-8', Uint8Array.of(0xff)],
  ['longer than 512 characters', Buffer.from('k'.repeat(513))],
];
for (const [what, key] of unusableKeys) {
  test(`without an id, a key that is ${what} is no_example_id`, () => {
    assert.deepEqual(codesOf(readOne('{"tool_calls":[]}', { key })), ['no_example_id']);
  });
}

test('without truth, an event that names no example is one of its own: its id, or its place', () => {
  const own = (value: string, parts: RecordParts = {}) =>
    readOne(value, { offset: 7, ...parts }, { ownExamples: true }).map((event) => {
      const { exampleId, oddities } = eventOf([event]);
      return [exampleId, oddities?.own];
    });
  assert.deepEqual(own('{"tool_calls":[],"example_id":"e"}'), [['e', undefined]]);
  assert.deepEqual(own('{"tool_calls":[]}', { key: Buffer.from('k') }), [['k', undefined]]);
  assert.deepEqual(own('{"tool_calls":[],"event_id":"id"}'), [['id', 'id']]);
  assert.deepEqual(own('{"tool_calls":[]}'), [['record 7', 'record 7']]);
  assert.deepEqual(
    own('[{"tool_calls":[]},{"label":"direct"}]').map(([id]) => id),
    ['record 7[0]', 'record 7[1]'],
  );
});

test('a model or agent that is absent, null or empty is "unknown"; the text of a name is kept as it is', () => {
  const names = (fields: object): string[] => {
    const { model, agent } = readFields(fields);
    return [model, agent];
  };
  assert.deepEqual(names({}), ['unknown', 'unknown']);
  assert.deepEqual(names({ model: '', agent: null }), ['unknown', 'unknown']);
  assert.deepEqual(names({ model: 'GPT 4o', agent: '__proto__' }), ['GPT 4o', '__proto__']);
});

const tagValues: readonly (readonly [json: string, text: string])[] = [
  ['"eu"', 'eu'],
  ['""', ''],
  ['1', '1'],
  ['1.0', '1'],
  ['-0', '0'],
  ['0.1', '0.1'],
  ['1e21', '1e+21'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', ''],
  ['{}', ''],
  ['[1]', ''],
];
for (const [json, text] of tagValues) {
  test(`a tag of ${json} is ${JSON.stringify(text)}`, () => {
    const dimensions = ['model', 'tags.env', 'tags.region'];
    const read = readOne(`{"example_id":"e","tags":{"other":"x","region":${json}}}`, {}, { dimensions });
    assert.deepEqual(eventOf(read).dimensions, ['unknown', '', text]);
  });
}

test('tags named like what every object has are read from the event only', () => {
  const dimensions = ['model', 'tags.__proto__', 'tags.constructor', 'tags.toString'];
  const read = readOne('{"example_id":"e","tags":{"__proto__":"p"}}', {}, { dimensions });
  assert.deepEqual(eventOf(read).dimensions, ['unknown', 'p', '', '']);
});

test('a tag with a lone surrogate counts as the replacement character, as in every output', () => {
  const { dimensions } = readFields({ tags: { a: `x${lone}` } }, {}, { dimensions: ['model', 'tags.a'] });
  assert.deepEqual(dimensions, ['unknown', 'x\ufffd']);
});

const labels: readonly (readonly [fields: object, code: number, status: string])[] = [
  [{ label: 'direct' }, direct, 'given'],
  [{ label: 'tool_call' }, toolCall, 'given'],
  [{ label: 'request_for_info' }, requestForInfo, 'given'],
  [{ label: 'cannot_answer', tool_calls: [{ name: 'f' }] }, cannotAnswer, 'given'],
  [{ tool_calls: [{ name: 'f' }] }, toolCall, 'derived'],
  [{ label: null, tool_calls: [{}] }, toolCall, 'derived'],
  [{}, invalid, 'missing'],
  [{ tool_calls: [] }, invalid, 'missing'],
  [{ error: 'x' }, invalid, 'missing'],
  [{ label: '' }, invalid, 'invalid'],
  [{ label: 'Direct', tool_calls: [{ name: 'f' }] }, invalid, 'invalid'],
  [{ label: 'invalid' }, invalid, 'invalid'],
  [{ label: ' direct' }, invalid, 'invalid'],
];
for (const [fields, code, status] of labels) {
  test(`the label of ${JSON.stringify(fields)} is ${status}`, () => {
    const { label, labelStatus } = readFields(fields).prediction;
    assert.deepEqual([label, labelStatus], [code, status]);
  });
}

const notRecorded: readonly (readonly [fields: object, expected: boolean])[] = [
  [{ label: 'tool_call' }, true],
  [{ label: 'tool_call', tool_calls: null, output: 'x' }, true],
  [{ label: 'tool_call', tool_calls: [] }, false],
  [{ label: 'tool_call', error: '' }, false],
  [{ label: 'direct' }, false],
  [{}, false],
];
for (const [fields, expected] of notRecorded) {
  test(`calls of ${JSON.stringify(fields)} are ${expected ? 'not ' : ''}recorded`, () => {
    assert.equal(readFields(fields).prediction.callsNotRecorded, expected);
  });
}

const outputs: readonly (readonly [json: string, output: Prediction['output']])[] = [
  ['null', { kind: 'absent' }],
  ['"x"', { kind: 'text', text: 'x' }],
  ['""', { kind: 'text', text: '' }],
  ['1', { kind: 'json', value: 1 }],
  ['false', { kind: 'json', value: false }],
  ['[]', { kind: 'json', value: [] }],
  ['{"a":null}', { kind: 'json', value: { a: null } }],
];
for (const [json, output] of outputs) {
  test(`output ${json} is ${output.kind}`, () => {
    assert.deepEqual(eventOf(readOne(`{"example_id":"e","output":${json}}`)).prediction.output, output);
  });
}

test('absent and null give the same event', () => {
  const fields = eventFields.filter((field) => field !== 'example_id');
  const nulls = readFields(Object.fromEntries(fields.map((field) => [field, null])));
  assert.deepEqual({ ...nulls, given: {} }, { ...readFields({}), given: {} });
  assert.deepEqual([nulls.run, nulls.eventId, nulls.ts], [undefined, undefined, recordTime]);
});
