import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { test } from 'node:test';
import { buildTruthTable } from '../../../src/formats/truth/builder.ts';
import { TruthError } from '../../../src/formats/truth/error.ts';
import { prng, type Random } from '../../sim/prng.ts';
import { openBytes } from '../../support/arrow-tables.ts';
import { runs } from '../../support/soak.ts';
import { patience } from '../../support/until.ts';

const seed = Number(process.env['SEED'] ?? 20260501);
const copies = runs(40, 2_000);

const built = buildTruthTable(
  Array.from({ length: 60 }, (_, i) => ({
    example_id: `example ${i}`,
    label: 'tool_call',
    tools: [{ name: `f${i % 3}`, parameters: { type: 'object' } }],
    expected_tool_calls: [{ name: 'f', arguments: { i } }],
    reference: { i },
  })),
);
const whole = openBytes(built).version;
const fixtures = [
  'pyarrow.arrow',
  'pyarrow-lz4.arrow',
  'pyarrow-zstd.arrows',
  'pyarrow-v4.arrows',
  'pyarrow-int64-dictionaries.arrow',
  'pandas.feather',
  'polars.arrow',
  'polars-zstd.arrows',
];
const written: readonly (readonly [name: string, bytes: Uint8Array])[] = [
  ['truth build', built],
  ...fixtures.map((name) => [name, readFileSync(`test/fixtures/truth/${name}`)] as const),
];

/** What a damaged length may say. */
const lengths = [-1, 0, 1, 255, 2 ** 20, 2 ** 30, 2 ** 31 - 1, -(2 ** 31)];

const damages: Readonly<Record<string, (copy: Uint8Array, random: Random) => Uint8Array>> = {
  'a bit flipped'(copy, random) {
    copy[random.int(copy.length)]! ^= 1 << random.int(8);
    return copy;
  },
  cut: (copy, random) => copy.subarray(0, random.int(copy.length)),
  'a length overwritten'(copy, random) {
    const at = 4 * random.int(copy.length >> 2);
    new DataView(copy.buffer).setInt32(at, lengths[random.int(lengths.length)]!, true);
    return copy;
  },
};

for (const [name, bytes] of written) {
  for (const [damage, damaged] of Object.entries(damages)) {
    test(`${name}, ${damage}: rows or a refusal that names the file, within a second`, (context) => {
      const random = prng(seed);
      let tables = 0;
      for (let copy = 0; copy < copies; copy++) {
        const mutation = damaged(Uint8Array.from(bytes), random);
        const start = performance.now();
        const version = versionOf(mutation, `seed ${seed}, copy ${copy}`);
        if (version !== undefined) tables++;
        if (bytes === built && version !== undefined) assert.equal(version, whole, `seed ${seed}, copy ${copy}`);
        const tookMs = performance.now() - start;
        assert.ok(tookMs < patience * 1_000, `seed ${seed}, copy ${copy}: ${tookMs} ms`);
      }
      assert.ok(damage === 'cut' ? tables === 0 : tables < copies);
      context.diagnostic(`seed ${seed}: ${tables} tables of ${copies}`);
    });
  }
}

/** What a table says, as its version; undefined where it is refused. */
function versionOf(bytes: Uint8Array, what: string): string | undefined {
  try {
    return openBytes(bytes).version;
  } catch (error) {
    assert.ok(error instanceof TruthError, `${what}: ${(error as Error).stack}`);
    assert.match(error.message, /^t\.arrow[:,]/, what);
    return undefined;
  }
}
