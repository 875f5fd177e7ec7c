import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  checkpointFileName,
  folderName,
  folderText,
  parseCheckpointFileName,
} from '../../../src/formats/checkpoint/names.ts';

for (const [text, name] of [
  ['predictions', 'predictions'],
  ['a.b_c-D9', 'a.b_c-D9'],
  ['.', '%2E'],
  ['..', '%2E.'],
  ['../etc', '%2E.%2Fetc'],
  ['', '%'],
  ['%', '%25'],
  ['grün\0', 'gr%C3%BCn%00'],
  ['COM1:', 'COM1%3A'],
] as const) {
  test(`${JSON.stringify(text)} lies in the folder ${name}`, () => {
    assert.equal(folderName(text), name);
    assert.equal(folderText(name), text);
  });
}

test('folder names are safe, short, and different for different texts', () => {
  const any = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: fc.constantFrom('.', '/', '%', '2', 'E') }),
  );
  fc.assert(
    fc.property(any, any, (a, b) => {
      const name = folderName(a);
      assert.match(name, /^[A-Za-z0-9_%-][A-Za-z0-9_.%~-]*$/);
      assert.ok(name.length <= 249);
      if (!/\p{Surrogate}/u.test(a + b)) assert.equal(folderName(b) === name, a === b);
    }),
  );
  assert.notEqual(folderName('/'.repeat(300)), folderName('/'.repeat(301)));
  assert.equal(folderName('t'.repeat(249)), 't'.repeat(249));
});

test('a file name says what its checkpoint is, in the order of offsets', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 8 }),
      fc.option(fc.string({ minLength: 1, maxLength: 8 }), { nil: undefined }),
      fc.maxSafeNat(),
      (id, base, nextOffset) => {
        const name = checkpointFileName({ id, base, nextOffset });
        assert.deepEqual(parseCheckpointFileName(name), { name, id, base, nextOffset });
      },
    ),
  );
  const at = (nextOffset: number) => checkpointFileName({ id: 'a', base: undefined, nextOffset });
  assert.ok(at(9) < at(10) && at(10) < at(2 ** 53 - 1));
  for (const name of [
    '.tmp-h-1-ab-cd',
    '12.a.snapshot',
    '0000000000000012.a.b.snapshot',
    '0000000000000012.a.delta',
    'x',
    '',
  ]) {
    assert.equal(parseCheckpointFileName(name), undefined, name);
  }
});
