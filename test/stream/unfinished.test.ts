import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/scoring/json.ts';
import { fieldsOf, type Short } from '../support/short-steps.ts';

/* A run ends in words, or it is unfinished, as a list of messages tells it. */

const call = (name: string): JsonObject => ({ tool_calls: [{ name }] });
const model = (at: number, given: JsonObject): Short => ({ at, given });
const result: Short = { at: 2, part: 'tool', given: { returned: [{ name: 'f', ok: true }] } };
const begun = [model(1, call('f')), result] as const;

const table: readonly (readonly [what: string, steps: readonly Short[], unfinished: true | undefined])[] = [
  ['a call with a result', begun, true],
  ['a call behind one with a result', [...begun, model(3, call('g'))], true],
  ['a call beside words', [...begun, model(3, { ...call('g'), output: 'wait' })], true],
  ['a failure behind a call with a result', [...begun, model(3, { error: 'x' })], true],
  ['an answer that was cut off', [model(1, { output: 'x', unfinished: true })], true],
  ['a call without any result', [model(1, call('f'))], undefined],
  ['words', [...begun, model(3, { output: 'x' })], undefined],
  ['words behind a call in one answer', [...begun, model(3, { ...call('g'), output: 'x', closes: true })], undefined],
  ['a refusal', [...begun, model(3, { refused: true })], undefined],
  ['words behind an answer that was cut off', [model(0, { unfinished: true }), model(1, { output: 'x' })], undefined],
];

for (const [what, steps, unfinished] of table)
  test(`a run that ends in ${what} is ${unfinished ? 'unfinished' : 'finished'}`, () => {
    assert.equal(fieldsOf(steps)['unfinished'], unfinished);
  });
