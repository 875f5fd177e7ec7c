import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Event, isRejected, type Rejected } from '../../../src/stream/event.ts';
import {
  codesOf,
  defaultLimits,
  eventFields,
  eventOf,
  eventReader,
  readAgain,
  readOne,
  recordOf,
  rejectedOf,
} from '../../support/event-reader.ts';
import { runs } from '../../support/soak.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const event = (extra: string): string => `{"example_id":"e","output":0,"x":${extra}}`;
const calls = (count: number): string => `{"example_id":"e","tool_calls":[${new Array(count).fill('{}').join(',')}]}`;
const array = (count: number): string => `[${new Array(count).fill('{"example_id":"e"}').join(',')}]`;
const sized = (bytes: number): string => `{"example_id":"e","output":"${'é'.repeat((bytes - 30) / 2)}"}`;

const numbers = (count: number): string => `[${new Array(count).fill('1').join(',')}]`;
const answering = (output: string): string => JSON.stringify({ example_id: 'e', output });
const argumentsOf = (args: string): string =>
  JSON.stringify({ example_id: 'e', tool_calls: [{ arguments: `{"a":${args}}` }] });

const whole: readonly (readonly [what: string, value: string | Uint8Array | null, codes: readonly string[]])[] = [
  ['no value', null, ['not_json']],
  ['an empty value', '', ['not_json']],
  ['white space', ' \n', ['not_json']],
  ['a byte order mark', '\ufeff{"example_id":"e"}', ['not_json']],
  ['white space around', ' {"example_id":"e"}\r\n', ['']],
  ['two objects', '{"example_id":"e"}{"example_id":"e"}', ['not_json']],
  ['a trailing comma', '{"example_id":"e",}', ['not_json']],
  ['NaN, as Python writes it', event('NaN'), ['']],
  ['NaN in a record that is cut short', event('NaN').slice(0, -1), ['not_json']],
  ['NaN alone', 'NaN', ['schema']],
  ['text', '"e"', ['schema']],
  ['null', 'null', ['schema']],
  ['a number', '7', ['schema']],
  ['an empty object', '{}', ['no_decision']],
  ['an envelope', '{"schema":{},"payload":{}}', ['no_decision']],
  ['a key that nothing reads', '{"example_id":"e","latency":3}', ['no_decision']],
  ['keys of an event alone', '{"example_id":"e","model":"m"}', ['']],
  ['null as its calls', '{"example_id":"e","tool_calls":null,"x":1}', ['']],
  ['an empty array', '[]', ['schema']],
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from('{"example_id":"e'), Buffer.of(0xff), Buffer.from('"}')]),
    ['not_utf8'],
  ],
  [
    'a surrogate in UTF-8',
    Buffer.concat([Buffer.from('{"x":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')]),
    ['not_utf8'],
  ],
  ['an overlong slash', Buffer.concat([Buffer.from('{"x":"'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')]), ['not_utf8']],
  ['a character that is cut', Buffer.from('{"example_id":"é').subarray(0, -1), ['not_utf8']],
  ['U+FFFD sent as such', '{"example_id":"\ufffd"}', ['']],
  ['the largest record', sized(1024 * 1024), ['']],
  ['a larger record', `${sized(1024 * 1024)} `, ['too_large']],
  ['the greatest depth', event(nested(63)), ['']],
  ['a greater depth', event(nested(64)), ['too_deep']],
  ['a depth of 9,000', event(nested(9_000)), ['too_deep']],
  ['an unclosed depth of 9,000', '['.repeat(9_000), ['not_json']],
  ['a depth of 500,000', event(nested(500_000)), ['too_large']],
  ['an unclosed depth of 500,000', '['.repeat(500_000), ['too_large']],
  ['10,000 values', event(numbers(9_996)), ['']],
  ['10,001 values', event(numbers(9_997)), ['too_large']],
  ['10,000 values in a text that is arguments', argumentsOf(numbers(9_994)), ['']],
  ['10,001 values in a text that is arguments', argumentsOf(numbers(9_995)), ['too_large']],
  ['10,000 values in an answer', answering(` ${numbers(9_997)}`), ['']],
  ['10,001 values in an answer', answering(` ${numbers(9_998)}`), ['too_large']],
  ['10,001 values in a call that is text', answering(`<tool_call name="f">{"a":${numbers(9_997)}}`), ['too_large']],
  ['20,000 commas in a text', answering(`first, [${','.repeat(20_000)}`), ['']],
  ['a key of 30,000 parts', event(`{"${'.'.repeat(30_000)}":1}`), ['too_large']],
  ['values in elements', `[${event(numbers(9_996))},${event(numbers(9_997))}]`, ['', 'too_large']],
  ['100,001 values in elements', `[${new Array(11).fill(event(numbers(9_500))).join(',')}]`, ['too_large']],
  ['brackets in a text', event(`"${'[{'.repeat(500)}"`), ['']],
  ['many brackets side by side', event(`[${new Array(200).fill('[]').join(',')}]`), ['']],
  ['256 calls', calls(256), ['']],
  ['257 calls', calls(257), ['too_many_calls']],
  ['1,000 elements', array(1000), new Array<string>(1000).fill('')],
  ['1,001 elements', array(1001), ['too_many_elements']],
];
for (const [what, value, codes] of whole) {
  test(`a record of ${what}: ${codes[0] || 'accepted'}`, () => {
    const read = readOne(value);
    assert.deepEqual(codesOf(read), codes);
    if (codes.length === 1) assert.equal(read[0]!.element, -1);
  });
}

test('too large is found before no UTF-8, no UTF-8 before no JSON', () => {
  const limits = { ...defaultLimits, recordBytes: 4 };
  assert.deepEqual(codesOf(readOne(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff), {}, { limits })), ['too_large']);
  assert.deepEqual(codesOf(readOne(Uint8Array.of(0xff, 0xff, 0xff, 0xff), {}, { limits })), ['not_utf8']);
});

const precedence: readonly (readonly [value: string, code: string])[] = [
  [`{"run":"x","x":${nested(70)}}`, 'too_deep'],
  [`{"run":"x","tool_calls":[${new Array(300).fill('{}').join(',')}]}`, 'schema'],
  [`{"ts":"x","tool_calls":[${new Array(300).fill('{}').join(',')}]}`, 'too_many_calls'],
  ['{"run":"x"}', 'schema'],
  ['{"ts":"x"}', 'no_example_id'],
  ['{"example_id":"e","ts":"2101-01-01"}', 'bad_timestamp'],
  ['{"example_id":"e","ts":"2100-01-01"}', 'future_timestamp'],
];
for (const [value, code] of precedence) {
  test(`one code is given where several fit: ${code}`, () => assert.deepEqual(codesOf(readOne(value)), [code]));
}

test('the elements of an array are events of their own, and a bad one is refused alone', () => {
  const elements = [
    '{"example_id":"a"}',
    '5',
    'null',
    '[]',
    '{"example_id":"b","run":-1}',
    ` { "example_id" : "c", "output": "]\\"}" , "n": 1.50 } `,
    `{"example_id":"d","x":${nested(63)}}`,
    '{"tool_calls":[]}',
    '{"example_id":"f"}',
  ];
  const read = readOne(`\n[ ${elements.join(' ,\t')} ]`);
  assert.deepEqual(codesOf(read), ['', 'schema', 'schema', 'schema', 'schema', '', 'too_deep', 'no_example_id', '']);
  assert.deepEqual(
    read.map(({ element }) => element),
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
  );
  assert.deepEqual(
    [0, 5, 8].map((at) => eventOf(read, at).exampleId),
    ['a', 'c', 'f'],
  );
  for (const [at, part] of read.entries()) if (isRejected(part)) assert.equal(part.text, elements[at]!.trim());
});

test('an element of an array may nest one level less: the array is depth 1', () => {
  const element = (depth: number): string => `[${event(nested(depth))}]`;
  assert.deepEqual(codesOf(readOne(element(62))), ['']);
  assert.deepEqual(codesOf(readOne(element(63))), ['too_deep']);
});

test('an element that nests too deep for the stack is shown as it was sent', () => {
  const deep = nested(90_000);
  const read = readOne(`[${deep},{"example_id":"e"}]`);
  assert.deepEqual(codesOf(read), ['too_deep', '']);
  assert.equal(rejectedOf(read).text, deep);
});

test('each part has the offset of its record', () => {
  const offsets = (value: string): number[] => readOne(value, { offset: 7 }).map(({ offset }) => offset);
  for (const value of ['x', '{"example_id":"a"}']) assert.deepEqual(offsets(value), [7]);
  assert.deepEqual(offsets('[{"example_id":"b"},{}]'), [7, 7]);
});

test('bytes are read from start to end of a larger array, also one that is shared', () => {
  const text = Buffer.from('xx{"example_id":"é"}yy');
  const shared = new Uint8Array(new SharedArrayBuffer(text.length));
  shared.set(text);
  for (const bytes of [text, new Uint8Array(text), shared]) {
    const read = readOne('', { bytes, start: 2, end: bytes.length - 2 });
    assert.equal(eventOf(read).exampleId, 'é');
  }
});

const huge = { limits: { ...defaultLimits, recordBytes: 20_000_000 } };

const detail = (value: string | Uint8Array | null, options = {}): string =>
  rejectedOf(readOne(value, {}, options)).detail;

test('a detail names place, value and remedy', () => {
  assert.equal(
    detail('{"example_id":"e","tool_calls":[{},5]}'),
    'tool_calls[1]: must be an object {"name": …, "arguments": …}, is 5',
  );
  assert.equal(detail('{"run":"3"}'), 'run: must be an integer from 0 to 9007199254740991, is "3"');
  assert.equal(
    detail('{"model":"__other__"}'),
    'model: must be a text of at most 256 characters without lone surrogates, other than "__other__", is "__other__"',
  );
  assert.equal(detail('5'), 'the event: must be a JSON object, or an array of objects, is 5');
  assert.match(detail('[]'), /^the record is an empty array; send/);
  assert.match(detail(null), /^the record has no value; send/);
  assert.match(detail('\ufeff{}'), /byte order mark; send/);
  assert.match(detail('{"a"'), /^the record is not JSON: .*; send/);
  assert.match(detail(Buffer.from('ab\xffcd', 'latin1')), /^byte 2 of the record is not UTF-8 \(0xff\); send/);
  assert.match(
    detail('{}'),
    /^no decision was read: none of label, tool_calls, output and error is given; the record is an empty object$/,
  );
  assert.match(detail('{"messages":[]}'), /; messages is an empty list: log what the model answered too, or say where/);
  assert.match(detail('{"messages":[{"role":"user","content":"hi"}]}'), /; messages holds no answer of an agent: log/);
  assert.match(detail('{"label":null}'), /^example_id is absent, and the record has no key; give/);
  assert.match(detail('{"example_id":"e","ts":"soon"}'), /^ts: "soon" is no time between 2000 and 2100; give/);
  assert.match(
    detail('{"example_id":"e","ts":"2050-01-01"}'),
    /^ts: "2050-01-01" is too far after .*2026-05-01T00:00:00.000Z; set/,
  );
  assert.match(detail(event(nested(64))), /deeper than 64; .*limits\.depth/);
  assert.match(detail(calls(257)), /257 calls, more than 256; .*limits\.calls/);
  assert.match(detail(event(numbers(10_000))), /^more than 10000 JSON values .*limits\.values/);
  assert.match(detail(array(1001)), /1001 elements, more than 1000; .*limits\.elements/);
  assert.match(
    detail('{"a":1}', { limits: { ...defaultLimits, recordBytes: 3 } }),
    /7 bytes, more than 3; .*limits\.record_bytes/,
  );
  assert.ok(detail(JSON.stringify({ label: [new Array(10_000).fill('x')] })).length < 200);
  const long = 'x'.repeat(10_000_000);
  for (const value of [{ run: long }, { example_id: 'e', ts: long }, { tools: [{ [long]: 1 }, [long]] }, long])
    assert.ok(detail(JSON.stringify(value), huge).length < 400);
  for (const text of [`{"a" ${long}`, `${long}{`, `{"${long}" 1}`]) assert.ok(detail(text, huge).length < 400);
});

test('texts of refusals: times in other units, and what Python prints', () => {
  const units = {
    1780000000: 'seconds',
    1780000000.5: 'seconds',
    1780000000000000: 'microseconds',
    1780000000000000001: 'nanoseconds',
  };
  for (const [ts, unit] of Object.entries(units))
    assert.match(
      detail(`{"example_id":"e","ts":${ts}}`),
      new RegExp(`^ts: ${ts} looks like ${unit}, .*; (multiply|divide) it by`),
    );
  assert.match(detail('{"example_id":"e","ts":178}'), /^ts: 178 is no time between 2000 and 2100; give/);
  assert.match(
    detail(`{'example_id': 'e', 'tool_calls': None}`),
    /^the record is text as Python prints .*; send json.dumps/,
  );
});

test('the place of a byte that is no UTF-8 is found', () => {
  const valid = fc.string({ unit: 'binary' }).map((text) => Buffer.from(text.toWellFormed()));
  // What begins with a byte 0 is told to be a value of a schema registry.
  const before = valid.filter((bytes) => bytes[0] !== 0);
  const wrong = fc.constantFrom([0xff], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x28], [0xf5, 0x80]);
  fc.assert(
    fc.property(before, wrong, valid, (good, bytes, after) => {
      const read = readOne(Buffer.concat([good, Buffer.from(bytes), Buffer.from(' '), after]));
      assert.match(rejectedOf(read).detail, new RegExp(`^byte ${good.length} of`));
    }),
  );
});

test('any bytes give events or refusals, never an error', () => {
  const reader = eventReader({ dimensions: ['model', 'tags.a'] });
  const text = fc.oneof(fc.json(), fc.string(), eventText());
  const value = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    text.map((one) => Buffer.from(one)),
    fc.constant(null),
  );
  fc.assert(
    fc.property(value, (one) => {
      const { events, skipped } = reader.read(recordOf(one));
      assert.ok(events.length > 0);
      assert.deepEqual(skipped, []);
      for (const event of events) lookAt(event);
    }),
    { numRuns: runs(400) },
  );
});

/** Nearly events: known fields with any JSON. */
function eventText(): fc.Arbitrary<string> {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('direct', 'e', [{ name: 'f', arguments: '{"a":1}' }], ['f'], 1, true, null),
  );
  const fields = [...eventFields, '__proto__'];
  return fc.dictionary(fc.constantFrom(...fields), value).map((one) => JSON.stringify(one));
}

function lookAt(part: Event | Rejected): void {
  if (isRejected(part)) {
    assert.ok(part.detail.length > 0);
    assert.equal(part.text === undefined, part.element < 0);
    return;
  }
  assert.ok(part.exampleId.length > 0);
  assert.equal(readAgain(part).exampleId, part.exampleId);
}
