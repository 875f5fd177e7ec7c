import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { formatNames } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { deepValidator } from '../../src/formats/json-schema/validator.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { runs } from '../support/soak.ts';

const oracle = new Ajv({ strict: false, validateSchema: false, logger: false, addUsedSchema: false });
(addFormats as unknown as (ajv: Ajv) => void)(oracle);

function byAjv(schema: JsonObject, args: JsonObject): boolean {
  try {
    return oracle.compile(schema)(args);
  } catch {
    return false;
  }
}

const keys = fc.constantFrom('a', 'b', 'c', 'ab', '__proto__');
const texts = fc.constantFrom(
  '',
  'a',
  'b',
  'ab',
  'aab',
  '7',
  '2024-02-29',
  'x@y.zz',
  'https://a.b/c',
  '😀',
  ' \u00a0',
  '\r',
);
const numbers = fc.constantFrom(0, 1, 2, 3, -1, 0.5, 1e300);
const scalars = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null));
const { value: values } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, scalars, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(keys, tie('value'), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
}));

/** As parsed: objects without a prototype, which fast-check makes too, are none that JSON gives. */
const parsed = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonObject;
const args = fc.dictionary(keys, values, { maxKeys: 4 }).map(parsed);

const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const counts = fc.constantFrom(0, 1, 2);
const patterns = fc.constantFrom(
  '^a+$',
  'b',
  '^(a|ab)*$',
  '^.$',
  '\\s',
  '^\\S*$',
  '[^\\s]',
  '[\\S]',
  '\\d',
  '^\\u{1F600}$',
  '[.]',
  '\\.',
);
const formats = fc.constantFrom('date', 'date-time', 'email', 'uri', 'uuid', 'ipv4', 'int32', 'nothing known');
const { schema: schemas } = fc.letrec<{ schema: Json; object: JsonObject; fields: JsonObject }>((tie) => ({
  schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.boolean(), fc.constant({}), tie('object')),
  fields: fc.dictionary(keys, tie('schema'), { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
  object: fc.record(
    {
      type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
      enum: fc.array(values, { minLength: 1, maxLength: 3 }),
      const: values,
      maximum: numbers,
      exclusiveMinimum: numbers,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      maxLength: counts,
      minItems: counts,
      maxProperties: counts,
      uniqueItems: fc.boolean(),
      pattern: patterns,
      format: formats,
      required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
      properties: tie('fields'),
      patternProperties: fc.dictionary(patterns, tie('schema'), { maxKeys: 2 }),
      additionalProperties: tie('schema'),
      propertyNames: tie('schema'),
      dependencies: fc.dictionary(
        keys,
        fc.oneof(fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }), tie('schema')),
        {
          maxKeys: 2,
        },
      ),
      items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
      additionalItems: tie('schema'),
      contains: tie('schema'),
      allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
      not: tie('schema'),
      if: tie('schema'),
      // biome-ignore lint/suspicious/noThenProperty: the keyword
      then: tie('schema'),
      else: tie('schema'),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<JsonObject>,
}));

/** Each schema holds a few keywords only: with all of them nothing is ever accepted. */
const root = fc
  .tuple(fc.dictionary(fc.constantFrom('a', 'b', 'c'), schemas, { minKeys: 1, maxKeys: 3 }), schemas)
  .map(([properties, all]) => parsed({ properties, allOf: [all] }));

test('accepts what ajv accepts', () => {
  const accepts = deepValidator();
  let accepted = 0;
  fc.assert(
    fc.property(root, args, (schema, value) => {
      const wanted = byAjv(schema, value);
      if (wanted) accepted++;
      assert.equal(accepts(schema, value), wanted);
    }),
    // ajv takes some 20 ms to compile one.
    { numRuns: runs(40) },
  );
  assert.ok(accepted > 2, `${accepted} accepted`);
});

const infinity = Number.POSITIVE_INFINITY;

const chain = (length: number): JsonObject =>
  Object.fromEntries(
    Array.from({ length }, (_, at) => {
      const next = { $ref: `#/definitions/d${at + 1}` };
      return [`d${at}`, at === length - 1 ? { type: 'object' } : { allOf: [next, next] }];
    }),
  );

const ofA = (a: JsonObject): JsonObject => ({ properties: { a } });

/** What, schema, arguments, accepted. */
const table: readonly [string, JsonObject, JsonObject, boolean][] = [
  ['nothing asked', {}, { a: 1 }, true],
  ['a number where a text is asked', ofA({ type: 'string' }), { a: 1 }, false],
  ['an unknown keyword', ofA({ colour: 'red' }), { a: 1 }, true],
  ['an unknown type', ofA({ type: 'colour' }), {}, false],
  ['a keyword of a wrong type', ofA({ maxLength: '3' }), {}, false],
  ['a part that is no schema', { properties: { a: null } }, {}, false],
  ['null where it is nullable', ofA({ type: 'string', nullable: true }), { a: null }, true],
  ['nullable without a type', ofA({ nullable: true }), {}, false],
  ['names that objects inherit', { required: ['toString'] }, {}, false],
  ['infinity as an integer', ofA({ type: 'integer' }), { a: infinity }, true],
  ['a pattern that is none', ofA({ pattern: '(' }), {}, false],
  ['a pattern of another dialect', ofA({ pattern: '(?i)a' }), {}, false],
  ['a pattern that looks ahead', ofA({ pattern: '^(?!a)' }), { a: 'b' }, false],
  ['a pattern that refers back', ofA({ pattern: '(a)\\1' }), { a: 'aa' }, false],
  ['a reference', { definitions: { d: { type: 'string' } }, ...ofA({ $ref: '#/definitions/d' }) }, { a: 1 }, false],
  ['a reference, what is beside it', ofA({ $ref: '#/x', maxLength: 1 }), { a: 'ab' }, false],
  ['a reference through escapes', { 'x/~y z': false, ...ofA({ $ref: '#/x~1~0y%20z' }) }, { a: 1 }, false],
  ['a reference to nothing', ofA({ $ref: '#/definitions/d' }), {}, false],
  ['a reference to what is no schema', { x: 'text', ...ofA({ $ref: '#/x' }) }, {}, false],
  ['a reference to elsewhere', ofA({ $ref: 'http://json-schema.org/draft-07/schema#' }), {}, false],
  ['a schema of itself', { properties: { a: { $ref: '#' } }, required: ['b'] }, { a: { b: 1 }, b: 2 }, true],
  ['a schema of itself, wrong within', { properties: { a: { $ref: '#' } }, required: ['b'] }, { a: {}, b: 2 }, false],
];

for (const [what, schema, value, accepted] of table) {
  test(`${what}: ${accepted ? 'accepted' : 'not accepted'}`, () => {
    assert.equal(deepValidator()(schema, value), accepted);
  });
}

test('schemas that differ in infinity alone are told apart', () => {
  const accepts = deepValidator();
  assert.equal(accepts(ofA({ maximum: infinity }), { a: 1 }), true);
  assert.equal(accepts(ofA({ maximum: null }), { a: 1 }), false);
});

test('a schema that was dropped is read again', () => {
  const accepts = deepValidator();
  const schema = (at: number) => ofA({ enum: Array.from({ length: 5_000 }, (_, one) => at + one) });
  for (const at of [...Array(100).keys(), ...Array(100).keys()]) {
    assert.equal(accepts(schema(at), { a: at }), true);
    assert.equal(accepts(schema(at), { a: at - 1 }), false);
  }
});

const many = (length: number, value: Json = 0): Json[] => new Array<Json>(length).fill(value);
const fields = (count: number, value: Json): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
const nested = (depth: number): Json => {
  let value: Json = 1;
  for (let at = 0; at < depth; at++) value = { a: value };
  return value;
};

/** What may take long, schema, value of argument `a`. */
const hostile: readonly [string, JsonObject, Json][] = [
  ['a pattern that backtracks', ofA({ pattern: '^(a+)+$' }), `${'a'.repeat(40)}b`],
  ['a pattern that backtracks, on a long text', ofA({ pattern: '^(a+)+$' }), `${'a'.repeat(900_000)}b`],
  ['a pattern of many states', ofA({ pattern: '^(a|b)*a(a|b){900}c$' }), 'ab'.repeat(430)],
  [
    'a pattern of many states, on many texts',
    ofA({ items: { pattern: '^(a|b)*a(a|b){90}c$' } }),
    many(80, 'abba'.repeat(25)),
  ],
  ['many patterns', { patternProperties: fields(20_000, {}) }, 1],
  ['many patterns on many keys', ofA({ patternProperties: fields(100, {}) }), fields(200, 1)],
  ['many dependencies of many items', ofA({ items: { dependencies: fields(6_000, []) } }), many(49_000, {})],
  ['many booleans for many items', ofA({ items: { anyOf: [...many(9_000, false), true] } }), many(49_000)],
  ['references that fan out', { definitions: chain(60), $ref: '#/definitions/d0' }, 1],
  ['references in a ring', { $ref: '#' }, 1],
  ['a schema of itself', ofA({ $ref: '#' }), nested(100_000)],
  ['a schema of great depth', nested(100_000) as JsonObject, 1],
  ['schemas of great depth', { allOf: [JSON.parse(`${'{"not":'.repeat(900)}{}${'}'.repeat(900)}`)] }, 1],
  ['a schema of many properties', { properties: fields(80_000, {}) }, 1],
  ['many items', ofA({ items: { type: 'number' } }), many(490_000)],
  ['many texts', ofA({ enum: many(900, 'a'.repeat(100)) }), many(90_000, 'a'.repeat(8))],
  ['many values to equal', ofA({ items: { enum: many(9_000, {}) } }), many(300_000, {})],
  ['large values to equal', ofA({ items: { const: many(15_000) } }), many(30, many(15_000))],
  ['items that differ, unique', ofA({ uniqueItems: true }), Array.from({ length: 60_000 }, (_, a) => ({ a }))],
  ['large items, unique', ofA({ uniqueItems: true }), Array.from({ length: 250 }, (_, a) => [...many(1_900), a])],
  [
    'a text as long as a record, by every format',
    { allOf: [...formatNames].map((format) => ofA({ format })) },
    `http://${'a@b.cc/:'.repeat(120_000)} `,
  ],
  ['a long url', ofA({ format: 'url' }), `http://${'a@b.cc/:'.repeat(250)} `],
  ['a name of many dots', ofA({ format: 'email' }), 'a@b.'.repeat(240_000)],
];

for (const [what, schema, a] of hostile) {
  test(`${what}: it ends, and gives the same answer again`, () => {
    const accepts = deepValidator();
    assert.equal(accepts(schema, { a }), accepts(schema, { a }));
  });
}
