import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameTable } from '../../src/formats/prediction/names.ts';
import { identityOfText } from '../../src/state/containers/identity.ts';
import { eventReader, recordOf } from '../support/event-reader.ts';

test('equal texts have equal codes, with text and identity', () => {
  const names = nameTable();
  const texts = Array.from({ length: 500 }, (_, i) => `name ${i} é`);
  const codes = texts.map((text) => names.codeOf(text));
  assert.deepEqual(
    texts.map((text) => names.codeOf(text)),
    codes,
  );
  assert.equal(new Set(codes).size, 500);
  assert.equal(names.codeOf(''), 0);
  const words = new Uint32Array(4);
  for (const [at, code] of codes.entries()) {
    assert.equal(names.text(code), texts[at]);
    identityOfText(texts[at]!, words, 0);
    assert.deepEqual(names.words.slice(4 * code, 4 * code + 4), words);
  }
});

test('too many names start a new generation, at the next batch', () => {
  const names = nameTable();
  for (let i = 0; i < 65_535; i++) names.codeOf(`n${i}`);
  names.renew();
  assert.equal(names.generation, 0);
  const code = names.codeOf('one more');
  assert.equal(names.text(code), 'one more');
  names.renew();
  assert.equal(names.generation, 1);
  assert.equal(names.codeOf(''), 0);
  assert.equal(names.codeOf('first again'), 1);
});

test('a few huge names start a new generation too', () => {
  const names = nameTable();
  for (let i = 0; i < 20; i++) names.codeOf(`${i}${'x'.repeat(1_000_000)}`);
  names.renew();
  assert.equal(names.generation, 1);
});

test('a reader goes on over generations', () => {
  const reader = eventReader();
  const named = (prefix: string, count: number): string =>
    `[${Array.from({ length: count }, (_, i) => `{"example_id":"e","model":"${prefix}${i}"}`).join(',')}]`;
  let generation = 0;
  for (let round = 0; round < 70; round++) {
    const batch = reader.read([recordOf(named(`r${round}-`, 1000))], 0, 1);
    for (const row of [0, 999]) assert.equal(batch.names.text(batch.model[row]!), `r${round}-${row}`);
    assert.equal(batch.names.text(batch.agent[0]!), 'unknown');
    generation = batch.names.generation;
  }
  assert.equal(generation, 1);
});
