import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainsOf } from '../../src/stream/chains.ts';

/* Steps as `id<followed`, and the chains that they make. */
const table: readonly (readonly [what: string, steps: string, chains: string])[] = [
  ['no links', 'a b c', 'a,b,c'],
  ['a chain, the newest first', 'c<b b<a a', 'a,b,c'],
  ['two chains and others', 'a x b1 b2<b1 a2<a y', 'a,a2 x,y b1,b2'],
  ['what it follows is not there', 'c<b a', 'c a'],
  ['a fork is one chain', 'b<a c<a a', 'a,b,c'],
  ['a step that follows itself', 'a<a b', 'a b'],
  ['a circle', 'a<b b<a c<b', 'b,a,c'],
  ['two steps of one id: the first is followed', 'a b<a a', 'a,b a'],
  ['a step without an id', '<a a', 'a,'],
];

for (const [what, steps, expected] of table)
  test(`chains: ${what}`, () => {
    const given = steps.split(' ').map((step) => {
      const [id, follows] = step.split('<') as [string, string | undefined];
      return { id: id === '' ? undefined : id, follows };
    });
    const found = chainsOf(given).map((chain) => chain.map(({ id }) => id).join(','));
    assert.equal(found.join(' '), expected);
  });
