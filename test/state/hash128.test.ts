import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hexadecimal } from '../../src/state/containers/hexadecimal.ts';
import { hash128OfBytes, hash128OfText } from '../../src/state/containers/hash128.ts';
import { writeGroupKey } from '../../src/state/run-groups/group-key.ts';

/** MurmurHash3 x86_128 with seed 0 as the Python package mmh3 5.2 has it: of so many bytes, (7 i + length) mod 256 at i. */
const ofBytes: readonly (readonly [length: number, identity: string])[] = [
  [5000, '92079b52 f8e6982e d4d5ec1e 809bec19'],
  [2049, '0d2aff90 db355e32 fc21c005 b5f1f8a0'],
  [2048, '6bee2b83 c25fe5ce 3df6474d 34e1c23b'],
  [2047, '5add6135 3f122c4a 1ffe7a85 137756db'],
  [100, 'b6cfc581 159fabd0 f10bab64 d8772e47'],
  [33, '8f3737c6 76a2c944 96985232 1cf89fa4'],
  [32, '25e2bf68 566e9993 61157548 d44ebb2a'],
  [31, 'fb3b87a0 d90052b6 f08acf30 d3121b3a'],
  [17, '5ca12cd3 ec90f18c 3bb1aa93 befd6495'],
  [16, '05848b62 478bfde8 94ba17bd 53867898'],
  [15, 'ea89f6f3 14718316 5b8196bf 3daf54a1'],
  [14, '3df47b7d 3bb06353 c4fd9407 b621bd52'],
  [13, '39898aa4 5a2f5a55 34270451 bb0cdb74'],
  [12, '7bb004d4 22e216f9 6c04c2b1 446d4c6b'],
  [11, 'dac8e9e4 e3010bcb 7e703af8 d12956dd'],
  [10, '23eb93df 271a4d70 0af2421c ea3a8cba'],
  [9, '0a8c9324 592b7533 f5794dbc 7e144dab'],
  [8, 'cf84d99f e46756b2 91ea472a 91ea472a'],
  [7, 'e299e865 3e6fc81f 467c6681 467c6681'],
  [4, '2b83889c d9730e43 d9730e43 d9730e43'],
  [1, 'da3dd3f0 84f1d1dd 84f1d1dd 84f1d1dd'],
  [0, '00000000 00000000 00000000 00000000'],
];

/** The same of the UTF-8 bytes of texts. */
const ofTexts: readonly (readonly [text: string, identity: string])[] = [
  ['', '00000000 00000000 00000000 00000000'],
  ['example-1', '138b2266 690bf422 ba7d2b99 aac21274'],
  ['é', 'b2013c81 e6cec69c e6cec69c e6cec69c'],
  ['€uro', '2f32e654 914a9442 c2a4d888 c2a4d888'],
  ['😀 smile', '21ae358f 903bf7d4 e1b8f0f8 24f96730'],
  ['a\ufffdb', '2ff91286 0eafa77a 62c3ec7c 62c3ec7c'],
  ['a\ud800b', '2ff91286 0eafa77a 62c3ec7c 62c3ec7c'],
  ['\x7f', '6877750b 20a03b9e 20a03b9e 20a03b9e'],
  ['\x80', 'd7bc01aa ef6a0120 ef6a0120 ef6a0120'],
  ['\u07ff\u0800\uffff', '0c6d45a8 0eaac9af a7bc5112 a7bc5112'],
  ['\u{10000}\u{10ffff}', '8bf279b8 02003270 54742bbb 54742bbb'],
  ['x'.repeat(2048), '5566c46a 42da2dc5 a7208213 30b8d85a'],
  ['x'.repeat(2049), 'c396a361 9569ada2 fd12f9a8 0ffa962d'],
  ['é'.repeat(1025), 'ea32b204 d209f776 fde6b50e 6263b403'],
];

const textOf = (words: Uint32Array): string => [...words].map((word) => hexadecimal([word])).join(' ');

test('the identity of bytes is their MurmurHash3, wherever they lie', () => {
  for (const [length, identity] of ofBytes) {
    for (const start of [0, 3]) {
      const bytes = new Uint8Array(start + length + 20).fill(255);
      for (let i = 0; i < length; i++) bytes[start + i] = 7 * i + length;
      const words = new Uint32Array(6).fill(9);
      hash128OfBytes(bytes, start, start + length, words, 1);
      assert.equal(textOf(words), `00000009 ${identity} 00000009`, `${length} bytes from ${start}`);
    }
  }
});

test('the identity of a text is that of its UTF-8 bytes', () => {
  for (const [text, identity] of ofTexts) {
    const words = new Uint32Array(6).fill(9);
    hash128OfText(text, words, 1);
    assert.equal(textOf(words), `00000009 ${identity} 00000009`, JSON.stringify(text.slice(0, 20)));
  }
});

/** Keys of groups lie in checkpoints: a formula that gives others would not find the groups of before. */
test('the key of a group: these words for these identities, others when any of the three is another', () => {
  const keyOf = (example: string, model: string, agent: string): string => {
    const ids = new Uint32Array(12);
    for (const [at, text] of [example, model, agent].entries()) hash128OfText(text, ids, 4 * at);
    const key = new Uint32Array(5).fill(9);
    writeGroupKey(key, ids);
    return textOf(key);
  };
  assert.equal(keyOf('example-1', 'm', 'a'), 'f6441d62 da71f385 94bdbffc 51f0469b 00000009');
  const texts = ['', 'a', 'b'];
  const keys = texts.flatMap((example) => texts.flatMap((model) => texts.map((agent) => keyOf(example, model, agent))));
  assert.equal(new Set(keys).size, 27);
});
