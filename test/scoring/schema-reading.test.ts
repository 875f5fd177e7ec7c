import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepValidator } from '../../src/formats/json-schema/validator.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { schema } from '../../src/scoring/schema/index.ts';
import { fitsParameters, schemaOf } from '../../src/scoring/schema/reading.ts';
import { joined } from '../support/joined.ts';
import { blockOf } from '../support/scoring.ts';

const definitions = {
  N: { type: 'integer' },
  Loop: { $ref: '#/$defs/Loop' },
  Fan: { anyOf: [{ $ref: '#/$defs/Fan' }, { $ref: '#/$defs/Fan' }] },
  'a/b %': { type: 'boolean' },
};

/** Schema of a parameter, values that it accepts and refuses; of `says nothing` any is accepted and unchecked. */
const cases: readonly (readonly [
  schema: Json,
  accepted: readonly Json[],
  refused: readonly Json[] | 'says nothing',
])[] = [
  [{ type: 'string' }, ['a'], [1, null]],
  [{ type: 'INTEGER' }, [3], ['3', 2.5, true]],
  [{ type: 'Number' }, [2.5], ['3', false]],
  [{ type: 'null' }, [null], ['null', 0]],
  [{ type: ['integer', 'null'] }, [3, null], ['3']],
  [{ type: 'str' }, ['a'], [1]],
  [{ type: 'int' }, [1], [1.5]],
  [{ type: 'float' }, [1.5, 1], ['1']],
  [{ type: 'bool' }, [true], [1]],
  [{ type: 'List[int]' }, [[1]], [{}, 1]],
  [{ type: 'dict' }, [{}], [[]]],
  [{ type: 'int, optional' }, [1], ['1']],
  [{ type: 'any' }, [1, 'a', null], 'says nothing'],
  [{ type: 'constructor' }, [1, 'a', null], 'says nothing'],
  [{ type: 5 }, [1, 'a'], 'says nothing'],
  [{ type: [] }, [1, 'a'], 'says nothing'],
  [{ description: 'any value' }, [1, 'a', null, {}], 'says nothing'],
  [{}, [1], 'says nothing'],
  [{ type: 'integer', nullable: true }, [3, null], ['3']],
  [{ type: 'integer', nullable: false }, [3], [null]],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }], default: null }, [3, null], ['3']],
  [{ oneOf: [{ type: 'integer' }, { type: 'string' }] }, [3, 'a'], [true]],
  [{ anyOf: [{ type: 'integer' }, {}] }, ['a'], 'says nothing'],
  [{ allOf: [{ type: 'integer' }, { minimum: 2 }] }, [1], ['a']],
  [{ allOf: [{ title: 'x' }] }, [1, 'a'], 'says nothing'],
  [{ enum: [1, 2, 3] }, [3, 7], ['3', 2.5]],
  [{ enum: [1.5] }, [1, 2.5], ['3']],
  [{ enum: ['a', null] }, ['b', null], [1]],
  [{ type: 'string', enum: ['a'] }, ['b'], [1]],
  [{ const: 'x' }, ['y'], [1]],
  [{ $ref: '#/$defs/N' }, [3], ['3']],
  [{ $ref: '#/$defs/a~1b%20%25' }, [true], [3]],
  [{ $ref: '#/$defs/Loop' }, [3, 'a'], 'says nothing'],
  [{ $ref: '#/$defs/Fan' }, [3, 'a'], 'says nothing'],
  [{ $ref: '#/$defs/None' }, [3], 'says nothing'],
  [{ $ref: 'https://example.com/schema' }, [3], 'says nothing'],
];

for (const [described, accepted, refused] of cases) {
  test(`a parameter of ${JSON.stringify(described)}`, () => {
    const parameters: JsonObject = { properties: { x: described }, $defs: definitions };
    for (const x of accepted) {
      const unchecked: string[] = [];
      assert.ok(fitsParameters(parameters, { x }, unchecked), JSON.stringify(x));
      assert.deepEqual(unchecked, refused === 'says nothing' ? ['x'] : []);
    }
    if (refused !== 'says nothing')
      for (const x of refused) assert.equal(fitsParameters(parameters, { x }, []), false, JSON.stringify(x));
  });
}

const flat = {
  city: { description: 'City', type: 'str' },
  days: { type: 'int, optional' },
  unit: { type: 'str', default: 'C' },
  kind: { type: 'str', required: false },
};
/** Parameters, arguments, whether they fit, and those that are unchecked. */
const whole: readonly (readonly [JsonObject, JsonObject, boolean, ...string[]])[] = [
  [flat, { city: 'Oslo' }, true],
  [flat, { city: 'Oslo', days: 3, unit: 'F', kind: 'x' }, true],
  [flat, { days: 3 }, false],
  [flat, { city: 'Oslo', days: 'many' }, false],
  [flat, { city: 'Oslo', bogus: true }, true],
  [{ $ref: '#/$defs/A', $defs: { A: { properties: { a: { type: 'string' } }, required: ['a'] } } }, {}, false],
  [{ properties: { a: true } }, { a: 1, b: 2 }, true],
  [{ type: 'object' }, {}, true],
  [{ type: 'object' }, { a: 1 }, true, 'a'],
  [{ what: 'city' }, { a: 1 }, true, 'a'],
  [{ properties: { type: { type: 'string' } } }, { type: 1 }, false],
];

test('a flat map is read as properties, and what says nothing is accepted and counted', () => {
  const deep = deepValidator();
  for (const [parameters, args, fits, ...unchecked] of whole) {
    const found: string[] = [];
    const text = JSON.stringify([parameters, args]);
    assert.equal(fitsParameters(parameters, args, found), fits, text);
    assert.deepEqual(found, unchecked, text);
    assert.equal(deep(schemaOf(parameters), args), fits, `deep: ${text}`);
  }
});

test('whole schemas have the types of Gemini, too', () => {
  const deep = deepValidator();
  const gemini = { type: 'OBJECT', properties: { days: { type: 'INTEGER', nullable: true } } };
  assert.deepEqual(
    [3, null, '3', 2.5].map((days) => deep(schemaOf(gemini), { days })),
    [true, true, false, false],
  );
});

test('arguments that are unchecked are a number of the family, in mode spec', () => {
  const weights = { tool_selection: 0.4, parameter_accuracy: 0.35, execution_success: 0.25, response_quality: 0 };
  const call = { name: 'f', arguments: { a: 1, b: 2, c: 'x' } };
  const tools = [{ name: 'f', parameters: { properties: { a: {}, b: { type: 'any' }, c: { type: 'string' } } } }];
  const event = joined({ calls: [call] }, { expected: [call], tools });
  const counts = (['spec', 'upstream'] as const).map(
    (mode) => blockOf(schema({ mode, weights, deep: undefined }), [event])!['unchecked_arguments'],
  );
  assert.deepEqual(counts, [2, 0]);
});
