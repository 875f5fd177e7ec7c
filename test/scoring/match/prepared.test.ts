import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match } from '../../../src/scoring/match/index.ts';
import type { Json } from '../../../src/scoring/json.ts';
import { joined, truthOf } from '../../support/joined.ts';
import { call, matchDefaults, matchRow } from '../../support/match.ts';

const f = call('f', { x: 1 });

test('an argument that the event says its tool has not is wrong to BFCL, though it is the expected one', () => {
  const tools = [{ name: 'f', parameters: { properties: { y: { type: 'integer' } } } }];
  const options = { dialect: 'bfcl', defaults: false } as const;
  const family = match({ ...matchDefaults, ...options });
  const correct = (ofTruth: readonly Json[] | undefined, ofEvent: readonly Json[] | undefined) => {
    const truth = { expected: [f], tools: ofTruth };
    const input = joined({ calls: [f], tools: ofEvent }, truth);
    return (family.score(input, family.prepare(truthOf(truth))!) as { correct: boolean }).correct;
  };
  assert.deepEqual([correct(undefined, tools), correct(undefined, undefined), correct([], tools)], [false, true, true]);
});

test('defaults are those of the first tool of a name that has any, of whatever form the others are', () => {
  const parameters = (properties: Json) => ({ parameters: { properties } });
  const tools: Json[] = [
    'f',
    { name: 'f' },
    { name: 'f', ...parameters([]) },
    parameters({ x: { default: 9 } }),
    { name: 'f', ...parameters({ x: { default: 1 }, y: 'no schema', z: { type: 'string' } }) },
    { name: 'f', ...parameters({ x: { default: 2 } }) },
  ];
  const isRight = (args: Record<string, Json>) => matchRow([call('f', args)], { expected: [call('f')], tools }).correct;
  assert.deepEqual(
    [isRight({ x: 1 }), isRight({ x: 2 }), isRight({ y: null }), isRight({ z: 1 })],
    [true, false, false, false],
  );
});
