import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonText } from '../../src/formats/json/json-text.ts';
import { jsonIn } from '../../src/formats/json/parsed.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { distance, isNumber, isWhole, longText, numberIn } from '../../src/scoring/long-number.ts';
import { jsonOf, parseJson, withoutNonFinite } from '../../src/scoring/parse-json.ts';
import { fitsParameters } from '../../src/scoring/schema/reading.ts';
import { hashOf } from '../../src/scoring/similarity.ts';
import { likeness } from '../../src/scoring/trajectory/compare.ts';
import { deepValidator } from '../../src/formats/json-schema/validator.ts';
import { previewText } from '../../src/formats/json/preview.ts';

/** A number as it is written, and as it is printed; undefined: it is a double. */
const numbers: readonly (readonly [text: string, printed: string | undefined])[] = [
  ['1234567890123456789', '1234567890123456789'],
  ['-1234567890123456789', '-1234567890123456789'],
  ['1234567890123456789.00', '1234567890123456789'],
  ['1.234567890123456789e18', '1234567890123456789'],
  ['1234567890123456768', '1234567890123456768'],
  ['1234567890123456800', undefined],
  ['9007199254740992', undefined],
  ['9007199254740993', '9007199254740993'],
  ['12345678901234567.25', '12345678901234567.25'],
  ['0.12345678901234567891', '0.12345678901234567891'],
  ['-0.00012345678901234567891', '-0.00012345678901234567891'],
  ['0.30000000000000004', undefined],
  ['0.1', undefined],
  ['100000000000000000000', undefined],
  ['1e20', undefined],
  ['123456789012345678900000', '123456789012345678900000'],
  ['1234567890123456789e400', '1234567890123456789e400'],
  ['1234567890123456789e-400', '1234567890123456789e-400'],
  ['1e400', undefined],
  ['-1e400', undefined],
  ['1234567890123456789e99999999999999999999', undefined],
  ['-0', undefined],
  ['000.000', undefined],
];
test('a number is a double where that has its digits, else it has them all', () => {
  for (const [text, printed] of numbers) {
    const number = numberIn(text);
    if (printed === undefined) assert.ok(Object.is(number, Number(text)), text);
    else assert.equal(longText(number as bigint), printed);
  }
});

const digits = fc.stringMatching(/^-?[1-9]\d{0,24}(\.\d{1,24})?(e-?\d{1,2})?$/);

test('numbers are equal where their decimal digits are', () => {
  /** Digits without zeros, and a power of ten. */
  const value = (text: string): string => {
    const [, sign, before = '', after = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/.exec(text)!;
    const all = (before + after).replace(/^0+/, '');
    const kept = all.replace(/0+$/, '');
    return `${sign}${kept}e${Number(power) - after.length + all.length - kept.length}`;
  };
  fc.assert(
    fc.property(digits, digits, (a, b) => {
      assert.equal(numberIn(a) === numberIn(b), value(a) === value(b));
      assert.equal(jsonText(parseJson(a)) === jsonText(parseJson(`${a}`)), true);
      assert.equal(numberIn(jsonText(numberIn(a))), numberIn(a), 'it reads back as it is written');
      assert.ok(isNumber(parseJson(a)));
    }),
  );
});

test('a text with long numbers is read as JSON.parse reads it but for them', () => {
  const json = fc.json({ maxDepth: 3 });
  fc.assert(
    fc.property(json, digits, fc.boolean(), (text, number, marked) => {
      const key = marked ? '\\u0001' : 'key';
      const document = `{"first": ${text},"${key}":\t${number} ,"\\u0001${number}":"\\u0001${number}","s":" ${number},"}`;
      const read = parseJson(document) as Record<string, Json>;
      const usual = JSON.parse(document) as Record<string, Json>;
      assert.deepEqual(Object.keys(read), Object.keys(usual));
      for (const name of Object.keys(usual))
        assert.deepEqual(read[name], isNumber(usual[name]) && name !== 'first' ? numberIn(number) : usual[name]);
      assert.deepEqual(parseJson(jsonText(read)), read);
    }),
  );
  assert.deepEqual(
    parseJson('{"__proto__":[1234567890123456789]}'),
    JSON.parse('{"__proto__":[0]}', (_, value) => (value === 0 ? numberIn('1234567890123456789') : value)),
  );
});

test('what is no JSON stays none', () => {
  for (const text of [
    '{1234567890123456789:1}',
    '01234567890123456789',
    '[12345678901234567890',
    '1234567890123456789.',
  ])
    assert.equal(jsonOf(text), undefined, text);
});

const nonFinite: readonly (readonly [text: string, read: string | undefined])[] = [
  ['{"a":NaN,"b":[Infinity,-Infinity]}', '{"a":null,"b":[null,null]}'],
  ['{"a":NaN,"b":"NaN, \\"Infinity","NaN":1}', '{"a":null,"b":"NaN, \\"Infinity","NaN":1}'],
  ['{"a":NaN,"b":1234567890123456789}', '{"a":null,"b":1234567890123456789}'],
  ['{"a":nan}', undefined],
  ['{"a":NaNs}', undefined],
  ['{NaN:1}', undefined],
  ['{"a":NaN', undefined],
];
test('NaN and Infinity outside strings are null, where they are all that is wrong', () => {
  for (const [text, read] of nonFinite) {
    const value = jsonIn(text);
    assert.equal(value && jsonText(value), read, text);
  }
  assert.equal(withoutNonFinite('{"a":"NaN"}'), undefined);
});

const [near, id, far] = ['1234567890123456768', '1234567890123456789', '2234567890123456789'].map(numberIn) as [
  bigint,
  bigint,
  bigint,
];

test('an infinity (1e999) is the same as itself, and far from any other number', () => {
  const infinity = numberIn('1e999');
  assert.equal(likeness(infinity, numberIn('1e400')), 'same');
  for (const text of ['-1e999', '1.7e308', '5']) assert.equal(likeness(infinity, numberIn(text)), 'different', text);
});

test('long numbers are numbers for types, schemas, likeness and previews', () => {
  assert.deepEqual([isWhole(id), isWhole(numberIn('12345678901234567.25')), isWhole(3)], [true, false, true]);
  assert.ok(distance(id, near) > 1 && distance(id, id) === 0 && distance(3, 1) === 2);
  assert.deepEqual([likeness(id, id), likeness(id, near), likeness(id, far)], ['same', 'alike', 'different']);
  assert.notEqual(hashOf(id), hashOf(near));
  const fits = (type: string, value: Json): boolean =>
    fitsParameters({ properties: { x: { type } } }, { x: value }, []);
  assert.deepEqual([fits('integer', id), fits('number', id), fits('string', id)], [true, true, false]);
  const schemas: readonly (readonly [schema: string, accepted: boolean])[] = [
    ['{"type":"integer","maximum":9223372036854775807}', true],
    ['{"type":"number","maximum":922337203685477580}', false],
    ['{"enum":[1234567890123456768]}', false],
    ['{"const":1234567890123456789}', true],
    ['{"format":"int32"}', false],
    ['{"format":"int64"}', true],
    ['{"type":"string"}', false],
  ];
  for (const [schema, accepted] of schemas)
    assert.equal(
      deepValidator()(parseJson(`{"properties":{"x":${schema}}}`) as JsonObject, { x: id }),
      accepted,
      schema,
    );
  assert.equal(previewText([id], { charactersMax: 40, redact: new Set() }), `[${longText(id)}]`);
});

test('hostile texts of digits are read in linear time', () => {
  const many = 400_000;
  const texts = [
    '7'.repeat(many),
    `0.${'0'.repeat(many)}1`,
    `1${'0'.repeat(many)}1${'0'.repeat(many)}`,
    `["${'1234567890123456789 '.repeat(many / 20)}"]`,
    `[${'0.12345678901234567,'.repeat(many / 20)}1]`,
    `{"a":1234567890123456789,"s":"${'\\"'.repeat(many)}"}`,
    `NaN"${'\\"'.repeat(many)}`,
    `${'['.repeat(50_000)}1234567890123456789${']'.repeat(50_000)}`,
  ];
  for (const text of texts) {
    const before = process.cpuUsage().user;
    const value = jsonIn(text);
    if (value !== undefined) jsonText(value);
    // Some tens of ms; quadratic work takes minutes.
    assert.ok(process.cpuUsage().user - before < 3e6, text.slice(0, 30));
  }
});
