import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect, isDeepStrictEqual } from 'node:util';
import { arrowTables } from '../../../src/formats/arrow-events/arrow.ts';
import { decisionReading } from '../../../src/formats/prediction/decision-rules.ts';
import { byteReader, predictionReader } from '../../../src/formats/prediction/reader.ts';
import type { ReaderOptions } from '../../../src/formats/prediction/reader-options.ts';
import { prng } from '../../sim/prng.ts';
import { defaultLimits } from '../../support/event-reader.ts';
import { anyTable } from '../../support/event-tables.ts';
import { mutated } from '../../support/hostile-events.ts';
import { recordsIn, rowsOf } from '../../support/reader-rows.ts';

/** TABLES and SEED change how many and which. */
const tables = Number(process.env['TABLES'] ?? 1_500);
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const plain: ReaderOptions = {
  ...{ tags: ['team', 'n'], maxFutureMs: undefined, limits: defaultLimits },
  table: arrowTables(defaultLimits.recordBytes),
};
const tight: ReaderOptions = {
  ...{ ...plain, tags: [], maxFutureMs: 300_000 },
  limits: { ...defaultLimits, depth: 4, elements: 12, calls: 1, values: 40 },
  decisionOf: decisionReading([{ text: 'Oslo', label: 'direct' }]),
};

for (const [what, options] of Object.entries({ plain, tight })) {
  test(`a table is read as the JSON array of its rows: ${what}, seed ${seed}`, () => {
    const random = prng(seed);
    const [reader, oracle] = [byteReader(options), predictionReader(options)];
    const counts = { accepted: 0, known: 0, refused: 0 };
    for (let left = tables; left > 0; left--) {
      const bytes = anyTable(random, 1 + random.int(12));
      const opened = plain.table!(bytes);
      assert.ok(typeof opened !== 'string', String(opened));
      const texts = opened.flatMap((table) => Array.from({ length: table.rows }, (_, at) => table.textOf(at)));
      const records = recordsIn([bytes], random);
      const found = reader.read(records, 0, 1);
      for (let row = 0; row < found.count; row++) {
        counts[found.reject[row] === 0 ? 'accepted' : 'refused']++;
        if (found.reject[row] === 0) counts.known += found.hashed[row]!;
        else assert.deepEqual(JSON.parse(found.elementText(row)), JSON.parse(texts[row]!));
      }
      const read = rowsOf(found, options.tags);
      const wanted = rowsOf(oracle.read(recordsIn([Buffer.from(`[${texts.join()}]`)], random), 0, 1), options.tags);
      assert.equal(read.length, wanted.length);
      for (const [at, row] of read.entries())
        assert.ok(isDeepStrictEqual(row, wanted[at]), `${texts[at]}\n${inspect([row, wanted[at]], { depth: 9 })}`);
      records[0]!.bytes.fill(0x22);
    }
    assert.ok(counts.known > counts.accepted / 3 && counts.refused > 0 && counts.accepted > counts.known);
  });
}

test(`damaged tables are refused or read, and nothing is thrown: seed ${seed}`, () => {
  const random = prng(seed + 1);
  const reader = byteReader(plain);
  const counts = { refused: 0, read: 0 };
  for (let left = tables; left > 0; left--) {
    const bytes = mutated(random, anyTable(random, 1 + random.int(12)));
    const found = reader.read(recordsIn([bytes], random), 0, 1);
    rowsOf(found, plain.tags);
    counts[found.count === 1 && found.reject[0]! > 0 ? 'refused' : 'read']++;
  }
  assert.ok(counts.refused > 0 && counts.read > 0, JSON.stringify(counts));
});
