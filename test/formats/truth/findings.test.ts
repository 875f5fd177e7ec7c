import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { schemaCheck } from '../../../src/formats/json-schema/validator.ts';
import { findingsOf } from '../../../src/formats/truth/findings.ts';
import { readTruthRecord } from '../../../src/formats/truth/record.ts';
import { ruleProblems } from '../../../src/formats/truth/rule-problems.ts';
import { truthOfRecord } from '../../../src/formats/truth/topic.ts';
import type { JsonObject } from '../../../src/scoring/json.ts';
import { runs } from '../../support/soak.ts';

function found(row: object): string[] {
  const record = readTruthRecord(JSON.stringify({ example_id: 'e', ...row }));
  assert.ok(!('problem' in record), JSON.stringify(record));
  return findingsOf(truthOfRecord(record), schemaCheck()).map(({ kind, detail }) => `${kind}: ${detail}`);
}

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { name: 'f', parameters: city };
const call = (args: object, accept?: object) => ({ name: 'f', arguments: args, ...(accept && { accept }) });

const rows: readonly (readonly [what: string, row: object, found: readonly string[]])[] = [
  ['a row in order', { label: 'tool_call', tools: [weather], expected_tool_calls: [call({ city: 'Oslo' })] }, []],
  ['no calls recorded', { label: 'tool_call', tools: ['f'] }, []],
  ['a label alone', { label: 'cannot_answer' }, []],
  ['no call to make', { label: 'direct', expected_tool_calls: [] }, []],
  [
    'cannot_answer with a call',
    { label: 'cannot_answer', expected_tool_calls: [call({})] },
    ['label: label is cannot_answer, and "f" is expected'],
  ],
  [
    'tool_call without a call',
    { label: 'tool_call', expected_tool_calls: [] },
    ['label: label is tool_call, and expected_tool_calls is empty'],
  ],
  [
    'tool_call without a call, but an alternative with one',
    { label: 'tool_call', expected_tool_calls: [], alternatives: [[call({})]] },
    [],
  ],
  [
    'a tool that is not listed',
    { tools: ['g'], expected_tool_calls: [call({})] },
    ['tool: expected_tool_calls[0]: "f" is none of the tools of the row'],
  ],
  [
    'a tool that is not listed, in an alternative',
    { tools: ['g'], expected_tool_calls: [{ name: 'g' }], alternatives: [[{ name: 'g' }, call({})]] },
    ['tool: alternatives[0][1]: "f" is none of the tools of the row'],
  ],
  [
    'a forbidden tool',
    { forbidden: ['f*'], expected_tool_calls: [call({})] },
    ['tool: expected_tool_calls[0]: "f" is expected, and forbidden holds "f*"'],
  ],
  [
    'arguments of another type',
    { tools: [weather], expected_tool_calls: [call({ city: 7 })] },
    ['arguments: expected_tool_calls[0]: city breaks type of the schema of "f"'],
  ],
  [
    'arguments that lack one',
    { tools: [weather], expected_tool_calls: [call({})] },
    ['arguments: expected_tool_calls[0]: city breaks required of the schema of "f"'],
  ],
  ['any arguments', { tools: [weather], expected_tool_calls: [call({}, { '*': { ignore: true } })] }, []],
  [
    'a rule at no path',
    { expected_tool_calls: [call({ city: 'Oslo' }, { citty: { ignore_case: true } })] },
    ['rules: expected_tool_calls[0]: accept.citty: the expected arguments have no such path'],
  ],
];

describe('contradictions within a row', () => {
  for (const [what, row, expected] of rows)
    test(what, () => {
      assert.deepEqual(found(row), expected);
    });
});

const rules: readonly (readonly [args: JsonObject, accept: JsonObject, problems: readonly string[]])[] = [
  [{ a: 'x' }, { a: { any: ['y'], ignore_case: true, trim: true } }, []],
  [{}, { a: { optional: true } }, []],
  [{}, { a: { any: ['y'] } }, []],
  [
    { a: { b: [{ c: 'x' }] } },
    { 'a.b[*].c': { ignore_case: true }, 'a.b[0].d': { trim: true } },
    ['accept.a.b[0].d: the expected arguments have no such path'],
  ],
  [{ a: 'Oslo' }, { a: { pattern: '[a-z]+' } }, ['accept.a: "Oslo" does not match pattern']],
  [{ a: 'Oslo' }, { a: { pattern: '[a-z]+', ignore_case: true } }, []],
  [{ a: 5 }, { a: { range: [6, null] } }, ['accept.a: 5 is not in range']],
  [{ a: 5 }, { a: { range: [5, 5] } }, []],
  [{ a: '5' }, { a: { range: [5, 5], coerce: true } }, []],
  [{ a: 'x' }, { a: { contains: 'y' } }, ['accept.a: "x" lacks contains']],
  [{ a: '3' }, { a: { type: 'integer' } }, ['accept.a: "3" is not of type integer']],
  [{ a: 'x' }, { a: { type: ['null', 'string'] } }, []],
  [{ a: 'x' }, { a: { type: 'null' } }, []],
  [{ a: 'x' }, { a: { tolerance: 1 } }, ['accept.a: "x" is no number, so no tolerance holds']],
  [{ a: 1 }, { a: { edit_similarity: 0.5 } }, ['accept.a: 1 is no text, so edit_similarity never holds']],
  [{ a: 'x' }, { a: { date: true } }, ['accept.a: "x" is no date, so date never holds']],
  [{ a: '2026-05-01' }, { a: { date: true } }, []],
  [{ a: 'x' }, { a: { unordered: true } }, ['accept.a: "x" is no list, so unordered never holds']],
  [{ a: 'x' }, { a: { ignore: true, pattern: 'y' } }, []],
];

describe('rules that cannot hold', () => {
  for (const [args, accept, problems] of rules)
    test(JSON.stringify([args, accept]), () => {
      assert.deepEqual(ruleProblems(accept, args), problems);
    });
});

test('a row whose calls are all of its tools, by a schema that its own arguments give, has no contradiction', () => {
  const args = fc.dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
    maxKeys: 4,
  });
  const types = { string: 'string', number: 'integer', boolean: 'boolean' } as const;
  const property = fc.property(
    fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }),
    args,
    (names, given) => {
      const properties = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, { type: types[typeof value as 'string'] }]),
      );
      const parameters = { type: 'object', properties, required: Object.keys(given), additionalProperties: false };
      const tools = names.map((name) => ({ name, parameters }));
      const row = { label: 'tool_call', tools, expected_tool_calls: names.map((name) => ({ name, arguments: given })) };
      assert.deepEqual(found(row), []);
      const others = { ...row, tools: tools.slice(1) };
      assert.deepEqual(found(others), [
        `tool: expected_tool_calls[0]: ${shown(names[0]!)} is none of the tools of the row`,
      ]);
    },
  );
  fc.assert(property, { numRuns: runs(100) });
});

function shown(name: string): string {
  return name.length > 60 ? `${JSON.stringify(name.slice(0, 60))}…` : JSON.stringify(name);
}
